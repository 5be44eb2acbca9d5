import { anywhereIn, shapeIn } from '#shared/api/reference/fieldTexts.ts';

const MESSAGE = ['message', 'messages', 'message_created.data', 'message_updated.data'];

export const messages = [
  shapeIn('chat', MESSAGE, {
    id: 'Id of the message, `msg_` and 32 characters. Ids of a conversation sort by time.',
    createdAt: 'Time at which the message was sent, or the time given to an imported message.',
    payload: 'Content of the message, as its author sent it. `type` selects one of the payloads.',
    userId: 'Id of the author. Messages of the bot have the id of its user in this chat.',
    conversationId: 'Conversation of the message: the id that the client chose, or an id of the platform.',
    metadata: 'JSON object that the author attached, for programs. Only extended installations accept and return it.',
    feedback: 'Rating of a bot message by the user who reads it. Absent until `addMessageFeedback`.',
    'feedback.value': 'Rating: `positive` or `negative`.',
    'feedback.comment': 'Reason that the user wrote with the rating.',
  }),
  shapeIn('chat', ['message_created.data', 'message_updated.data', 'event_created.data'], {
    isBot: 'True if the author is the bot, or writes in its name. False for users of the chat.',
  }),
  anywhereIn('chat', {
    'output.message': 'The message after the call.',
    'output.messages': 'Messages of the conversation, newest first.',
  }),
  shapeIn('chat', ['createMessage.body', 'updateMessage.body'], {
    payload: 'Content of the message. `type` selects one of the payloads. Undeclared fields are preserved.',
  }),
  shapeIn('chat', ['createMessage.body', 'createEvent.body'], {
    conversationId: 'Conversation in which the caller participates.',
  }),
];
