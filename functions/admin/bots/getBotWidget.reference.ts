import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { getBotWidget } from './getBotWidget.ts';

export default reference<typeof getBotWidget>({
  parameters: {
    webhookId: 'Webhook of the installed chat, which `getBot` returns: the last segment of `data-chat-url`.',
  },
  example: { path: { id: EXAMPLE.bot, webhookId: EXAMPLE.webhook } },
  // Reads the bot and the settings.
  budget: { calls: 2 },
});
