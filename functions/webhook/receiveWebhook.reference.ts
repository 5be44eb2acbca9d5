import { reference } from '#shared/api/reference/reference.ts';
import type { receiveWebhook } from './receiveWebhook.ts';

export default reference<typeof receiveWebhook>({
  // Reads the bot with its definition, and the integration.
  budget: { calls: 2, parallel: 2 },
});
