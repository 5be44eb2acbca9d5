/**
 * For every bot-level chat operation, a request that succeeds with the right caller. An operation without one does not compile.
 */
import { randomUUID } from 'node:crypto';
import type * as botChatOperations from '#functions/botChat/index.ts';
import type { AdminClient } from '#test/support/platform.ts';

export type BotChatOperation = keyof typeof botChatOperations;

/** Behind `/v1/chat`. */
interface BotChatRequest {
  path: string;
  body?: unknown;
}

/** The scene of a request. */
interface Scene {
  botId: string;
  /** Creates the records that the request needs. */
  client: AdminClient;
}

const unique = () => randomUUID();
const conversation = async ({ client }: Scene) =>
  (await client.createConversation({ channel: 'channel', tags: { 'chat:id': unique() } })).conversation.id;
const user = async ({ client }: Scene) => (await client.createUser({ tags: { 'chat:id': unique() } })).user.id;
const message = async (scene: Scene) =>
  (
    await scene.client.createMessage({
      conversationId: await conversation(scene),
      userId: scene.botId,
      type: 'text',
      payload: { text: 't' },
      tags: {},
    })
  ).message.id;
const participant = async (scene: Scene) => {
  const [id, userId] = await Promise.all([conversation(scene), user(scene)]);
  await scene.client.addParticipant({ id, userId });
  return { id, userId };
};
/** Belongs to the integration, so that its key sees it. */
const event = async ({ client }: Scene, schedule?: { delay: number }) =>
  (await client.createEvent({ type: 'custom', payload: {}, ...(schedule ? { schedule } : {}) })).event.id;
const state = async (scene: Scene) => {
  const id = await conversation(scene);
  await scene.client.setState({ type: 'conversation', id, name: 's', payload: { a: 1 } });
  return `/states/conversation/${id}/s`;
};
const workflow = async ({ client }: Scene) =>
  (await client.createWorkflow({ name: 'w', status: 'pending' })).workflow.id;
const said = async (scene: Scene) => ({
  conversationId: await conversation(scene),
  userId: scene.botId,
  type: 'text',
  payload: { text: 't' },
});

export const BOT_CHAT_REQUESTS: Record<BotChatOperation, (scene: Scene) => Promise<BotChatRequest> | BotChatRequest> = {
  createConversation: () => ({ path: '/conversations', body: { channel: 'channel', tags: { id: unique() } } }),
  getConversation: async scene => ({ path: `/conversations/${await conversation(scene)}` }),
  listConversations: () => ({ path: '/conversations' }),
  getOrCreateConversation: () => ({
    path: '/conversations/get-or-create',
    body: { channel: 'channel', tags: { id: unique() } },
  }),
  updateConversation: async scene => ({
    path: `/conversations/${await conversation(scene)}`,
    body: { tags: { a: unique() } },
  }),
  deleteConversation: async scene => ({ path: `/conversations/${await conversation(scene)}` }),
  listParticipants: async scene => ({ path: `/conversations/${(await participant(scene)).id}/participants` }),
  addParticipant: async scene => ({
    path: `/conversations/${await conversation(scene)}/participants`,
    body: { userId: await user(scene) },
  }),
  getParticipant: async scene => {
    const { id, userId } = await participant(scene);
    return { path: `/conversations/${id}/participants/${userId}` };
  },
  removeParticipant: async scene => {
    const { id, userId } = await participant(scene);
    return { path: `/conversations/${id}/participants/${userId}` };
  },

  createEvent: () => ({ path: '/events', body: { type: 'custom', payload: {} } }),
  getEvent: async scene => ({ path: `/events/${await event(scene)}` }),
  listEvents: () => ({ path: '/events?type=custom' }),
  cancelScheduledEvent: async scene => ({ path: `/events/scheduled/${await event(scene, { delay: 3_600_000 })}` }),

  createMessage: async scene => ({ path: '/messages', body: { ...(await said(scene)), tags: {} } }),
  getOrCreateMessage: async scene => ({
    path: '/messages/get-or-create',
    body: { ...(await said(scene)), tags: { id: unique() } },
  }),
  getMessage: async scene => ({ path: `/messages/${await message(scene)}` }),
  updateMessage: async scene => ({ path: `/messages/${await message(scene)}`, body: { payload: { text: 'u' } } }),
  listMessages: async scene => ({ path: `/messages?conversationId=${await conversation(scene)}` }),
  deleteMessage: async scene => ({ path: `/messages/${await message(scene)}` }),
  initializeIncomingMessage: () => ({
    path: '/initialize-incoming-message',
    body: {
      user: { tags: { id: unique() }, discriminateByTags: ['id'] },
      conversation: { channel: 'channel', tags: { id: unique() }, discriminateByTags: ['id'] },
      message: { type: 'text', payload: { text: 't' }, tags: { id: unique() }, discriminateByTags: ['id'] },
    },
  }),
  importMessages: async scene => ({
    path: '/messages/import-messages',
    body: {
      messages: [{ ...(await said(scene)), tags: {}, discriminateByTags: [], createdAt: '2020-01-01T00:00:00Z' }],
    },
  }),

  createUser: () => ({ path: '/users', body: { tags: { id: unique() } } }),
  getUser: async scene => ({ path: `/users/${await user(scene)}` }),
  listUsers: () => ({ path: '/users' }),
  getOrCreateUser: () => ({ path: '/users/get-or-create', body: { tags: { id: unique() } } }),
  updateUser: async scene => ({ path: `/users/${await user(scene)}`, body: { name: 'Ada' } }),
  deleteUser: async scene => ({ path: `/users/${await user(scene)}` }),

  setStateExpiry: async scene => ({ path: `${await state(scene)}/expiry`, body: { expiry: 3_600_000 } }),
  getState: async scene => ({ path: await state(scene) }),
  setState: async scene => ({ path: await state(scene), body: { payload: { a: 2 } } }),
  getOrSetState: async scene => ({ path: `${await state(scene)}/get-or-set`, body: { payload: { a: 2 } } }),
  patchState: async scene => ({ path: await state(scene), body: { payload: { b: 2 } } }),

  callAction: () => ({ path: '/actions', body: { type: 'do', input: {} } }),
  createWorkflow: () => ({ path: '/workflows', body: { name: 'w', status: 'pending' } }),
  getWorkflow: async scene => ({ path: `/workflows/${await workflow(scene)}` }),
  updateWorkflow: async scene => ({ path: `/workflows/${await workflow(scene)}`, body: { status: 'completed' } }),
  deleteWorkflow: async scene => ({ path: `/workflows/${await workflow(scene)}` }),
  listWorkflows: () => ({ path: '/workflows' }),
  getOrCreateWorkflow: () => ({
    path: '/workflows/get-or-create',
    body: { name: 'w', status: 'pending', tags: { id: unique() } },
  }),
  listTagValues: () => ({ path: '/tags/id/values?type=user' }),
};
