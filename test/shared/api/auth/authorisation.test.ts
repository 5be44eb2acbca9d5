/**
 * Authorisation matrix of the chat API: every operation × every kind of caller. The operation's rule determines the
 * expected status. An operation without a rule or a request does not compile.
 */
import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { chatApi } from '#infra/gateway/apis.ts';
import { issueUserKey } from '#shared/api/chat/userKey.ts';
import type { ChatOperation } from '#shared/api/operations/chat.ts';
import { clock } from '#shared/core/clock.ts';
import { putClosedHandoff } from '#test/support/handoffs.ts';
import { call, install, isLeftOut, newUser, type RawAnswer, useSharedPlatform } from '#test/support/platform.ts';
import { CHAT_REQUESTS, type ChatOperationName, type ChatRecords } from '#test/support/requests/chat.ts';

useSharedPlatform();

const CALLERS = [
  'no key',
  'garbage key',
  'expired key',
  'key of another webhook',
  'non-participant',
  'participant',
  'owner',
] as const;
type Caller = (typeof CALLERS)[number];
type Rule = ChatOperation['access']['who'];

const UNKNOWN: Record<'no key' | 'garbage key' | 'expired key' | 'key of another webhook', 401> = {
  'no key': 401,
  'garbage key': 401,
  'expired key': 401,
  'key of another webhook': 401,
};

/** Expected status by rule and caller. The participant owns the records: "self" is the participant, also as author. */
const EXPECTED: Record<Rule, Record<Caller, 'success' | 401 | 403>> = {
  anyone: {
    'no key': 'success',
    'garbage key': 'success',
    'expired key': 'success',
    'key of another webhook': 'success',
    'non-participant': 'success',
    participant: 'success',
    owner: 'success',
  },
  guest: {
    'no key': 'success',
    'garbage key': 401,
    'expired key': 401,
    'key of another webhook': 401,
    'non-participant': 'success',
    participant: 'success',
    owner: 'success',
  },
  // A user key is not an admin secret.
  admin: { ...UNKNOWN, 'non-participant': 401, participant: 401, owner: 401 },
  user: { ...UNKNOWN, 'non-participant': 'success', participant: 'success', owner: 'success' },
  participant: { ...UNKNOWN, 'non-participant': 403, participant: 'success', owner: 'success' },
  owner: { ...UNKNOWN, 'non-participant': 403, participant: 403, owner: 'success' },
  ownerOrSelf: { ...UNKNOWN, 'non-participant': 403, participant: 'success', owner: 'success' },
  author: { ...UNKNOWN, 'non-participant': 403, participant: 'success', owner: 403 },
};

const generationOf = (key: string): string =>
  JSON.parse(Buffer.from(key.split('.')[1]!, 'base64url').toString()).generation;

/** Opens a stream, which would last minutes, and closes it. */
async function begin(url: string, key: string | undefined): Promise<Pick<RawAnswer, 'status' | 'body'>> {
  const response = await fetch(url, { headers: key === undefined ? {} : { 'x-user-key': key } });
  if (!response.ok) return { status: response.status, body: await response.json() };
  await response.body!.cancel();
  return { status: response.status, body: undefined };
}

async function setUp() {
  const [installation, elsewhere] = await Promise.all([install(), install()]);
  const [owner, participant, stranger, bystander] = await Promise.all([1, 2, 3, 4].map(() => newUser(installation)));
  const { conversation } = await owner!.client.createConversation({});
  const conversationId = conversation.id;
  await owner!.client.addParticipant({ conversationId, userId: participant!.user.id });
  const { message } = await participant!.client.createMessage({ conversationId, payload: { type: 'text', text: 't' } });
  const { event } = await participant!.client.createEvent({ conversationId, payload: {} });
  await putClosedHandoff(installation.botId, conversationId);
  const keys: Record<Caller, string | undefined> = {
    'no key': undefined,
    'garbage key': 'garbage',
    // The participant's key from `generateUserKey`.
    'expired key': issueUserKey(installation, {
      id: participant!.user.id,
      generation: generationOf(participant!.key),
      expiresAtMs: clock.now() - 1_000,
    }),
    // A valid key of the participant for another webhook.
    'key of another webhook': elsewhere.keyOf(participant!.user.id),
    'non-participant': stranger!.key,
    participant: participant!.key,
    owner: owner!.key,
  };
  const records: ChatRecords = {
    conversation: conversationId,
    participant: participant!.user.id,
    bystander: bystander!.user.id,
    message: message.id,
    event: event.id,
  };
  return { installation, keys, records };
}

/** Reads and rejected requests have no effect, so they share records. */
let unchanged: ReturnType<typeof setUp> | undefined;
const setUpOnce = () => {
  unchanged ??= setUp();
  return unchanged;
};

const operations = chatApi.operations as readonly ChatOperation[];

describe.each(operations.map(operation => ({ operation, name: operation.name })))('$name', ({ operation }) => {
  it.skipIf(operation.streams && isLeftOut('stream')).each(CALLERS)('applies its access rule to %s', async caller => {
    const expected = EXPECTED[operation.access.who][caller];
    const changes = expected === 'success' && operation.method !== 'GET';
    const { installation, keys, records } = await (changes ? setUp() : setUpOnce());
    const { path, body } = CHAT_REQUESTS[operation.name as ChatOperationName](records);

    const answer = operation.streams
      ? await begin(installation.chatUrl + path, keys[caller])
      : await call(installation.chatUrl + path, { method: operation.method, key: keys[caller], body });

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
    // The installation's owner signs the keys.
    const installation = await install({ isPersonalKey: true });
    await call(`${installation.chatUrl}/users/get-or-create`, {
      method: 'POST',
      key: installation.keyOf('ada'),
      body: {},
    });
    const key = await make(new TextEncoder().encode(installation.encryptionKey));
    const { status, body } = await call(`${installation.chatUrl}/users/me`, { key });
    return { status, type: body.type, message: body.message };
  };
  const refused = { status: 401, type: 'Unauthorized', message: 'The user key is invalid. Request a new one.' };
  const jwt = (header: object, claims: object) =>
    `${[header, claims].map(part => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')}.`;
  const sign =
    (claims: Record<string, unknown>, alg = 'HS256') =>
    (secret: Uint8Array) =>
      new SignJWT(claims)
        .setProtectedHeader({ alg })
        .sign(alg === 'HS256' ? secret : new Uint8Array([...secret, ...secret]));

  it('is accepted when signed with the encryption key', async () => {
    expect((await ask(sign({ id: 'ada' }))).status).toBe(200);
  });

  it('is accepted before its expiry and rejected after it', async () => {
    const now = Math.floor(clock.now() / 1000);

    expect((await ask(sign({ id: 'ada', exp: now + 60 }))).status).toBe(200);
    expect(await ask(sign({ id: 'ada', exp: now - 1 }))).toEqual(refused);
  });

  it.skipIf(isLeftOut('clock'))('is rejected from the second it expires, even if it was accepted before', async () => {
    const installation = await install({ isPersonalKey: true });
    const expired = Math.floor(clock.now() / 1000) + 60;
    const key = await sign({ id: 'ada', exp: expired })(new TextEncoder().encode(installation.encryptionKey));
    const status = async () => (await call(`${installation.chatUrl}/conversations`, { key })).status;

    expect(await status()).toBe(200);
    clock.advance(expired * 1000 - clock.now());

    expect(await status()).toBe(401);
  });

  it.each([
    ['with alg none', () => jwt({ alg: 'none' }, { id: 'ada' })],
    ['with another algorithm', sign({ id: 'ada' }, 'HS512')],
    ['with a wrong key', () => sign({ id: 'ada' })(new TextEncoder().encode('x'.repeat(32)))],
    [
      'without a signature',
      async (secret: Uint8Array) => `${(await sign({ id: 'ada' })(secret)).split('.').slice(0, 2).join('.')}.`,
    ],
    ['without an id', sign({})],
    ['with a number for an id', sign({ id: 1 })],
    ['with an object for an id', sign({ id: { $ne: '' } })],
    ['with an empty id', sign({ id: '' })],
    ['that is not a JWT', () => 'a.b.c'],
    ['that is a single dot', () => '.'],
  ])('is rejected %s', async (_, make) => {
    expect(await ask(make)).toEqual(refused);
  });
});
