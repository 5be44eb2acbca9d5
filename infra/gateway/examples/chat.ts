/** Examples of the group chat. The caller is Ada, the owner of a conversation with Bob. */
import type * as operations from '#functions/chat/index.ts';
import { EXAMPLE, type ExamplesOf } from './example.ts';

export const CHAT_EXAMPLES: ExamplesOf<typeof operations> = {
  hello: {},
  createUser: { body: { name: 'Cleo', pictureUrl: 'https://example.com/cleo.png', profile: '{"city":"Cairo"}' } },
  getOrCreateUser: { body: { name: 'Ada' } },
  getUser: {},
  updateUser: { body: { name: 'Ada Lovelace' } },
  deleteUser: {},
  generateUserKey: {
    headers: { 'x-admin-secret': EXAMPLE.adminSecret },
    body: { id: EXAMPLE.otherUser },
  },

  createConversation: { body: { id: 'order-42' } },
  getOrCreateConversation: { body: { id: 'support' } },
  getOrCreateCurrentConversation: { body: {} },
  getConversation: { path: { id: EXAMPLE.conversation } },
  listConversations: {},
  deleteConversation: { path: { id: EXAMPLE.conversation } },
  initializeConversation: { query: { conversationId: EXAMPLE.conversation } },
  listenConversation: { path: { id: EXAMPLE.conversation } },
  showTyping: { path: { id: EXAMPLE.conversation }, body: { isTyping: true } },
  markRead: { path: { id: EXAMPLE.conversation }, body: { messageId: EXAMPLE.message } },
  addParticipant: { path: { conversationId: EXAMPLE.conversation }, body: { userId: EXAMPLE.thirdUser } },
  getParticipant: { path: { conversationId: EXAMPLE.conversation, userId: EXAMPLE.otherUser } },
  listParticipants: { path: { conversationId: EXAMPLE.conversation } },
  removeParticipant: { path: { conversationId: EXAMPLE.conversation, userId: EXAMPLE.otherUser } },

  createMessage: {
    body: { conversationId: EXAMPLE.conversation, payload: { type: 'text', text: 'Is there tea?' } },
  },
  getMessage: { path: { id: EXAMPLE.message } },
  listMessages: { path: { conversationId: EXAMPLE.conversation } },
  updateMessage: { path: { id: EXAMPLE.message }, body: { payload: { type: 'text', text: 'Hello again' } } },
  deleteMessage: { path: { id: EXAMPLE.message } },
  addMessageFeedback: { path: { id: EXAMPLE.message }, body: { value: 'positive', comment: 'That helped.' } },
  removeMessageFeedback: { path: { id: EXAMPLE.message } },
  createEvent: { body: { conversationId: EXAMPLE.conversation, payload: { type: 'clicked', button: 'order' } } },
  getEvent: { path: { id: EXAMPLE.event } },
  createFile: { body: { key: 'photo.png', size: 48_213, contentType: 'image/png' } },
  sendPerfMetrics: { body: { event: 'loaded', duration: 120, properties: { device: 'phone' } } },
};
