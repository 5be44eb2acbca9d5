import { unknown } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { getBotWebchat } from './getBotWebchat.ts';

export default reference<typeof getBotWebchat>({
  errors: [unknown('The bot has no chat, or none that the webchat client can use.')],
  parameters: {
    type: 'The kind of embedding: the widget, or the webchat client in one of its forms.',
  },
  example: { path: { id: EXAMPLE.bot }, query: { type: 'preconfigured' } },
  budget: { calls: 2 },
});
