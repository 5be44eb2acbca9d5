import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { getIntegrationShareableId } from './getIntegrationShareableId.ts';

export default reference<typeof getIntegrationShareableId>({
  example: { path: { botId: EXAMPLE.bot, integrationId: EXAMPLE.chatIntegration } },
  budget: { calls: 2 },
});
