/** The operations of the chat interface. Listing one here publishes it. */

export { addParticipant } from './addParticipant.ts';
export { createConversation } from './createConversation.ts';
export { createEvent } from './createEvent.ts';
export { createMessage } from './createMessage.ts';
export { createUser } from './createUser.ts';
export { deleteConversation } from './deleteConversation.ts';
export { deleteMessage } from './deleteMessage.ts';
export { deleteUser } from './deleteUser.ts';
export { getConversation } from './getConversation.ts';
export { getEvent } from './getEvent.ts';
export { getMessage } from './getMessage.ts';
export { getOrCreateConversation } from './getOrCreateConversation.ts';
export { getOrCreateUser } from './getOrCreateUser.ts';
export { getParticipant } from './getParticipant.ts';
export { getUser } from './getUser.ts';
export { hello } from './hello.ts';
export { listConversations } from './listConversations.ts';
export { listenConversation } from './listenConversation.ts';
export { listMessages } from './listMessages.ts';
export { listParticipants } from './listParticipants.ts';
export { markRead } from './markRead.ts';
export { removeParticipant } from './removeParticipant.ts';
export { showTyping } from './showTyping.ts';
export { updateUser } from './updateUser.ts';
