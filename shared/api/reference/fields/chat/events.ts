import { shapeIn } from '#shared/api/reference/fieldTexts.ts';

export const events = [
  shapeIn('chat', ['event'], {
    id: 'Id of the event, `evt_` and 32 characters.',
    payload: 'JSON object that the author defined. The platform does not interpret it.',
  }),
  shapeIn('chat', ['event', 'event_created.data'], {
    createdAt: 'Time at which the event was created.',
    conversationId: 'Conversation of the event.',
    userId: 'Id of the author: a user of the chat, or the user of the bot.',
  }),
  shapeIn('chat', ['output'], { event: 'The custom event.' }),
  shapeIn('chat', ['event_created.data'], {
    id: 'Id of the event. Null for events of the bot and of the platform, which are not stored.',
    payload: 'JSON object of the author. `message_failed` in its `type` reports a failed delivery.',
  }),
];
