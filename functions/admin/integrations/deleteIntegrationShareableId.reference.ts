import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { deleteIntegrationShareableId } from './deleteIntegrationShareableId.ts';

export default reference<typeof deleteIntegrationShareableId>({
  example: { path: { botId: EXAMPLE.bot, integrationId: EXAMPLE.chatIntegration } },
  budget: { calls: 3 },
});
