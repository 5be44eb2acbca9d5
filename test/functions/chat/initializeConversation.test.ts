import { afterEach, describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { showTyping } from '#shared/storage/dynamodb/chat/presence.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import {
  call,
  eventually,
  type Installation,
  install,
  isLeftOut,
  newUser,
  useSharedPlatform,
} from '#test/support/platform.ts';

useSharedPlatform();

// biome-ignore lint/suspicious/noExplicitAny: whatever came, for the test to judge
type Frame = { type: string; data: any };

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Opens the stream and collects its signals. */
async function initialize(
  { chatUrl }: Pick<Installation, 'chatUrl'>,
  { key, conversationId, headers }: { key?: string; conversationId?: string; headers?: Record<string, string> } = {},
) {
  const gone = new AbortController();
  closing.push(() => gone.abort());
  const query = conversationId === undefined ? '' : `?conversationId=${conversationId}`;
  const response = await fetch(`${chatUrl}/initialize${query}`, {
    headers: { ...(key && { 'x-user-key': key }), ...headers },
    signal: gone.signal,
  });
  if (!response.ok)
    return { status: response.status, body: (await response.json()) as Frame['data'], signals: [] as Frame[] };
  let text = '';
  const read = async () => {
    for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) text += chunk;
  };
  void read().catch(() => {});
  const signals = () => [...text.matchAll(/^data: (\{.*)$/gm)].map(match => JSON.parse(match[1]!) as Frame);
  await eventually(async () => expect(signals()).not.toEqual([]));
  const init = signals()[0]!.data;
  return {
    status: response.status,
    init,
    key: init.user.userKey as string,
    conversationId: init.conversation.id as string,
    text: () => text,
    heard: () => signals().slice(1),
    say: (text: string, metadata = {}) =>
      call(`${chatUrl}/messages`, {
        method: 'POST',
        key: init.user.userKey,
        body: { conversationId: init.conversation.id, payload: { type: 'text', text }, metadata },
      }),
    close: () => gone.abort(),
  };
}
type Opened = Required<Awaited<ReturnType<typeof initialize>>>;
const open = (...parameters: Parameters<typeof initialize>) => initialize(...parameters) as Promise<Opened>;

describe.skipIf(isLeftOut('stream'))('GET /initialize', () => {
  it('creates a user and their conversation, and sends them first', async () => {
    const installation = await install();

    const { init, key, conversationId } = await open(installation);

    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(init).toEqual({
      conversation: { id: expect.stringMatching(/^convo_/), createdAt: time, updatedAt: time },
      messages: [],
      participants: [{ id: init.user.id, createdAt: time, updatedAt: time }],
      user: { id: expect.stringMatching(/^user_/), createdAt: time, updatedAt: time, userKey: expect.any(String) },
    });
    const { body } = await call(`${installation.chatUrl}/conversations/${conversationId}`, { key });
    expect(body.conversation.id).toBe(conversationId);
  });

  it('shows a returning user the same conversation, with its messages newest first and their metadata', async () => {
    const installation = await install({ payloadExtensions: true });
    const first = await open(installation);
    await first.say('one', { clientMessageId: 'a' });
    await first.say('two', { clientMessageId: 'b' });
    first.close();

    const again = await open(installation, first);

    expect(again.key).toBe(first.key);
    expect(again.init.user.id).toBe(first.init.user.id);
    expect(again.conversationId).toBe(first.conversationId);
    expect(again.init.messages.map(({ payload, metadata }: Frame['data']) => [payload.text, metadata])).toEqual([
      ['two', { clientMessageId: 'b' }],
      ['one', { clientMessageId: 'a' }],
    ]);
    // Messages in the state are not sent again.
    await again.say('three', { clientMessageId: 'c' });
    await eventually(async () => expect(again.heard()).not.toEqual([]));
    expect(again.heard().map(({ type, data }) => [type, data.payload?.text])).toEqual([['message_created', 'three']]);
  });

  it('replaces a deleted conversation', async () => {
    const installation = await install();
    const { client, key } = await newUser(installation);
    const { conversation } = await client.createConversation({});
    await client.deleteConversation({ id: conversation.id });

    const opened = await open(installation, { key, conversationId: conversation.id });

    expect(opened.conversationId).not.toBe(conversation.id);
  });

  it('replaces a deleted conversation with the same new one for concurrent calls', async () => {
    const installation = await install();
    const { client, key } = await newUser(installation);
    const { conversation } = await client.createConversation({});
    await client.deleteConversation({ id: conversation.id });

    const tabs = await Promise.all([1, 2, 3].map(() => open(installation, { key, conversationId: conversation.id })));
    await client.deleteConversation({ id: tabs[0]!.conversationId });
    const later = await open(installation, { key, conversationId: tabs[0]!.conversationId });

    expect(new Set(tabs.map(({ conversationId }) => conversationId)).size).toBe(1);
    expect([conversation.id, tabs[0]!.conversationId]).not.toContain(later.conversationId);
  });

  it('creates one conversation with a foreign id for concurrent calls', async () => {
    const installation = await install();
    const { key } = await newUser(installation);

    const tabs = await Promise.all([1, 2, 3].map(() => open(installation, { key, conversationId: 'support' })));

    expect(tabs.map(({ conversationId }) => conversationId)).toEqual(['support', 'support', 'support']);
  });

  it('creates a conversation for each call without an id, as the client restarts', async () => {
    const installation = await install();
    const { key } = await newUser(installation);

    const tabs = await Promise.all([1, 2].map(() => open(installation, { key })));

    expect(new Set(tabs.map(({ conversationId }) => conversationId)).size).toBe(2);
  });

  it('finds or creates a conversation with a foreign id', async () => {
    const installation = await install();
    const { key } = await newUser(installation);

    const first = await open(installation, { key, conversationId: 'support' });
    const again = await open(installation, { key, conversationId: 'support' });

    expect([first.conversationId, again.conversationId]).toEqual(['support', 'support']);
    expect(again.init.conversation).toEqual(first.init.conversation);
  });

  it('creates the user of a key that the owner of the bot signed', async () => {
    const installation = await install({ isPersonalKey: true });

    const key = installation.keyOf('ada');

    const { init } = await open(installation, { key });

    expect(init.user).toMatchObject({ id: 'ada', userKey: key });
  });

  it.each([
    ['no key, where the owner of the bot signs them', { isPersonalKey: true }, {}, 401],
    ['a wrong key', {}, { key: 'garbage' }, 401],
    ['a wrong admin secret', {}, { headers: { 'x-admin-secret': 'guess' } }, 401],
    ['a reconnection without the key, which would become another user', {}, { headers: { 'last-event-id': 'x' } }, 401],
    ['a conversation id that none can have', {}, { conversationId: 'a%20b' }, 400],
  ] as const)('rejects %s', async (_, settings, how, status) => {
    const answer = await initialize(await install(settings), how);

    expect(answer.status).toBe(status);
    expect(answer.body.message).toMatch(/\w/);
  });

  it("returns 403 for another user's conversation", async () => {
    const installation = await install();
    const [owner, stranger] = await Promise.all([newUser(installation), newUser(installation)]);
    const { conversation } = await owner.client.createConversation({});

    const answer = await initialize(installation, { key: stranger.key, conversationId: conversation.id });

    expect({ status: answer.status, type: answer.body.type }).toEqual({ status: 403, type: 'Forbidden' });
  });

  it('sends new participants with their fields, and who is typing', async () => {
    const installation = await install();
    const opened = await open(installation);
    const guest = await newUser(installation, { name: 'Bob' });
    const { key, conversationId } = opened;

    await call(`${installation.chatUrl}/conversations/${conversationId}/participants`, {
      method: 'POST',
      key,
      body: { userId: guest.user.id },
    });
    for (const isTyping of [true, false]) {
      await call(`${installation.chatUrl}/conversations/${conversationId}/typing`, {
        method: 'POST',
        key: guest.key,
        body: { isTyping },
      });
      await eventually(async () =>
        expect(opened.heard().at(-1)!.type).toBe(isTyping ? 'typing_started' : 'typing_stopped'),
      );
    }

    expect(opened.heard()).toEqual([
      {
        type: 'participant_added',
        data: {
          conversationId,
          participantId: guest.user.id,
          participant: expect.objectContaining({ id: guest.user.id, name: 'Bob' }),
        },
      },
      { type: 'typing_started', data: { conversationId, userId: guest.user.id, timeout: 5000 } },
      { type: 'typing_stopped', data: { conversationId, userId: guest.user.id } },
    ]);
  });

  it('converts the items of every bloc to content in payload', async () => {
    const installation = await install({ payloadExtensions: true });
    const opened = await open(installation);
    const post = (items: object[]) =>
      call(`${installation.chatUrl}/messages`, {
        method: 'POST',
        key: opened.key,
        body: { conversationId: opened.conversationId, payload: { type: 'bloc', items } },
      });

    const flat = await post([{ type: 'text', text: 'one' }]);
    const nested = await post([{ type: 'text', payload: { text: 'two' } }]);
    const wrong = await post([{ type: 'text', payload: { text: 2 } }]);

    expect([flat.status, nested.status, wrong.status]).toEqual([201, 201, 400]);
    expect(nested.body.message.payload.items).toEqual([{ type: 'text', payload: { text: 'two' } }]);
    expect(wrong.body.metadata.issues[0].path).toBe('payload.items.0.payload.text');
    await eventually(async () => expect(opened.heard()).toHaveLength(2));
    expect(opened.heard().map(({ data }) => data.payload.items)).toEqual([
      [{ type: 'text', payload: { text: 'one' } }],
      [{ type: 'text', payload: { text: 'two' } }],
    ]);
  });

  it('sends updated messages with their current content', async () => {
    const installation = await install({ payloadExtensions: true });
    const opened = await open(installation);
    const { body } = await opened.say('frist');
    const payload = { type: 'text', text: 'first' };

    await call(`${installation.chatUrl}/messages/${body.message.id}`, {
      method: 'PUT',
      key: opened.key,
      body: { payload },
    });

    await eventually(async () => expect(opened.heard().at(-1)!.type).toBe('message_updated'));
    expect(opened.heard().at(-1)!.data).toEqual({ ...body.message, payload, isBot: false });
  });

  it("starts with the client's reconnection delay", async () => {
    const { text } = await open(await install());

    expect(text()).toMatch(/^retry: 10000\n/);
  });

  it('does not send users their own typing', async () => {
    const installation = await install({ payloadExtensions: true });
    const opened = await open(installation);
    const { init, conversationId } = opened;

    await write([
      showTyping(installation.botId, { conversationId, userId: init.user.id, generation: 0 }, true, clock.now()),
    ]);
    await opened.say('still here');

    await eventually(async () => expect(opened.heard()).not.toEqual([]));
    expect(opened.heard().map(({ type }) => type)).toEqual(['message_created']);
  });
});
