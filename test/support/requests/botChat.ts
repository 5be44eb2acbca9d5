/**
 * A request for each operation of the botChat group that succeeds for an authorised caller. An operation without one
 * does not compile.
 */

import { randomUUID } from 'node:crypto';
import type * as botChatOperations from '#functions/botChat/index.ts';
import { clock } from '#shared/core/clock.ts';
import { newFailedMessage } from '#test/support/failedMessages.ts';
import { callChat } from '#test/support/handoffs.ts';
import { type AdminClient, call } from '#test/support/platform.ts';

export type BotChatOperation = keyof typeof botChatOperations;

/** The path is relative to `/v1/chat`. */
interface BotChatRequest {
  path: string;
  body?: unknown;
}

/** The target of a request. */
interface RequestScope {
  botId: string;
  /** Creates the records that the request needs. */
  client: AdminClient;
  /** A member with the role agent. */
  accountId?: string | undefined;
  /** Client of the caller, who may delete only their own notes. Default: `client`. */
  own?: AdminClient | undefined;
}

const unique = () => randomUUID();
const conversation = async ({ client }: RequestScope) =>
  (await client.createConversation({ channel: 'channel', tags: { 'chat:id': unique() } })).conversation.id;
const user = async ({ client }: RequestScope) => (await client.createUser({ tags: { 'chat:id': unique() } })).user.id;
const message = async (scope: RequestScope) =>
  (
    await scope.client.createMessage({
      conversationId: await conversation(scope),
      userId: scope.botId,
      type: 'text',
      payload: { text: 't' },
      tags: {},
    })
  ).message.id;
const participant = async (scope: RequestScope) => {
  const [id, userId] = await Promise.all([conversation(scope), user(scope)]);
  await scope.client.addParticipant({ id, userId });
  return { id, userId };
};
/** Creates an event as the caller, who can therefore read it. */
const event = async ({ client }: RequestScope, schedule?: { delay: number }) =>
  (await client.createEvent({ type: 'custom', payload: {}, ...(schedule ? { schedule } : {}) })).event.id;
const state = async (scope: RequestScope) => {
  const id = await conversation(scope);
  await scope.client.setState({ type: 'conversation', id, name: 's', payload: { a: 1 } });
  return `/states/conversation/${id}/s`;
};
const workflow = async ({ client }: RequestScope) =>
  (await client.createWorkflow({ name: 'w', status: 'pending' })).workflow.id;
const inAnHour = () => new Date(clock.now() + 3_600_000).toISOString();

const handoff = async (scope: RequestScope) => {
  const conversationId = await conversation(scope);
  const { body } = await callChat(scope.client, 'POST', '/handoffs', { conversationId });
  return body.handoff.id;
};
const note = async (scope: RequestScope): Promise<string> => {
  const client = scope.own ?? scope.client;
  const { body } = await callChat(client, 'POST', `/conversations/${await conversation(scope)}/notes`, { text: 't' });
  return body.note.id;
};
/** Creates a saved reply as a member, because bots have no access. */
const savedReply = async ({ own }: RequestScope): Promise<string> =>
  own ? (await callChat(own, 'POST', '/saved-replies', { name: 'n', text: 't' })).body.savedReply.id : 'none';
/** Creates a label as a member who may, because bots have no access. */
const label = async ({ own }: RequestScope): Promise<string> => {
  if (!own) return 'none';
  const { workspaces } = await own.listWorkspaces({});
  const headers = { ...(own.config.headers as Record<string, string>), 'x-workspace-id': workspaces[0]!.id };
  const body = { name: unique(), color: 'blue' };
  const answer = await call(`${own.config.apiUrl}/v1/chat/inbox/labels`, { method: 'POST', headers, body });
  return answer.body.label?.id ?? 'none';
};
/** Creates a handoff that is assigned to the member in `accountId`, who makes the request. */
const served = async (scope: RequestScope) => {
  const conversationId = await conversation(scope);
  const { accountId } = scope;
  const { body } = await callChat(scope.client, 'POST', '/handoffs', { conversationId, accountId });
  return { id: body.handoff.id as string, conversationId };
};
const said = async (scope: RequestScope) => ({
  conversationId: await conversation(scope),
  userId: scope.botId,
  type: 'text',
  payload: { text: 't' },
});

export const BOT_CHAT_REQUESTS: Record<
  BotChatOperation,
  (scope: RequestScope) => Promise<BotChatRequest> | BotChatRequest
> = {
  createConversation: () => ({ path: '/conversations', body: { channel: 'channel', tags: { id: unique() } } }),
  getConversation: async scope => ({ path: `/conversations/${await conversation(scope)}` }),
  listConversations: () => ({ path: '/conversations' }),
  getOrCreateConversation: () => ({
    path: '/conversations/get-or-create',
    body: { channel: 'channel', tags: { id: unique() } },
  }),
  updateConversation: async scope => ({
    path: `/conversations/${await conversation(scope)}`,
    body: { tags: { a: unique() } },
  }),
  deleteConversation: async scope => ({ path: `/conversations/${await conversation(scope)}` }),
  listParticipants: async scope => ({ path: `/conversations/${(await participant(scope)).id}/participants` }),
  addParticipant: async scope => ({
    path: `/conversations/${await conversation(scope)}/participants`,
    body: { userId: await user(scope) },
  }),
  getParticipant: async scope => {
    const { id, userId } = await participant(scope);
    return { path: `/conversations/${id}/participants/${userId}` };
  },
  removeParticipant: async scope => {
    const { id, userId } = await participant(scope);
    return { path: `/conversations/${id}/participants/${userId}` };
  },

  createEvent: () => ({ path: '/events', body: { type: 'custom', payload: {} } }),
  getEvent: async scope => ({ path: `/events/${await event(scope)}` }),
  listEvents: () => ({ path: '/events?type=custom' }),
  cancelScheduledEvent: async scope => ({ path: `/events/scheduled/${await event(scope, { delay: 3_600_000 })}` }),

  createMessage: async scope => ({ path: '/messages', body: { ...(await said(scope)), tags: {} } }),
  getOrCreateMessage: async scope => ({
    path: '/messages/get-or-create',
    body: { ...(await said(scope)), tags: { id: unique() } },
  }),
  getMessage: async scope => ({ path: `/messages/${await message(scope)}` }),
  updateMessage: async scope => ({ path: `/messages/${await message(scope)}`, body: { payload: { text: 'u' } } }),
  listMessages: async scope => ({ path: `/messages?conversationId=${await conversation(scope)}` }),
  deleteMessage: async scope => ({ path: `/messages/${await message(scope)}` }),
  retryMessage: async scope => {
    const conversationId = await conversation(scope);
    return {
      path: `/messages/${await newFailedMessage(scope.botId, conversationId, await user(scope))}/retry`,
      body: {},
    };
  },
  initializeIncomingMessage: () => ({
    path: '/initialize-incoming-message',
    body: {
      user: { tags: { id: unique() }, discriminateByTags: ['id'] },
      conversation: { channel: 'channel', tags: { id: unique() }, discriminateByTags: ['id'] },
      message: { type: 'text', payload: { text: 't' }, tags: { id: unique() }, discriminateByTags: ['id'] },
    },
  }),
  importMessages: async scope => ({
    path: '/messages/import-messages',
    body: {
      messages: [{ ...(await said(scope)), tags: {}, discriminateByTags: [], createdAt: '2020-01-01T00:00:00Z' }],
    },
  }),

  createUser: () => ({ path: '/users', body: { tags: { id: unique() } } }),
  getUser: async scope => ({ path: `/users/${await user(scope)}` }),
  listUsers: () => ({ path: '/users' }),
  getOrCreateUser: () => ({ path: '/users/get-or-create', body: { tags: { id: unique() } } }),
  updateUser: async scope => ({ path: `/users/${await user(scope)}`, body: { name: 'Ada' } }),
  eraseUser: async scope => ({ path: `/users/${await user(scope)}/erase`, body: {} }),
  deleteUser: async scope => ({ path: `/users/${await user(scope)}` }),

  setStateExpiry: async scope => ({ path: `${await state(scope)}/expiry`, body: { expiry: 3_600_000 } }),
  getState: async scope => ({ path: await state(scope) }),
  setState: async scope => ({ path: await state(scope), body: { payload: { a: 2 } } }),
  getOrSetState: async scope => ({ path: `${await state(scope)}/get-or-set`, body: { payload: { a: 2 } } }),
  patchState: async scope => ({ path: await state(scope), body: { payload: { b: 2 } } }),

  configureIntegration: () => ({ path: '/integrations/configure', body: {} }),
  callAction: () => ({ path: '/actions', body: { type: 'do', input: {} } }),
  createWorkflow: () => ({ path: '/workflows', body: { name: 'w', status: 'pending' } }),
  getWorkflow: async scope => ({ path: `/workflows/${await workflow(scope)}` }),
  updateWorkflow: async scope => ({ path: `/workflows/${await workflow(scope)}`, body: { status: 'completed' } }),
  deleteWorkflow: async scope => ({ path: `/workflows/${await workflow(scope)}` }),
  listWorkflows: () => ({ path: '/workflows' }),
  getOrCreateWorkflow: () => ({
    path: '/workflows/get-or-create',
    body: { name: 'w', status: 'pending', tags: { id: unique() } },
  }),
  startHandoff: async scope => ({ path: '/handoffs', body: { conversationId: await conversation(scope) } }),
  assignHandoff: async scope => ({
    path: `/handoffs/${await handoff(scope)}/assign`,
    body: { accountId: scope.accountId ?? null },
  }),
  endHandoff: async scope => ({ path: `/handoffs/${await handoff(scope)}/end`, body: {} }),
  snoozeHandoff: async scope => ({ path: `/handoffs/${await handoff(scope)}/snooze`, body: { until: inAnHour() } }),
  setHandoffPriority: async scope => ({
    path: `/handoffs/${await handoff(scope)}/priority`,
    body: { priority: 'high' },
  }),
  getHandoff: async scope => ({ path: `/handoffs/${await handoff(scope)}` }),
  replyInHandoff: async scope => ({
    path: `/handoffs/${(await served(scope)).id}/messages`,
    body: { type: 'text', payload: { text: 't' } },
  }),
  createFileInHandoff: async scope => ({
    path: `/handoffs/${(await served(scope)).id}/files`,
    body: { key: `${unique()}.txt`, size: 1 },
  }),
  showTypingInHandoff: async scope => ({ path: `/handoffs/${(await served(scope)).id}/typing`, body: {} }),
  markHandoffRead: async scope => {
    const { id, conversationId } = await served(scope);
    const { message } = await scope.client.createMessage({
      ...{ conversationId, userId: scope.botId, type: 'text', tags: {} },
      payload: { text: 't' },
    });
    return { path: `/handoffs/${id}/read`, body: { messageId: message.id } };
  },
  createNote: async scope => ({ path: `/conversations/${await conversation(scope)}/notes`, body: { text: 't' } }),
  listPendingDeliveries: async scope => ({
    path: `/conversations/${await conversation(scope)}/pending-deliveries`,
  }),
  listNotes: async scope => ({ path: `/conversations/${await conversation(scope)}/notes` }),
  deleteNote: async scope => ({ path: `/notes/${await note(scope)}` }),
  createSavedReply: () => ({ path: '/saved-replies', body: { name: 'n', text: 't' } }),
  listSavedReplies: () => ({ path: '/saved-replies' }),
  updateSavedReply: async scope => ({ path: `/saved-replies/${await savedReply(scope)}`, body: { text: 'u' } }),
  deleteSavedReply: async scope => ({ path: `/saved-replies/${await savedReply(scope)}` }),
  countHandoffs: () => ({ path: '/handoff-counts' }),
  listHandoffs: () => ({ path: '/handoffs?status=waiting' }),

  listStates: () => ({ path: '/states?type=bot' }),
  listTagValues: () => ({ path: '/tags/id/values?type=user' }),
  listInboxHandoffs: ({ botId }) => ({ path: `/inbox/handoffs?status=waiting&botIds=${botId}` }),
  countInboxHandoffs: ({ botId }) => ({ path: `/inbox/handoff-counts?botIds=${botId}` }),
  listMentions: () => ({ path: '/inbox/mentions' }),
  markMentionsRead: async scope => ({ path: '/inbox/mentions/read', body: { noteIds: [await note(scope)] } }),
  searchInbox: ({ botId }) => ({ path: `/inbox/search?query=ada&botIds=${botId}` }),
  searchInboxMessages: ({ botId }) => ({ path: `/inbox/search/messages?query=hello&botIds=${botId}` }),
  getInboxReport: ({ botId }) => ({ path: `/inbox/report?botIds=${botId}&from=2026-01-01&to=2026-01-31` }),
  listInboxAgents: () => ({ path: '/inbox/agents' }),
  setInboxAvailability: () => ({ path: '/inbox/availability', body: { availability: 'online' } }),
  getInboxSettings: () => ({ path: '/inbox/settings' }),
  updateInboxSettings: () => ({ path: '/inbox/settings', body: { assignment: 'manual' } }),
  updateUserContact: async scope => ({ path: `/users/${await user(scope)}/contact`, body: { company: 'Acme' } }),
  updateConversationLabels: async scope => ({
    path: `/conversations/${await conversation(scope)}/labels`,
    body: { remove: ['label_unknown'] },
  }),
  listInboxLabels: () => ({ path: '/inbox/labels' }),
  createInboxLabel: () => ({ path: '/inbox/labels', body: { name: unique(), color: 'blue' } }),
  updateInboxLabel: async scope => ({ path: `/inbox/labels/${await label(scope)}`, body: { color: 'red' } }),
  deleteInboxLabel: async scope => ({ path: `/inbox/labels/${await label(scope)}` }),
  getPresence: async scope => ({ path: `/conversations/${await conversation(scope)}/presence` }),
  showPresence: async scope => ({
    path: `/conversations/${await conversation(scope)}/presence`,
    body: { state: 'viewing' },
  }),
  trackAnalytics: () => ({ path: '/analytics', body: { name: 'order placed', count: 1 } }),
};
