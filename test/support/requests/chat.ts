/**
 * A request for each operation of the chat group that succeeds for an authorised caller. An operation without one does
 * not compile.
 */
import type * as chatOperations from '#functions/chat/index.ts';

export type ChatOperationName = keyof typeof chatOperations;

/** The path is relative to the webhook's URL. */
export interface ChatRequest {
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
}

export interface ChatRecords {
  conversation: string;
  participant: string;
  /** User outside the conversation. */
  bystander: string;
  message: string;
  event: string;
}

/** Admin secret of installations with the hash of it as `adminSecretHash`. */
export const ADMIN_SECRET = 'a8Tq0wYc5uJd2LrZk7VbX1nHsGp4EoMf';

export const CHAT_REQUESTS: Record<ChatOperationName, (records: ChatRecords) => ChatRequest> = {
  hello: () => ({ path: '/hello' }),
  createUser: () => ({ path: '/users', body: {} }),
  getOrCreateUser: () => ({ path: '/users/get-or-create', body: {} }),
  getUser: () => ({ path: '/users/me' }),
  updateUser: () => ({ path: '/users/me', body: { name: 'n' } }),
  deleteUser: () => ({ path: '/users/me' }),
  createConversation: () => ({ path: '/conversations', body: {} }),
  getOrCreateConversation: ({ participant }) => ({
    path: '/conversations/get-or-create',
    body: { id: `of-${participant}` },
  }),
  getOrCreateCurrentConversation: () => ({ path: '/users/me/conversation', body: {} }),
  getConversation: ({ conversation }) => ({ path: `/conversations/${conversation}` }),
  listConversations: () => ({ path: '/conversations' }),
  deleteConversation: ({ conversation }) => ({ path: `/conversations/${conversation}` }),
  addParticipant: ({ conversation, bystander }) => ({
    path: `/conversations/${conversation}/participants`,
    body: { userId: bystander },
  }),
  removeParticipant: ({ conversation, participant }) => ({
    path: `/conversations/${conversation}/participants/${participant}`,
  }),
  getParticipant: ({ conversation, participant }) => ({
    path: `/conversations/${conversation}/participants/${participant}`,
  }),
  listParticipants: ({ conversation }) => ({ path: `/conversations/${conversation}/participants` }),
  createMessage: ({ conversation }) => ({
    path: '/messages',
    body: { conversationId: conversation, payload: { type: 'text', text: 't' } },
  }),
  getMessage: ({ message }) => ({ path: `/messages/${message}` }),
  listMessages: ({ conversation }) => ({ path: `/conversations/${conversation}/messages` }),
  deleteMessage: ({ message }) => ({ path: `/messages/${message}` }),
  createEvent: ({ conversation }) => ({ path: '/events', body: { conversationId: conversation, payload: {} } }),
  getEvent: ({ event }) => ({ path: `/events/${event}` }),
  updateMessage: ({ message }) => ({ path: `/messages/${message}`, body: { payload: { type: 'text', text: 'new' } } }),
  addMessageFeedback: ({ message }) => ({ path: `/messages/${message}/feedback`, body: { value: 'positive' } }),
  removeMessageFeedback: ({ message }) => ({ path: `/messages/${message}/feedback` }),
  createFile: () => ({ path: '/files', body: { key: 'a.txt', size: 1 } }),
  generateUserKey: ({ participant }) => ({
    path: '/users/key',
    body: { id: participant },
    headers: { 'x-admin-secret': ADMIN_SECRET },
  }),
  sendPerfMetrics: () => ({ path: '/p', body: { duration: 1, event: 'e', properties: {} } }),
  initializeConversation: () => ({ path: '/initialize' }),
  listenConversation: ({ conversation }) => ({ path: `/conversations/${conversation}/listen` }),
  showTyping: ({ conversation }) => ({ path: `/conversations/${conversation}/typing`, body: {} }),
  markRead: ({ conversation, message }) => ({
    path: `/conversations/${conversation}/read`,
    body: { messageId: message },
  }),
  rateHandoff: ({ conversation }) => ({ path: `/conversations/${conversation}/rating`, body: { value: 5 } }),
  setVisit: ({ conversation }) => ({
    path: `/conversations/${conversation}/visit`,
    body: { url: 'https://shop.example/cart' },
  }),
  getWidget: () => ({ path: '/widget' }),
};
