import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { createIntegrationShareableId } from './createIntegrationShareableId.ts';

export default reference<typeof createIntegrationShareableId>({
  example: { path: { botId: EXAMPLE.bot, integrationId: EXAMPLE.chatIntegration } },
  budget: { calls: 2 },
});
