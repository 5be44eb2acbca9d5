/**
 * Who may call what, generated: every operation × every kind of caller, expected from the operation's declared rule. An
 * operation without a request here does not compile; one without a rule does not either.
 */
import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import type * as chatOperations from '#functions/chat/index.ts';
import { chatApi } from '#infra/gateway/apis.ts';
import type { ChatOperation } from '#shared/api/chat/operation.ts';
import { call, install, isLeftOut, newUser, type RawAnswer, usePlatform } from '#test/support/platform.ts';

usePlatform();

const CALLERS = ['no key', 'garbage key', 'key of another webhook', 'non-participant', 'participant', 'owner'] as const;
type Caller = (typeof CALLERS)[number];
type Rule = ChatOperation['access']['who'];

const UNKNOWN: Record<'no key' | 'garbage key' | 'key of another webhook', 401> = {
  'no key': 401,
  'garbage key': 401,
  'key of another webhook': 401,
};

/** What each rule lets through. The records of the scene below are the participant's: he is "self" and the author. */
const EXPECTED: Record<Rule, Record<Caller, 'success' | 401 | 403>> = {
  anyone: {
    'no key': 'success',
    'garbage key': 'success',
    'key of another webhook': 'success',
    'non-participant': 'success',
    participant: 'success',
    owner: 'success',
  },
  user: { ...UNKNOWN, 'non-participant': 'success', participant: 'success', owner: 'success' },
  participant: { ...UNKNOWN, 'non-participant': 403, participant: 'success', owner: 'success' },
  owner: { ...UNKNOWN, 'non-participant': 403, participant: 403, owner: 'success' },
  ownerOrSelf: { ...UNKNOWN, 'non-participant': 403, participant: 'success', owner: 'success' },
  author: { ...UNKNOWN, 'non-participant': 403, participant: 'success', owner: 403 },
};

interface Scene {
  conversation: string;
  participant: string;
  bystander: string;
  message: string;
  event: string;
}

/** A request that would succeed, but for the caller. */
const REQUESTS: Record<keyof typeof chatOperations, (scene: Scene) => { path: string; body?: unknown }> = {
  hello: () => ({ path: '/hello' }),
  createUser: () => ({ path: '/users', body: {} }),
  getOrCreateUser: () => ({ path: '/users/get-or-create', body: {} }),
  getUser: () => ({ path: '/users/me' }),
  updateUser: () => ({ path: '/users/me', body: { name: 'n' } }),
  deleteUser: () => ({ path: '/users/me' }),
  createConversation: () => ({ path: '/conversations', body: {} }),
  getOrCreateConversation: () => ({ path: '/conversations/get-or-create', body: { id: 'new' } }),
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
  listenConversation: ({ conversation }) => ({ path: `/conversations/${conversation}/listen` }),
  showTyping: ({ conversation }) => ({ path: `/conversations/${conversation}/typing`, body: {} }),
  markRead: ({ conversation, message }) => ({
    path: `/conversations/${conversation}/read`,
    body: { messageId: message },
  }),
};

/** The beginning of a stream is enough, and its end is minutes away. */
async function begin(url: string, key: string | undefined): Promise<Pick<RawAnswer, 'status' | 'body'>> {
  const response = await fetch(url, { headers: key === undefined ? {} : { 'x-user-key': key } });
  if (!response.ok) return { status: response.status, body: await response.json() };
  await response.body!.cancel();
  return { status: response.status, body: undefined };
}

async function stage() {
  const [installation, elsewhere] = await Promise.all([install(), install()]);
  const [owner, participant, stranger, bystander] = await Promise.all([1, 2, 3, 4].map(() => newUser(installation)));
  const { conversation } = await owner!.client.createConversation({});
  const conversationId = conversation.id;
  await owner!.client.addParticipant({ conversationId, userId: participant!.user.id });
  const { message } = await participant!.client.createMessage({ conversationId, payload: { type: 'text', text: 't' } });
  const { event } = await participant!.client.createEvent({ conversationId, payload: {} });
  const keys: Record<Caller, string | undefined> = {
    'no key': undefined,
    'garbage key': 'garbage',
    // Names the participant, and is well made, but for elsewhere.
    'key of another webhook': elsewhere.keyOf(participant!.user.id),
    'non-participant': stranger!.key,
    participant: participant!.key,
    owner: owner!.key,
  };
  const scene: Scene = {
    conversation: conversationId,
    participant: participant!.user.id,
    bystander: bystander!.user.id,
    message: message.id,
    event: event.id,
  };
  return { installation, keys, scene };
}

const operations = chatApi.operations as readonly ChatOperation[];

describe.each(operations.map(operation => ({ operation, name: operation.name })))('$name', ({ operation }) => {
  it.skipIf(operation.streams && isLeftOut('stream')).each(CALLERS)('%s', async caller => {
    const { installation, keys, scene } = await stage();
    const { path, body } = REQUESTS[operation.name as keyof typeof REQUESTS](scene);

    const answer = operation.streams
      ? await begin(installation.chatUrl + path, keys[caller])
      : await call(installation.chatUrl + path, { method: operation.method, key: keys[caller], body });

    const expected = EXPECTED[operation.access.who][caller];
    if (expected === 'success') {
      expect(operation.statuses).toContain(answer.status);
    } else {
      expect({ status: answer.status, type: answer.body.type }).toEqual({
        status: expected,
        type: expected === 401 ? 'Unauthorized' : 'Forbidden',
      });
    }
  });
});

describe('a user key', () => {
  const ask = async (
    make: (secret: Uint8Array) => Promise<string> | string,
  ): Promise<{ status: number; type?: string; message?: string }> => {
    const installation = await install();
    await newUser(installation, { id: 'ada' });
    const key = await make(new TextEncoder().encode(installation.encryptionKey));
    const { status, body } = await call(`${installation.chatUrl}/users/me`, { key });
    return { status, type: body.type, message: body.message };
  };
  const refused = { status: 401, type: 'Unauthorized', message: 'Invalid user key.' };
  const jwt = (header: object, claims: object) =>
    `${[header, claims].map(part => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`;
  const sign =
    (claims: Record<string, unknown>, alg = 'HS256') =>
    (secret: Uint8Array) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg })
        .sign(alg === 'HS256' ? secret : new Uint8Array([...secret, ...secret]));

  it('signed by the owner of the integration is taken', async () => {
    expect((await ask(sign({ id: 'ada' }))).status).toBe(200);
  });

  it('that has not expired is taken, one that has is not', async () => {
    const now = Math.floor(Date.now() / 1000);

    expect((await ask(sign({ id: 'ada', exp: now + 60 }))).status).toBe(200);
    expect(await ask(sign({ id: 'ada', exp: now - 1 }))).toEqual(refused);
  });

  it('that was taken is refused from the second it expires', async () => {
    const installation = await install();
    const expired = Math.floor(Date.now() / 1000) + 2;
    const key = await sign({ id: 'ada', exp: expired })(new TextEncoder().encode(installation.encryptionKey));
    const status = async () => (await call(`${installation.chatUrl}/conversations`, { key })).status;

    expect(await status()).toBe(200);
    await new Promise(resolve => setTimeout(resolve, expired * 1000 - Date.now() + 50));

    expect(await status()).toBe(401);
  });

  it.each([
    ['of alg none', () => jwt({ alg: 'none' }, { id: 'ada' })],
    ['of another algorithm', sign({ id: 'ada' }, 'HS512')],
    ['with a wrong key', () => sign({ id: 'ada' })(new TextEncoder().encode('x'.repeat(32)))],
    [
      'without a signature',
      async (secret: Uint8Array) => `${(await sign({ id: 'ada' })(secret)).split('.').slice(0, 2).join('.')}.`,
    ],
    ['without an id', sign({})],
    ['with a number for an id', sign({ id: 1 })],
    ['with an object for an id', sign({ id: { $ne: '' } })],
    ['with an empty id', sign({ id: '' })],
    ['that is no JWT', () => 'a.b.c'],
    ['that is one dot', () => '.'],
  ])('%s is refused', async (_, make) => {
    expect(await ask(make)).toEqual(refused);
  });
});
