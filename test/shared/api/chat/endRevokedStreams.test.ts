/** Tests that open streams and connections end when their caller could no longer open one. */
import { afterEach, describe, expect, it } from 'vitest';
import { signUserKey } from '#shared/api/chat/userKey.ts';
import { clock } from '#shared/core/clock.ts';
import { randomText } from '#shared/core/ids.ts';
import {
  eventually,
  hasten,
  isLeftOut,
  newBotWithIntegration,
  newUser,
  newWorkspace,
  chat as official,
  useSharedPlatform,
} from '#test/support/platform.ts';
import { listenOfficial, listenOwn, type Refused } from '#test/support/sockets.ts';

useSharedPlatform();

/** Past the next check of a stream. */
const CHECKED_MS = 6_000;
const SHOP = 'https://shop.example';
const CLOSED_BY_SERVER = 1001;

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function open(url: string, key: string | undefined, origin = SHOP) {
  const gone = new AbortController();
  const response = await fetch(url, { headers: { ...(key && { 'x-user-key': key }), origin }, signal: gone.signal });
  expect(response.status).toBe(200);
  let text = '';
  let isOver = false;
  const read = async () => {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) text += chunk;
  };
  const reading = read()
    .catch(() => {})
    .finally(() => {
      isOver = true;
    });
  closing.push(async () => {
    gone.abort();
    await reading;
  });
  await eventually(async () => expect(text).toContain(': listening'));
  return { text: () => text, isOver: () => isOver };
}

async function newChat(configuration: Record<string, unknown> = {}) {
  const workspace = await newWorkspace();
  const installation = await newBotWithIntegration(workspace, { allowedOrigins: [SHOP], ...configuration });
  const { client } = workspace.owner;
  const { id } = installation.bot;
  const configure = (chat: Record<string, unknown>) => client.updateBot({ id, integrations: { chat } } as never);
  return { ...installation, client, configure };
}
type Chat = Awaited<ReturnType<typeof newChat>>;

async function newParticipant(chat: Chat) {
  const { key, client } = await newUser(chat);
  const { conversation } = await client.createConversation({});
  return { key, client, conversation, listenUrl: `${chat.chatUrl}/conversations/${conversation.id}/listen` };
}

const REVOCATIONS: [reason: string, revoke: (chat: Chat) => Promise<unknown>, status: number][] = [
  [
    'the encryption key was replaced',
    chat => chat.configure({ configuration: { encryptionKey: randomText(40) } }),
    401,
  ],
  ['the installation was disabled', chat => chat.configure({ enabled: false }), 404],
  [
    'the installation was removed',
    chat => chat.client.updateBot({ id: chat.bot.id, integrations: { chat: null } } as never),
    404,
  ],
  ['the bot was deleted', chat => chat.client.deleteBot({ id: chat.bot.id }), 404],
  [
    "the page's origin was removed",
    chat => chat.configure({ configuration: { allowedOrigins: ['https://other.example'] } }),
    403,
  ],
];

describe.skipIf(isLeftOut('clock'))('an open stream', () => {
  it.each(REVOCATIONS)('ends after %s, without a hint to reconnect', async (_, revoke, status) => {
    const chat = await newChat();
    const { key, listenUrl } = await newParticipant(chat);
    const streams = await Promise.all([
      open(listenUrl, key),
      open(`${chat.chatUrl}/initialize`, key),
      open(`${chat.chatUrl}/initialize`, undefined),
    ]);

    await revoke(chat);
    clock.advance(CHECKED_MS);

    await eventually(async () => expect(streams.map(({ isOver }) => isOver())).toEqual([true, true, true]));
    for (const { text } of streams) expect(text().match(/^retry: /gm)).toHaveLength(1);
    // Past the cache of installations.
    clock.advance(31_000);
    const again = await fetch(listenUrl, { headers: { 'x-user-key': key, origin: SHOP } });
    expect(again.status).toBe(status);
  });

  it('ends when the user key expires', async () => {
    const encryptionKey = randomText(40);
    const chat = await newChat({ encryptionKey });
    const lasting = signUserKey({ encryptionKey }, { id: 'ada' });
    const expiring = signUserKey({ encryptionKey }, { id: 'ada', expiresAtMs: clock.now() + 10_000 });
    const streams = [
      await open(`${chat.chatUrl}/initialize`, expiring),
      await open(`${chat.chatUrl}/initialize`, lasting),
    ];

    clock.advance(10_000);

    await eventually(async () => expect(streams[0]!.isOver()).toBe(true));
    expect(streams[1]!.isOver()).toBe(false);
  });

  it('continues and receives messages while its caller may open another', async () => {
    const chat = await newChat();
    const { key, listenUrl, conversation, client } = await newParticipant(chat);
    const { text, isOver } = await open(listenUrl, key);
    await chat.configure({ configuration: { allowedOrigins: [SHOP, 'https://other.example'] } });

    for (let i = 0; i < 4; i++) clock.advance(CHECKED_MS);
    await client.createMessage({ conversationId: conversation.id, payload: { type: 'text', text: 'still here' } });

    await eventually(async () => expect(text()).toContain('still here'));
    expect(isOver()).toBe(false);
  });
});

describe.skipIf(isLeftOut('connections')).each([
  ['own', listenOwn],
  ['official', listenOfficial],
])('an open connection of the %s client', (_, listen) => {
  const listening = async (chat: Chat) => {
    const participant = await newParticipant(chat);
    const { chatUrl } = chat;
    const { key, conversation } = participant;
    const listener = await listen({ chatUrl, key, conversationId: conversation.id, origin: SHOP });
    closing.push(async () => listener.close());
    return { ...participant, listener };
  };

  it.each(REVOCATIONS)('is closed after %s, and refused with the status of a call', async (_reason, revoke, status) => {
    const chat = await newChat();
    const { listener, key, conversation } = await listening(chat);

    await revoke(chat);

    expect(await listener.closed).toBe(CLOSED_BY_SERVER);
    const again = { chatUrl: chat.chatUrl, key, conversationId: conversation.id, origin: SHOP };
    const refused: Refused = await listen(again).catch(error => error);
    expect(refused.status).toBe(status);
  });

  it.each<[string, (chat: Chat, listened: Awaited<ReturnType<typeof listening>>) => Promise<unknown>]>([
    ['the user was deleted', (_chat, { client }) => client.deleteUser({})],
    ['the conversation was deleted', (_chat, { client, conversation }) => client.deleteConversation(conversation)],
  ])('is closed after %s', async (_reason, end) => {
    const chat = await newChat();
    const listened = await listening(chat);

    await end(chat, listened);

    expect(await listened.listener.closed).toBe(CLOSED_BY_SERVER);
  });

  it('is closed after its participant was removed, with the messages before, and not those after', async () => {
    const chat = await newChat();
    const { chatUrl } = chat;
    const owner = await newParticipant(chat);
    const other = await newUser(chat);
    const { id: conversationId } = owner.conversation;
    const say = (text: string) => owner.client.createMessage({ conversationId, payload: { type: 'text', text } });
    await owner.client.addParticipant({ conversationId, userId: other.user.id });
    const listener = await listen({ chatUrl, key: other.key, conversationId, origin: SHOP });

    await say('before');
    await owner.client.removeParticipant({ conversationId, userId: other.user.id });
    await say('after');

    expect(await listener.closed).toBe(CLOSED_BY_SERVER);
    const texts = listener.frames.filter(({ type }) => type === 'message_created').map(({ data }) => data.payload.text);
    expect(texts).toEqual(['before']);
  });

  it.skipIf(isLeftOut('clock'))("is closed when the user key's validity ends", async () => {
    const encryptionKey = randomText(40);
    const chat = await newChat({ encryptionKey });
    const { chatUrl } = chat;
    const lasting = signUserKey({ encryptionKey }, { id: 'ada' });
    const expiring = signUserKey({ encryptionKey }, { id: 'ada', expiresAtMs: clock.now() + 60_000 });
    const ada = await official.Client.connect({ apiUrl: chatUrl, userKey: lasting });
    const { conversation } = await ada.createConversation({});
    const listener = await listen({ chatUrl, key: expiring, conversationId: conversation.id, origin: SHOP });

    clock.advance(60_000);
    hasten();

    expect(await listener.closed).toBe(CLOSED_BY_SERVER);
  });
});
