/** Fields of single requests and responses of chat. */

import { shapeIn } from '#shared/api/reference/fieldTexts.ts';
import { WIDGET_TEXTS } from '#shared/api/reference/widgetTexts.ts';

export const requests = [
  shapeIn('chat', ['createConversation.body'], {
    id: 'Foreign id for the conversation, unique within the installation. Default: a generated id.',
  }),
  shapeIn('chat', ['getOrCreateConversation.body'], {
    id: 'Foreign id of the conversation: 1 to 70 letters, digits, `_` and `-`.',
  }),
  shapeIn('chat', ['createUser'], {
    'body.id': 'Foreign id for the user. Accepted only if guests may choose ids. Default: a generated id.',
    'output.user': 'The new user.',
    'output.key': 'Key of the user, which later calls send as `x-user-key`. It does not expire while the user exists.',
  }),
  shapeIn('chat', ['generateUserKey'], {
    'body.id': 'Foreign id of the user, who need not exist yet.',
    'body.expiresAt': 'Time at which the key expires, in milliseconds since 1970. Default: no expiry.',
    'output.key': 'Key of the user, to pass to their client.',
  }),
  shapeIn('chat', ['getWidget.output'], { settings: 'Settings of the widget. Omitted ones have their default.' }),
  shapeIn('chat', ['getWidget.output.settings'], WIDGET_TEXTS),
  shapeIn('chat', ['addParticipant.body'], { userId: 'User to add to the conversation.' }),
  shapeIn('chat', ['addMessageFeedback.body'], {
    value: 'Rating of the message. A new rating replaces the previous one.',
    comment: 'Reason for the rating, which the bot reads in the tag `feedbackComment`.',
  }),
  shapeIn('chat', ['createEvent.body'], {
    payload: 'JSON object for the bot, which receives it as the event `<alias>:custom`.',
  }),
  shapeIn('chat', ['getOrCreateCurrentConversation'], {
    'body.replaces':
      'Id of the conversation that the user leaves for a new one. Without it, the current one is returned.',
    'output.conversation': 'Conversation that the user continues on every device.',
  }),
  shapeIn('chat', ['hello.output'], { status: 'Always `ok`: the webhook id names a chat.' }),
  shapeIn('chat', ['markRead.body'], {
    messageId: 'Newest message that the user has read. Earlier messages count as read. A mark never moves backwards.',
  }),
  shapeIn('chat', ['showTyping.body'], {
    isTyping: 'True while the user types: repeat it every few seconds. False removes the indicator immediately.',
  }),
  shapeIn('chat', ['setVisit.body'], {
    url: 'URL of the page. The platform stores origin, path and `utm_*` parameters of at most 500 characters.',
    title: 'Title of the page.',
    referrer: 'URL of the page of another site that led to this one. The platform stores origin and path.',
    language: "Language of the user's browser, as a BCP 47 tag.",
    timeZone: 'IANA time zone of the browser.',
  }),
  shapeIn('chat', ['sendPerfMetrics.body'], {
    duration: 'Measured time in milliseconds. Accepted for the webchat client and not stored.',
    event: 'Name of the measurement. Not stored.',
    properties: 'Details of the measurement. Not stored.',
  }),
];
