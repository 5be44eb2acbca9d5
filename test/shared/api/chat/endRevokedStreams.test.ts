/** Tests that open streams end when their caller could no longer open one. */
import { afterEach, describe, expect, it } from 'vitest';
import { signUserKey } from '#shared/api/chat/userKey.ts';
import { clock } from '#shared/core/clock.ts';
import { randomText } from '#shared/core/ids.ts';
import {
  eventually,
  isLeftOut,
  newBotWithIntegration,
  newUser,
  newWorkspace,
  useSharedPlatform,
} from '#test/support/platform.ts';

useSharedPlatform();

/** Past the installation's cache and the next check of a stream. */
const CHECKED_MS = 31_000;
const SHOP = 'https://shop.example';

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
