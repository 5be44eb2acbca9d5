/** Tests `publishMessageStream` of the chat integration, at clients of both kinds. */
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { callAction } from '#functions/botChat/callAction.ts';
import { clock } from '#shared/core/clock.ts';
import { streamCompletion } from '#shared/domain/chat/listening/streamCompletion.ts';
import {
  addConnection,
  allConnectionsTo,
  type ListenerConnection,
  removeConnections,
} from '#shared/storage/dynamodb/connections/connections.ts';
import { callAsBot } from '#test/budgets/callOperation.ts';
import { counted } from '#test/budgets/counter.ts';
import { isLeftOut, newBot, newUser, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { type Listener, listenOfficial, listenOwn } from '#test/support/sockets.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

const listeners: Listener[] = [];
afterEach(() => {
  for (const listener of listeners.splice(0)) listener.close();
});

const CREATED_AT = '2026-07-23T14:15:16.123Z';
const CLIENTS = { own: listenOwn, official: listenOfficial };

let chats = 0;

/** A conversation with a foreign id, and its publisher. */
async function newChat() {
  const { client, key, user } = await newUser(bot);
  const shownId = `order-${chats++}-${bot.id}`;
  await client.createConversation({ id: shownId });
  const { conversations } = await bot.client.listConversations({ tags: { 'chat:fid': shownId } });
  const conversationId = conversations[0]!.id;
  const act = (signal: object, id = conversationId) =>
    bot.call('POST', '/actions', {
      body: { type: 'chat:publishMessageStream', input: { conversationId: id, signal } },
    });
  const listen = async (kind: keyof typeof CLIENTS) => {
    const listener = await CLIENTS[kind]({ chatUrl: bot.chatUrl, conversationId: shownId, key });
    listeners.push(listener);
    return listener;
  };
  return { conversationId, shownId, client, user, key, act, listen };
}

const delta = (sequence: number, text = `part ${sequence}`, more = {}) => ({
  ...{ type: 'delta', streamId: 'stream-1', createdAt: CREATED_AT, sequence, delta: text },
  ...more,
});
const abort = { type: 'abort', streamId: 'stream-1' };

async function connectionOf(conversationId: string): Promise<ListenerConnection> {
  for (const connection of await allConnectionsTo(bot.id, conversationId)) {
    if (connection.kind === 'listener') return connection;
  }
  throw new Error('Nobody listens.');
}

describe.each(['own', 'official'] as const)('a connection of the %s client', kind => {
  it('receives deltas in the order of the calls, with the ids that chat users see', async () => {
    const { act, listen, shownId } = await newChat();
    const listener = await listen(kind);

    const sent = await act(delta(0, 'Hel', { clientMessageId: 'client-1' }));
    await act(delta(1, 'lo'));

    expect(sent).toMatchObject({ status: 200, body: { output: {} } });
    await expect.poll(() => listener.frames).toHaveLength(2);
    const common = { streamId: 'stream-1', conversationId: shownId, userId: bot.id, createdAt: CREATED_AT };
    expect(listener.frames).toEqual([
      {
        type: 'message_stream_delta',
        data: { ...common, clientMessageId: 'client-1', sequence: 0, delta: 'Hel' },
      },
      { type: 'message_stream_delta', data: { ...common, sequence: 1, delta: 'lo' } },
    ]);
  });

  it('receives the completion before the final message', async () => {
    const { act, listen, shownId, conversationId } = await newChat();
    const listener = await listen(kind);
    await act(delta(0, 'Hello'));

    const { message } = await bot.client.createMessage({
      ...{ conversationId, userId: bot.id, type: 'text', tags: {} },
      payload: { text: 'Hello', metadata: { streamId: 'stream-1' } },
    });

    await listener.untilType('message_created');
    expect(listener.frames.map(({ type }) => type)).toEqual([
      'message_stream_delta',
      'message_stream_complete',
      'message_created',
    ]);
    const [, complete, created] = listener.frames;
    expect(complete).toEqual({
      type: 'message_stream_complete',
      data: {
        streamId: 'stream-1',
        message: {
          id: message.id,
          createdAt: message.createdAt,
          payload: { type: 'text', text: 'Hello' },
          userId: bot.id,
          conversationId: shownId,
          metadata: { streamId: 'stream-1' },
        },
      },
    });
    expect(created!.data).toEqual({ ...complete!.data.message, isBot: true });
  });

  it('receives an abort', async () => {
    const { act, listen, shownId } = await newChat();
    const listener = await listen(kind);

    await act(abort);

    expect(await listener.untilType('message_stream_abort')).toEqual({
      type: 'message_stream_abort',
      data: { streamId: 'stream-1', conversationId: shownId },
    });
  });
});

describe('publishMessageStream', () => {
  it('sends nothing to listeners of another conversation', async () => {
    const [mine, other] = [await newChat(), await newChat()];
    const stranger = await other.listen('own');

    await mine.act(delta(0, 'mine'));
    await other.act(delta(0, 'other'));

    await stranger.untilType('message_stream_delta');
    expect(stranger.frames.map(({ data }) => data.delta)).toEqual(['other']);
  });

  it('returns 404 for a conversation of another installation, of another bot, and for an unknown one', async () => {
    const { act } = await newChat();
    const { client } = bot.workspace.owner;
    const second = await client.createIntegration({ name: 'chat', version: '9.0.0' });
    await client.updateBot({ id: bot.id, integrations: { shop: { integrationId: second.integration.id } } });
    const inShop = await bot
      .clientOf(bot.tokens.bot, { integrationAlias: 'shop' })
      .createConversation({ channel: 'channel', tags: {} });
    const ofOther = await (await newBot()).client.createConversation({ channel: 'channel', tags: {} });

    const answers = await Promise.all(
      [inShop.conversation.id, ofOther.conversation.id, `convo_${'0'.repeat(22)}`, 'x'].map(id => act(abort, id)),
    );
    const own = await bot.call('POST', '/actions', {
      body: { type: 'shop:publishMessageStream', input: { conversationId: inShop.conversation.id, signal: abort } },
    });

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect(own.status).toBe(200);
  });

  it.each([
    ['an unknown type', { type: 'complete', streamId: 'a' }, 'input.signal.type'],
    ['no stream', { type: 'abort' }, 'input.signal.streamId'],
    ['a long stream id', { type: 'abort', streamId: 'a'.repeat(201) }, 'input.signal.streamId'],
    ['a time without a date', delta(0, 'a', { createdAt: 'now' }), 'input.signal.createdAt'],
    ['a fraction as sequence', delta(0.5), 'input.signal.sequence'],
    ['the 10,001st delta of a stream', delta(10_000), 'input.signal.sequence'],
    ['a delta of more than 16 KB', delta(0, 'é'.repeat(8 * 1024 + 1)), 'input.signal.delta'],
  ])('returns 400 for %s and names the field', async (_, signal, path) => {
    const { act } = await newChat();

    const { status, body } = await act(signal);

    expect([status, body.metadata.issues[0].path]).toEqual([400, path]);
  });

  it('sends a delta of 16 KB whose characters JSON escapes', async () => {
    const { act, listen } = await newChat();
    const listener = await listen('own');
    const text = '\u0001'.repeat(16 * 1024);

    await act(delta(9_999, text));

    expect((await listener.untilType('message_stream_delta')).data).toMatchObject({ sequence: 9_999, delta: text });
  });
});

describe.skipIf(isLeftOut('stream'))('an event stream', () => {
  it('receives the completion and the final message, and no deltas', async () => {
    const { act, conversationId, shownId, key } = await newChat();
    const gone = new AbortController();
    const { body } = await fetch(`${bot.chatUrl}/conversations/${shownId}/listen`, {
      headers: { 'x-user-key': key },
      signal: gone.signal,
    });
    const reader = body!.pipeThrough(new TextDecoderStream()).getReader();
    await reader.read();

    await act(delta(0, 'Hello'));
    await bot.client.createMessage({
      ...{ conversationId, userId: bot.id, type: 'text', tags: {} },
      payload: { text: 'Hello', metadata: { streamId: 'stream-1' } },
    });

    let text = '';
    while (!/^data: .*message_created.*\n\n/m.test(text)) text += (await reader.read()).value;
    gone.abort();
    const frames = text.split('\n\n').filter(frame => frame.includes('data: {'));
    expect(frames.map(frame => /"type":"(\w+)"/.exec(frame)![1])).toEqual([
      'message_stream_complete',
      'message_created',
    ]);
    // A client that reconnects between the two still receives the message.
    expect(frames.map(frame => /^id: /m.test(frame))).toEqual([false, true]);
  });
});

describe('streamCompletion', () => {
  it.each([
    ['a message without a stream', 'message_created', { isBot: true, metadata: { other: 1 } }],
    ["a user's message", 'message_created', { isBot: false, metadata: { streamId: 'a' } }],
    ['a stream id that is no text', 'message_created', { isBot: true, metadata: { streamId: 7 } }],
    ['an updated message', 'message_updated', { isBot: true, metadata: { streamId: 'a' } }],
    ['a payload that contains the word', 'message_created', { isBot: true, payload: { streamId: 'a' } }],
  ])('is undefined for %s', (_, type, data) => {
    expect(streamCompletion(JSON.stringify({ type, data }))).toBeUndefined();
  });
});

// They write connections to the table, and count its calls in this process.
describe.skipIf(isLeftOut('faults'))('connections that publishMessageStream finds', () => {
  it.each<[string, (connection: ListenerConnection) => Partial<ListenerConnection>]>([
    ['a participant who left and joined again', ({ joinedAtMs }) => ({ joinedAtMs: joinedAtMs - 1 })],
    ['a user who was deleted and created again', () => ({ userGeneration: '0000000old' })],
    ['a deleted conversation with the same id', ({ generation }) => ({ generation: generation - 1 })],
    ['a user who does not participate', () => ({ userId: `user_${'0'.repeat(22)}` })],
    ['a user key that has expired', () => ({ expiresAtMs: clock.now() - 1 })],
  ])('receive nothing if they belong to %s', async (_, changes) => {
    const { act, listen, conversationId } = await newChat();
    const listener = await listen('own');
    const connection = await connectionOf(conversationId);
    await addConnection({ ...connection, ...changes(connection) }, clock.now());

    await act(delta(0));
    await addConnection(connection, clock.now());
    await act(delta(1));

    await listener.untilType('message_stream_delta');
    expect(listener.frames.map(({ data }) => data.sequence)).toEqual([1]);
  });

  it('are removed if they have vanished, and receive nothing while they are being opened', async () => {
    const { act, listen, conversationId } = await newChat();
    const listener = await listen('official');
    const open = await connectionOf(conversationId);
    const [vanished, connecting] = [
      { ...open, connectionId: 'vanished=', connectedAtMs: clock.now() - 60_000 },
      { ...open, connectionId: 'connecting=', connectedAtMs: clock.now() },
    ];
    await addConnection(vanished, clock.now());
    await addConnection(connecting, clock.now());

    const { status } = await act(delta(0));

    expect(status).toBe(200);
    await listener.untilType('message_stream_delta');
    const left: string[] = [];
    for (const { connectionId } of await allConnectionsTo(bot.id, conversationId)) left.push(connectionId);
    expect(left.sort()).toEqual([open.connectionId, 'connecting='].sort());
    await removeConnections([connecting]);
  });

  it('cost one query and one read of participants, and no write', async () => {
    const { listen, conversationId } = await newChat();
    await listen('own');
    const input = { conversationId, signal: delta(0) };
    const send = () =>
      callAsBot(callAction, bot, { path: '/chat/actions', body: { type: 'chat:publishMessageStream', input } });
    await send();

    const { calls, writes, writeUnits } = await counted(send);

    // The bot, the integration, the conversation, its connections, their participants.
    expect({ calls, writes, writeUnits }).toEqual({ calls: 5, writes: 0, writeUnits: 0 });
  });
});
