/** Tests listening to a conversation over WebSocket. Rights that end are in `test/functions/socket/rights.test.ts`. */
import { describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { PING_SECONDS } from '#shared/storage/dynamodb/connections/pingLoops.ts';
import { call, hasten, install, newUser, settled, useSharedPlatform } from '#test/support/platform.ts';
import { listenOfficial, listenOwn, type Refused } from '#test/support/sockets.ts';

useSharedPlatform();

const LONGER_THAN_LOOK_BACK_MS = 60_000;

async function newChat() {
  const installation = await install();
  const { client, key, user } = await newUser(installation);
  const { conversation } = await client.createConversation({});
  const say = (text: string) =>
    client.createMessage({ conversationId: conversation.id, payload: { type: 'text', text } });
  return { ...installation, installation, client, key, user, conversationId: conversation.id, say };
}

const textsOf = (frames: readonly { type: string; data?: { payload?: { text?: string } } }[]) =>
  frames.flatMap(({ type, data }) => (type === 'message_created' ? (data?.payload?.text ?? []) : []));

describe.each([
  ['own', listenOwn],
  ['official', listenOfficial],
])('a connection of the %s client', (_, listen) => {
  it('receives messages in order', async () => {
    const chat = await newChat();
    const listener = await listen(chat);

    for (const text of ['one', 'two', 'three']) await chat.say(text);

    await expect.poll(() => textsOf(listener.frames)).toEqual(['one', 'two', 'three']);
    listener.close();
  });

  it('receives typing of others', async () => {
    const chat = await newChat();
    const other = await newUser(chat.installation);
    await chat.client.addParticipant({ conversationId: chat.conversationId, userId: other.user.id });
    const listener = await listen(chat);

    await call(`${chat.chatUrl}/conversations/${chat.conversationId}/typing`, {
      method: 'POST',
      key: other.key,
      body: { isTyping: true },
    });

    expect((await listener.untilType('typing')).data).toMatchObject({ userId: other.user.id, isTyping: true });
    listener.close();
  });

  it.each([
    ['401 for an invalid key', { key: 'wrong' }, 401],
    ['404 for an unknown conversation', { conversationId: 'convo_0000000000000000000000' }, 404],
  ])('is refused with %s', async (_case, changes, status) => {
    const chat = await newChat();

    const refused: Refused = await listen({ ...chat, ...changes }).catch(error => error);

    expect(refused.status).toBe(status);
  });

  it('is refused with 403 to other participants of the bot', async () => {
    const chat = await newChat();
    const stranger = await newUser(chat.installation);

    const refused: Refused = await listen({ ...chat, key: stranger.key }).catch(error => error);

    expect(refused.status).toBe(403);
  });

  it('is refused with 403 to pages of other origins', async () => {
    const installation = await install({ allowedOrigins: ['https://shop.example.com'] });
    const { client, key } = await newUser(installation);
    const { conversation } = await client.createConversation({});
    const chat = { ...installation, key, conversationId: conversation.id };

    const refused: Refused = await listen({ ...chat, origin: 'https://evil.example.com' }).catch(error => error);
    const listener = await listen({ ...chat, origin: 'https://shop.example.com' });

    expect(refused.status).toBe(403);
    listener.close();
  });
});

describe('connections that need pings', () => {
  it('share one loop of the bot', async () => {
    const installation = await install();
    const users = await Promise.all([newUser(installation), newUser(installation)]);

    const listeners = await Promise.all(
      users.map(async ({ client, key }) => {
        const { conversation } = await client.createConversation({});
        return listenOfficial({ ...installation, key, conversationId: conversation.id });
      }),
    );
    clock.advance(PING_SECONDS * 1000);
    hasten();

    await expect.poll(() => listeners.map(({ texts }) => texts)).toEqual([['ping'], ['ping']]);
    for (const listener of listeners) listener.close();
  });
});

describe('resumption', () => {
  it('receives what it missed, then what follows, in order', async () => {
    const chat = await newChat();
    const first = await listenOwn(chat);
    await chat.say('one');
    const { id } = await first.untilType('message_created');
    first.close();
    await first.closed;
    await chat.say('two');

    const second = await listenOwn({ ...chat, after: id! });
    await chat.say('three');

    await expect.poll(() => textsOf(second.frames)).toEqual(['one', 'two', 'three']);
    second.close();
  });

  it('receives everything after the first position', async () => {
    const chat = await newChat();
    await chat.say('one');
    await settled();
    clock.advance(LONGER_THAN_LOOK_BACK_MS);

    const listener = await listenOwn({ ...chat, after: '0000000000' });

    expect(textsOf(listener.frames)).toEqual(['one']);
    listener.close();
  });

  it('rejects a position that is no id of a frame', async () => {
    const chat = await newChat();

    const refused: Refused = await listenOwn({ ...chat, after: 'x' }).catch(error => error);

    expect(refused.status).toBe(400);
  });
});
