/** Messages, as bots and integrations see them. */
import { anywhereIn, shapeIn } from '#shared/api/reference/fieldTexts.ts';

const NEW = [
  'createMessage.body',
  'getOrCreateMessage.body',
  'importMessages.body.messages',
  'initializeIncomingMessage.body.message',
  'replyInHandoff.body',
];

export const messages = [
  shapeIn('botChat', ['message', 'messages'], {
    id: 'Id of the message, `msg_` and 32 characters. Ids of a conversation sort by time.',
    createdAt: 'Time of the message: of the call, of its schedule, or as imported.',
    updatedAt: 'Time of the last change of the payload or tags.',
    type: 'Kind of the payload, for example `text`, `image` or `choice`. Bots and integrations may use their own.',
    payload:
      'Content of the message, whose fields depend on `type`. The guide to the chat API lists them under “Message payloads”.',
    direction: 'Direction from the view of the bot: `incoming` from a user, `outgoing` to users.',
    userId: 'Author of the message: a user, or the bot by its own id.',
    conversationId: 'Conversation of the message.',
    tags: 'Tags by name. `deliveryFailure`, `feedback` and `feedbackComment` are set by the platform.',
    origin: 'Set to `synthetic` by callers that create messages on behalf of somebody. Does not affect delivery.',
  }),
  shapeIn('botChat', NEW, {
    type: 'Kind of the payload, for example `text`.',
    payload:
      'Content of the message, whose fields depend on `type`. The guide to the chat API lists them under “Message payloads”.',
    tags: 'Tags by name. An integration omits its alias.',
  }),
  shapeIn('botChat', ['createMessage.body', 'getOrCreateMessage.body', 'importMessages.body.messages'], {
    userId: 'Author of the message. The id of the bot makes it a message of the bot. A user becomes a participant.',
    conversationId: 'Conversation to which the message belongs.',
  }),
  shapeIn('botChat', ['createMessage.body', 'getOrCreateMessage.body'], {
    schedule: 'Later time of the message. Without it, the message is sent immediately.',
  }),
  shapeIn('botChat', ['createMessage.body', 'getOrCreateMessage.body', 'initializeIncomingMessage.body.message'], {
    origin: 'Marks a message as synthetic. The platform stores the mark and does not interpret it.',
  }),
  shapeIn('botChat', ['importMessages'], {
    'body.messages': 'Messages of any conversations of the bot. They call no endpoint.',
    'body.messages.createdAt': 'Original time of the message. Determines its place in the conversation.',
    'output.messages': 'Imported messages in the order of the request. Existing matches are returned unchanged.',
  }),
  shapeIn('botChat', ['initializeIncomingMessage'], {
    'body.userId': 'Author of the message. Send either this id or `user`.',
    'body.user': 'User to find or create by tags. Send either this object or `userId`.',
    'body.conversationId': 'Conversation of the message. Send either this id or `conversation`.',
    'body.conversation': 'Conversation to find or create by tags. Send either this object or `conversationId`.',
    'body.message': 'Message to find or create by tags. Without it, only the user and the conversation are returned.',
    'output.message': 'Message that was found or created.',
    'output.user': 'User that was found or created.',
    'output.conversation': 'Conversation that was found or created.',
  }),
  shapeIn('botChat', ['updateMessage.body'], {
    tags: 'Tags to set, by name. Null or an empty value removes a tag. Others do not change.',
    payload: 'New content, which replaces the previous one. Listeners receive it as `message_updated`.',
  }),
  anywhereIn('botChat', {
    'output.message': 'The message after the call.',
    'output.messages': 'Messages that match the filters, newest first.',
    'schedule.dateTime': 'Time at which it is due, up to a year ahead. Send either this or `delay`.',
    'schedule.delay': 'Milliseconds from now until it is due. Send either this or `dateTime`.',
  }),
];
