import { error } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { setBotWidget } from './setBotWidget.ts';

export default reference<typeof setBotWidget>({
  errors: [error('RelationConflict', 'Another change was saved since `version` was read.')],
  parameters: {
    webhookId: 'Webhook of the installed chat, which `getBot` returns: the last segment of `data-chat-url`.',
  },
  example: {
    path: { id: EXAMPLE.bot, webhookId: EXAMPLE.webhook },
    body: {
      version: 0,
      settings: {
        title: 'Help',
        greeting: 'Hello! How can we help you?',
        questions: ['Where is my order?', 'How do I return an item?'],
        accent: { light: '#0b6b3a', dark: '#6fd9a2' },
        fields: [{ kind: 'email', required: true }],
        replyTime: 'minutes',
        hours: { timeZone: 'Europe/Berlin', periods: [{ day: 1, from: '09:00', to: '17:00' }] },
        rating: true,
      },
    },
  },
  // Reads the bot, and writes the settings with an audit record.
  budget: { calls: 2 },
});
