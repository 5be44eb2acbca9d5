/** Examples of the group botChat. The caller is a bot in a conversation with Ada. */
import type * as operations from '#functions/botChat/index.ts';
import { EXAMPLE, type ExamplesOf } from './example.ts';

const HOUR_MS = 3_600_000;
const STATE = { type: 'conversation', id: EXAMPLE.conversation, name: 'order' } as const;
const said = { conversationId: EXAMPLE.conversation, userId: EXAMPLE.bot, type: 'text' };

export const BOT_CHAT_EXAMPLES: ExamplesOf<typeof operations> = {
  createConversation: { body: { channel: 'channel', integrationName: 'chat', tags: { topic: 'tea' } } },
  getOrCreateConversation: { body: { channel: 'channel', tags: { topic: 'coffee' } } },
  getConversation: { path: { id: EXAMPLE.conversation } },
  listConversations: { query: { pageSize: '10', sortField: 'updatedAt', sortDirection: 'desc' } },
  updateConversation: { path: { id: EXAMPLE.conversation }, body: { tags: { topic: 'tea' } } },
  deleteConversation: { path: { id: EXAMPLE.conversation } },
  addParticipant: { path: { id: EXAMPLE.conversation }, body: { userId: EXAMPLE.thirdUser } },
  getParticipant: { path: { id: EXAMPLE.conversation, userId: EXAMPLE.otherUser } },
  listParticipants: { path: { id: EXAMPLE.conversation } },
  removeParticipant: { path: { id: EXAMPLE.conversation, userId: EXAMPLE.otherUser } },

  createMessage: { body: { ...said, payload: { text: 'Green or black?' }, tags: {} } },
  getOrCreateMessage: { body: { ...said, payload: { text: 'Welcome.' }, tags: { kind: 'welcome' } } },
  getMessage: { path: { id: EXAMPLE.message } },
  listMessages: { query: { conversationId: EXAMPLE.conversation } },
  updateMessage: { path: { id: EXAMPLE.message }, body: { tags: { kind: 'greeting' } } },
  deleteMessage: { path: { id: EXAMPLE.message } },
  retryMessage: { path: { id: EXAMPLE.failedMessage } },
  importMessages: {
    body: {
      messages: [
        {
          ...said,
          payload: { text: 'We spoke elsewhere.' },
          tags: { 'chat:id': 'old-1' },
          discriminateByTags: ['chat:id'],
          createdAt: '2020-01-01T09:00:00Z',
        },
      ],
    },
  },
  initializeIncomingMessage: {
    body: {
      user: { tags: { 'chat:id': 'dora' }, discriminateByTags: ['chat:id'] },
      conversation: { channel: 'channel', tags: { 'chat:id': 'thread-7' }, discriminateByTags: ['chat:id'] },
      message: {
        type: 'text',
        payload: { text: 'Hello' },
        tags: { 'chat:id': 'mail-1' },
        discriminateByTags: ['chat:id'],
      },
    },
  },

  createEvent: { body: { type: 'reminder', payload: { about: 'tea' }, schedule: { delay: HOUR_MS } } },
  getEvent: { path: { id: EXAMPLE.botEvent } },
  listEvents: { query: { type: 'reminder' } },
  cancelScheduledEvent: { path: { id: EXAMPLE.scheduledEvent } },

  createUser: { body: { name: 'Dora', tags: { plan: 'free' } } },
  getOrCreateUser: { body: { name: 'Eve', tags: { email: 'eve@example.com' }, discriminateByTags: ['email'] } },
  getUser: { path: { id: EXAMPLE.user } },
  listUsers: { query: { pageSize: '10' } },
  updateUser: { path: { id: EXAMPLE.user }, body: { tags: { plan: 'paid' } } },
  deleteUser: { path: { id: EXAMPLE.user } },
  eraseUser: { path: { id: EXAMPLE.user } },

  getState: { path: STATE },
  setState: { path: STATE, body: { payload: { cups: 2 } } },
  getOrSetState: { path: STATE, body: { payload: { cups: 1 } } },
  patchState: { path: STATE, body: { payload: { milk: true } } },
  setStateExpiry: { path: STATE, body: { expiry: HOUR_MS } },
  listStates: { query: { type: 'bot' } },

  countHandoffs: {},
  startHandoff: { body: { conversationId: EXAMPLE.conversation, reason: 'Asks for a person' } },
  assignHandoff: { path: { id: EXAMPLE.handoff }, body: { accountId: EXAMPLE.account } },
  replyInHandoff: {
    path: { id: EXAMPLE.assignedHandoff },
    body: { type: 'text', payload: { text: 'How can I help?' } },
  },
  showTypingInHandoff: { path: { id: EXAMPLE.assignedHandoff }, body: { isTyping: true } },
  markHandoffRead: { path: { id: EXAMPLE.assignedHandoff }, body: { messageId: EXAMPLE.assignedMessage } },
  endHandoff: { path: { id: EXAMPLE.handoff }, body: { servedBy: EXAMPLE.account } },
  getHandoff: { path: { id: EXAMPLE.handoff } },
  listHandoffs: { query: { status: 'waiting' } },

  createNote: { path: { conversationId: EXAMPLE.conversation }, body: { text: 'Prefers green tea.' } },
  listNotes: { path: { conversationId: EXAMPLE.conversation } },
  deleteNote: { path: { id: EXAMPLE.note } },

  createSavedReply: { body: { name: 'hours', text: 'We open at nine.' } },
  listSavedReplies: {},
  updateSavedReply: { path: { id: EXAMPLE.savedReply }, body: { text: 'We open at eight.' } },
  deleteSavedReply: { path: { id: EXAMPLE.savedReply } },

  createWorkflow: { body: { name: 'order', status: 'pending', input: { cups: 2 }, userId: EXAMPLE.user } },
  getOrCreateWorkflow: { body: { name: 'order', status: 'pending', tags: { order: '42' } } },
  getWorkflow: { path: { id: EXAMPLE.workflow } },
  listWorkflows: { query: { name: 'order' } },
  updateWorkflow: { path: { id: EXAMPLE.workflow }, body: { status: 'completed', output: { paid: true } } },
  deleteWorkflow: { path: { id: EXAMPLE.workflow } },

  callAction: { body: { type: 'orderTea', input: { cups: 2 } } },
  configureIntegration: { body: { identifier: 'acct_1' } },
  listTagValues: { path: { key: 'topic' }, query: { type: 'conversation' } },
};
