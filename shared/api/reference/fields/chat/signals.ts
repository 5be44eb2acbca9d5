/** Signals of the streams `listenConversation` and `initializeConversation`. */
import { shapeIn } from '#shared/api/reference/fieldTexts.ts';

const TYPES = [
  ...['init', 'message_created', 'message_updated', 'message_deleted', 'message_read', 'message_status_changed'],
  ...['event_created', 'participant_added', 'participant_removed', 'typing', 'typing_started', 'typing_stopped'],
  ...['handoff', 'webchat_visibility', 'webchat_config', 'custom'],
  ...['message_stream_delta', 'message_stream_complete', 'message_stream_abort'],
].map(type => `stream.${type}`);

const dataOf = (...types: string[]) => types.map(type => `stream.${type}.data`);

const STREAM = {
  streamId: 'Id that the bot chose for the streamed reply. The final message has it in `metadata.streamId`.',
};

export const signals = [
  shapeIn('chat', ['stream'], {
    init: 'State of the conversation. The first signal of `initializeConversation`.',
    message_created: 'A message was created.',
    message_updated: 'The payload of a message was changed. Contains the whole message.',
    message_deleted: 'A message was deleted.',
    message_read: 'A participant read messages. Sent to the other connected listeners.',
    message_status_changed: 'The delivery of a message to the bot changed its state. Sent to the author only.',
    event_created: 'A custom event was created, or a delivery failed.',
    participant_added: 'A user joined the conversation.',
    participant_removed: 'A user left the conversation.',
    typing: 'A participant began or stopped typing. Sent to the other connected listeners.',
    typing_started: 'The bot shows a typing indicator in the webchat client.',
    typing_stopped: 'The bot removes its typing indicator.',
    handoff: 'The conversation was queued for, assigned to, or returned by a member of the team.',
    webchat_visibility: 'The bot shows, hides or toggles the chat window.',
    webchat_config: 'The bot changes settings of the webchat client.',
    custom: 'The bot sends an event to the page.',
    message_stream_delta: 'Part of a reply that the bot is writing. WebSockets only.',
    message_stream_complete: 'A streamed reply is complete.',
    message_stream_abort: 'The bot gave up a streamed reply. WebSockets only.',
  }),
  shapeIn('chat', TYPES, { type: 'Kind of the signal, which determines the fields of `data`.' }),
  shapeIn('chat', TYPES, { data: 'Content of the signal.' }),
  shapeIn('chat', dataOf('init'), {
    conversation: 'The conversation that the stream continues, or a new one.',
    messages: 'Latest messages, newest first: fewer if they are large.',
    participants: 'Participants of the conversation.',
    user: 'The user of the stream, whom the call created if it had no key.',
    'user.userKey': 'Key of the user, for later calls. Store it, because it is the only proof of the identity.',
  }),
  shapeIn(
    'chat',
    dataOf(
      ...['participant_added', 'participant_removed', 'message_deleted', 'message_read', 'typing'],
      ...['typing_started', 'typing_stopped', 'handoff', 'message_stream_delta', 'message_stream_abort'],
    ),
    { conversationId: 'Conversation that the signal concerns.' },
  ),
  shapeIn('chat', dataOf('participant_added', 'participant_removed'), {
    participantId: 'User who joined or left the conversation.',
  }),
  shapeIn('chat', dataOf('participant_added'), { participant: 'The user who joined.' }),
  shapeIn('chat', dataOf('message_deleted'), {
    id: 'Deleted message. Remove it from the display.',
    userId: 'Author of the deleted message.',
  }),
  shapeIn('chat', dataOf('message_read'), {
    userId: 'Participant who read the messages.',
    messageId: 'Newest message that was read. It covers all earlier ones.',
    readAt: 'Time of the read mark.',
  }),
  shapeIn('chat', dataOf('typing', 'typing_started', 'typing_stopped'), { userId: 'Participant who types.' }),
  shapeIn('chat', dataOf('typing'), {
    isTyping: 'False when the participant stops. A true value expires after ten seconds unless it is repeated.',
  }),
  shapeIn('chat', dataOf('typing_started'), {
    timeout: 'Milliseconds after which the indicator ends, unless `typing_stopped` arrives earlier.',
  }),
  shapeIn('chat', dataOf('handoff'), {
    status: 'New state of the handoff: `waiting` in the queue, `served` by a member, or `closed`.',
    userId: 'Participant who represents the assigned member. Absent if nobody is assigned.',
  }),
  shapeIn('chat', dataOf('message_status_changed'), {
    message: 'Message of the listener whose delivery to the bot changed its state.',
    newStatus: 'State of the delivery: `processing` at each attempt, `failed` after the last one.',
    failureReason: 'Constant text about the failure. The cause is in the log of the bot.',
  }),
  shapeIn('chat', dataOf('webchat_visibility'), {
    visibility: 'Change of the chat window that the bot requested: `show`, `hide` or `toggle`.',
  }),
  shapeIn('chat', dataOf('webchat_config'), { config: 'Settings of the webchat client that the bot replaces.' }),
  shapeIn('chat', dataOf('custom'), { event: 'JSON object that the bot sent to the page.' }),
  shapeIn('chat', dataOf('message_stream_delta', 'message_stream_complete', 'message_stream_abort'), STREAM),
  shapeIn('chat', dataOf('message_stream_delta'), {
    userId: 'User in whose name the reply is written: the bot.',
    createdAt: 'Time at which the bot began the reply.',
    clientMessageId: 'Id that the bot gives the final message in its metadata, if it chose one.',
    sequence: 'Number of the part, from 0 without gaps. Sort parts by it.',
    delta: 'Text to append to the previous parts.',
  }),
  shapeIn('chat', dataOf('message_stream_complete'), {
    message: 'The final message. It is authoritative and replaces the text of the parts.',
  }),
];
