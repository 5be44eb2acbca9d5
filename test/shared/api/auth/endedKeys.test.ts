/** Tests that a key of `createUser` ends with its user, even if the id is created again. */
import * as jws from 'jws';
import { describe, expect, it } from 'vitest';
import { chatApi } from '#infra/gateway/apis.ts';
import type { ChatOperation } from '#shared/api/operations/chat.ts';
import { clock } from '#shared/core/clock.ts';
import { call, chat, install, isLeftOut, newBot, newUser, useSharedPlatform } from '#test/support/platform.ts';
import { CHAT_REQUESTS, type ChatOperationName } from '#test/support/requests/chat.ts';

useSharedPlatform();

/** Creates another user with the id of the deleted user Ada. */
async function takenId() {
  const installation = await install();
  const former = await newUser(installation, { id: 'ada' });
  await former.client.deleteUser({});
  const present = await newUser(installation, { id: 'ada', name: 'Another Ada' });
  const friend = await newUser(installation);
  const { conversation } = await present.client.createConversation({ id: 'secrets' });
  await present.client.addParticipant({ conversationId: conversation.id, userId: friend.user.id });
  const { message } = await present.client.createMessage({
    conversationId: conversation.id,
    payload: { type: 'text', text: 'for my friend only' },
  });
  const { event } = await present.client.createEvent({ conversationId: conversation.id, payload: {} });
  const records = {
    conversation: conversation.id,
    participant: friend.user.id,
    bystander: friend.user.id,
    message: message.id,
    event: event.id,
  };
  return { installation, former, present, records };
}

const operations = (chatApi.operations as readonly ChatOperation[]).filter(({ access }) => access.who !== 'anyone');

describe('the key of a deleted user whose id was created again', () => {
  it.skipIf(isLeftOut('stream')).each(operations.map(operation => [operation.name, operation] as const))(
    'gives no access to the new user: %s',
    async (name, operation) => {
      const { installation, former, present, records } = await takenId();
      const { path, body } = CHAT_REQUESTS[name as ChatOperationName](records);

      const answer = await call(installation.chatUrl + path, { method: operation.method, key: former.key, body });

      if (name === 'listConversations') {
        expect(answer).toMatchObject({ status: 200, body: { conversations: [] } });
      } else {
        expect([401, 403, 404]).toContain(answer.status);
      }
      expect((await present.client.getUser({})).user).toEqual(present.user);
      expect((await present.client.listMessages({ conversationId: 'secrets' })).messages).toHaveLength(1);
    },
  );

  it('does not grant access to a conversation through get-or-create', async () => {
    const { installation, former } = await takenId();

    const { status, body } = await call(`${installation.chatUrl}/conversations/get-or-create`, {
      method: 'POST',
      key: former.key,
      body: { id: 'secrets' },
    });

    expect({ status, type: body.type }).toEqual({ status: 404, type: 'ResourceNotFound' });
  });

  it('returns 401 from getOrCreateUser with instructions for a new key', async () => {
    const { installation, former } = await takenId();

    const { status, body } = await call(`${installation.chatUrl}/users/get-or-create`, {
      method: 'POST',
      key: former.key,
      body: { name: 'Mine again' },
    });

    expect({ status, message: body.message }).toEqual({
      status: 401,
      message: 'The user of this key was deleted. Create a user to get a new key.',
    });
  });

  it('does not replay responses of the new user', async () => {
    const { installation, former, present } = await takenId();
    const post = (key: string) =>
      call(`${installation.chatUrl}/conversations/get-or-create`, {
        method: 'POST',
        key,
        body: { id: 'secrets' },
        headers: { 'idempotency-key': 'once' },
      });

    const theirs = await post(present.key);
    const mine = await post(former.key);

    expect([theirs.status, mine.status]).toEqual([200, 404]);
  });

  it('expires when the bot deletes the user, too', async () => {
    const bot = await newBot();
    const former = await newUser(bot, { id: 'ada' });
    const { users } = await bot.client.listUsers({ tags: { 'chat:fid': 'ada' } });
    await bot.client.deleteUser({ id: users[0]!.id });
    const present = await newUser(bot, { id: 'ada' });
    await present.client.createConversation({ id: 'secrets' });

    await expect(former.client.getUser({})).rejects.toThrow(chat.ResourceNotFoundError);
    await expect(former.client.listMessages({ conversationId: 'secrets' })).rejects.toThrow(chat.ForbiddenError);
  });
});

describe('a new user of an id', () => {
  it.skipIf(isLeftOut('clock'))('cannot delete the messages of the previous user', async () => {
    const installation = await install();
    const owner = await newUser(installation);
    const former = await newUser(installation, { id: 'ada' });
    const { conversation } = await owner.client.createConversation({});
    await owner.client.addParticipant({ conversationId: conversation.id, userId: 'ada' });
    const { message } = await former.client.createMessage({
      conversationId: conversation.id,
      payload: { type: 'text', text: 'mine' },
    });
    await former.client.deleteUser({});
    // The platform tolerates two seconds of clock skew.
    clock.advance(3_000);
    const present = await newUser(installation, { id: 'ada' });
    await owner.client.addParticipant({ conversationId: conversation.id, userId: 'ada' });

    await expect(present.client.deleteMessage({ id: message.id })).rejects.toThrow(chat.ForbiddenError);
    expect((await owner.client.getMessage({ id: message.id })).message).toEqual(message);
  });
});

describe('a user key without a generation', () => {
  it('returns 401 if Parley issues the keys', async () => {
    const { encryptionKey, chatUrl } = await install();
    const { signUserKey } = await import('#shared/api/chat/userKey.ts');

    const { status, body } = await call(`${chatUrl}/users/get-or-create`, {
      method: 'POST',
      key: signUserKey({ encryptionKey }, { id: 'ada' }),
      body: {},
    });

    expect({ status, message: body.message }).toEqual({
      status: 401,
      message: 'The user key is invalid. Request a new one.',
    });
  });

  it.each([
    ['an unknown extension', { crit: ['exp'] }],
    ['an empty list of extensions', { crit: [] }],
    ['an unencoded payload', { crit: ['b64'], b64: true }],
  ])('returns 401 if its header requires %s', async (_, extension) => {
    const { encryptionKey, chatUrl } = await install({ isPersonalKey: true });
    const sign = (header: object) =>
      jws.sign({ header: { alg: 'HS256', typ: 'JWT', ...header }, payload: { id: 'ada' }, secret: encryptionKey });
    const connect = (key: string) => call(`${chatUrl}/users/get-or-create`, { method: 'POST', key, body: {} });

    const answers = [await connect(sign({})), await connect(sign(extension))];

    expect(answers.map(({ status }) => status)).toEqual([201, 401]);
  });

  it("returns 400 for an id in the platform's form, so it cannot be a member or a guest", async () => {
    const { encryptionKey, chatUrl } = await install({ isPersonalKey: true, isSignUpOpen: true });
    const { signUserKey } = await import('#shared/api/chat/userKey.ts');
    const { user } = await newUser({ chatUrl });

    const answers = await Promise.all(
      [user.id, `user_${'0'.repeat(24)}`].map(id => {
        const key = signUserKey({ encryptionKey }, { id });
        return call(`${chatUrl}/users/get-or-create`, { method: 'POST', key, body: {} });
      }),
    );

    expect(answers.map(({ status, body }) => [status, body.type])).toEqual([
      [400, 'InvalidPayload'],
      [400, 'InvalidPayload'],
    ]);
  });

  it("stays valid for its id if the bot's owner signs the keys", async () => {
    const { encryptionKey, chatUrl } = await install({ isPersonalKey: true });
    const { signUserKey } = await import('#shared/api/chat/userKey.ts');
    const key = signUserKey({ encryptionKey }, { id: 'ada' });
    const connect = () => chat.Client.connect({ apiUrl: chatUrl, userKey: key });
    await (await connect()).deleteUser({});

    const ada = await connect();
    const { conversation } = await ada.createConversation({});

    expect((await ada.listConversations({})).conversations).toEqual([conversation]);
  });
});
