import { randomBytes } from 'node:crypto';
import type { SignalListener, Signals } from '@botpress/chat';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { encodeTime, newPosition, randomText, resolveConversationId, resolveUserId } from '#shared/core/ids.ts';
import { expectNotices } from '#shared/domain/chat/feeds.ts';
import type { Entry } from '#shared/storage/dynamodb/chat/entry.ts';
import { findParticipant } from '#shared/storage/dynamodb/chat/participants.ts';
import { showTyping } from '#shared/storage/dynamodb/chat/presence.ts';
import { appendEntry } from '#shared/storage/dynamodb/chat/timeline.ts';
import { documents } from '#shared/storage/dynamodb/engine/client.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import {
  call,
  eventually,
  type Installation,
  install,
  isLeftOut,
  newBot,
  newUser,
  settled,
  useSharedPlatform,
} from '#test/support/platform.ts';
import { SOMEONE, seedMessages } from '#test/support/tableItems.ts';
import { inFastTime } from '#test/support/time.ts';

useSharedPlatform();

const TYPES = [
  'message_created',
  'event_created',
  'participant_added',
  'participant_removed',
  'message_deleted',
] as const satisfies (keyof Signals)[];

type User = Awaited<ReturnType<typeof newUser>>;
interface Frame {
  id: string;
  type?: string;
  // biome-ignore lint/suspicious/noExplicitAny: whatever came, for the test to judge
  data?: any;
}

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

/** Collects the signals of the official client, in order. */
async function hear({ client }: Pick<User, 'client'>, id: string) {
  const listener: SignalListener = await client.listenConversation({ id });
  closing.push(() => listener.disconnect());
  const heard: { type: string; data: unknown }[] = [];
  for (const type of TYPES) listener.on(type, data => heard.push({ type, data }));
  listener.on('error', () => {});
  return { heard, listener };
}

async function stream(chatUrl: string, id: string, key: string | undefined, lastEventId?: string) {
  const gone = new AbortController();
  const response = await fetch(`${chatUrl}/conversations/${id}/listen`, {
    headers: { ...(key && { 'x-user-key': key }), ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) },
    signal: gone.signal,
  });
  const chunks: string[] = [];
  let text = '';
  let isOver = false;
  const read = async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body!) {
      chunks.push(decoder.decode(chunk, { stream: true }));
      text += chunks.at(-1);
    }
  };
  const reading = read()
    .catch(() => {})
    .finally(() => {
      isOver = true;
    });
  const close = async () => {
    gone.abort();
    await reading;
  };
  closing.push(close);
  const frames = (): Frame[] =>
    text
      .split('\n\n')
      .filter(block => /^data: \{/m.test(block))
      .map(block => ({
        id: block.match(/^id: (.*)$/m)![1]!,
        ...JSON.parse(block.match(/^data: (.*)$/m)![1]!),
      }));
  return {
    response,
    chunks,
    frames,
    close,
    text: () => text,
    isOver: () => isOver,
    said: () => frames().map(({ data }) => data.payload?.text),
  };
}

/** A conversation `c` of the user `ada`, with the participant `bob`. */
async function setUp(settings: Parameters<typeof install>[0] = {}) {
  const installation = await install(settings);
  const [ada, bob] = await Promise.all([newUser(installation, { id: 'ada' }), newUser(installation, { id: 'bob' })]);
  await ada.client.createConversation({ id: 'c' });
  await ada.client.addParticipant({ conversationId: 'c', userId: 'bob' });
  return { installation, chatUrl: installation.chatUrl, ada, bob };
}

const say = async ({ client }: Pick<User, 'client'>, text: string, conversationId = 'c') =>
  (await client.createMessage({ conversationId, payload: { type: 'text', text } })).message;

/** Writes a timeline entry with the clock of another writer. */
async function append({ botId, webhookId }: Installation, entry: Partial<Entry> & { text?: string }) {
  const { text = 't', ...fields } = entry;
  const whole: Entry = {
    kind: 'message',
    position: newPosition(),
    userId: SOMEONE,
    generation: 0,
    payload: { p: JSON.stringify({ type: 'text', text }) },
    ...fields,
  };
  await write([appendEntry(botId, resolveConversationId(webhookId, 'c')!, whole)]);
}
/** Supported clock skew between two writers. */
const CLOCKS_DIFFER_MS = 2_000;
const placeAt = (offsetMs: number) => encodeTime(clock.now() + offsetMs) + randomText(3);

const texts = (heard: { data: unknown }[]) =>
  heard.map(({ data }) => (data as { payload?: { text?: string } }).payload?.text);

/** The texts of message signals, sorted. */
const numbers = (said: (string | undefined)[]) =>
  said
    .filter(text => text !== undefined)
    .map(Number)
    .sort((a, b) => a - b);

/** Tests both mechanisms: the local platform pushes notices of writes, a deployed listener polls. */
const WAYS = [
  { way: 'with notices of writes', isNotified: true },
  { way: 'without notices', isNotified: false },
];

describe.skipIf(isLeftOut('stream')).each(WAYS)('GET /conversations/{id}/listen, $way', ({ isNotified }) => {
  beforeAll(() => expectNotices(isNotified));
  afterAll(() => expectNotices(true));

  describe('with the official client', () => {
    it('receives all signals in order, under foreign ids', async () => {
      const { ada, installation } = await setUp();
      await newUser(installation, { id: 'eve' });
      const { heard } = await hear(ada, 'c');
      await eventually(async () => expect(heard).toHaveLength(1));
      heard.pop();

      const message = await say(ada, 'hello');
      const { event } = await ada.client.createEvent({ conversationId: 'c', payload: { a: [1, { b: null }] } });
      await ada.client.addParticipant({ conversationId: 'c', userId: 'eve' });
      // A message deleted before the next poll is not signalled.
      await eventually(async () => expect(heard).toHaveLength(3));
      await ada.client.deleteMessage({ id: message.id });
      await ada.client.removeParticipant({ conversationId: 'c', userId: 'eve' });

      await eventually(async () =>
        expect(heard).toEqual([
          { type: 'message_created', data: { ...message, isBot: false } },
          { type: 'event_created', data: { ...event, isBot: false } },
          { type: 'participant_added', data: { conversationId: 'c', participantId: 'eve' } },
          { type: 'message_deleted', data: { id: message.id, conversationId: 'c', userId: 'ada' } },
          { type: 'participant_removed', data: { conversationId: 'c', participantId: 'eve' } },
        ]),
      );
      expect(message).toMatchObject({ conversationId: 'c', userId: 'ada' });
    });

    it.skipIf(!isNotified)('receives metadata when the integration accepts it', async () => {
      const { ada } = await setUp({ payloadExtensions: true });
      const { heard } = await hear(ada, 'c');

      const { message } = await ada.client.createMessage({
        conversationId: 'c',
        payload: { type: 'text', text: 't' },
        metadata: { a: 1 },
      });

      await eventually(async () =>
        expect(heard.at(-1)).toEqual({ type: 'message_created', data: { ...message, isBot: false } }),
      );
      expect(message.metadata).toEqual({ a: 1 });
    });

    it.skipIf(!isNotified)("marks a bot's message and shows it as listMessages does", async () => {
      const bot = await newBot();
      const user = await newUser(bot);
      const { conversation } = await user.client.createConversation({});
      const { heard } = await hear(user, conversation.id);

      await bot.client.createMessage({
        conversationId: conversation.id,
        userId: bot.id,
        type: 'text',
        payload: { text: 'I am a bot' },
        tags: {},
      });

      const { messages } = await user.client.listMessages({ conversationId: conversation.id });
      await eventually(async () =>
        expect(heard).toEqual([{ type: 'message_created', data: { ...messages[0], isBot: true } }]),
      );
    });

    it.skipIf(!isNotified)("marks a bot's custom event as such, without an id", async () => {
      const { installation, ada } = await setUp();
      const { heard } = await hear(ada, 'c');

      await append(installation, { kind: 'event', userId: installation.botId, payload: { p: '{"a":1}' } });

      const createdAt = expect.any(String);
      const data = { id: null, conversationId: 'c', userId: installation.botId, payload: { a: 1 }, createdAt };
      await eventually(async () =>
        expect(heard.at(-1)).toEqual({ type: 'event_created', data: { ...data, isBot: true } }),
      );
    });

    it('receives nothing of other conversations, of deleted ones with the same id, or of imports', async () => {
      const { installation, ada } = await setUp();
      const { heard } = await hear(ada, 'c');
      await ada.client.createConversation({ id: 'other' });

      await say(ada, 'elsewhere', 'other');
      await append(installation, { text: 'of another life', generation: 1 });
      await append(installation, { text: 'imported', isImported: true });
      const { id } = await say(ada, 'here');

      await eventually(async () => expect(heard.at(-1)).toMatchObject({ data: { id } }));
      expect(texts(heard)).toEqual([undefined, 'here']);
    });

    it('delivers each of 50 messages once, in order, to 20 clients', async () => {
      const { ada } = await setUp();
      const listeners = await Promise.all(Array.from({ length: 20 }, () => hear(ada, 'c')));
      const said = Array.from({ length: 50 }, (_, i) => `${i}`);

      for (const text of said) await say(ada, text);

      const delivered = (heard: (typeof listeners)[number]['heard']) =>
        texts(heard.filter(({ type }) => type === 'message_created'));
      await eventually(async () => {
        for (const { heard } of listeners) expect(delivered(heard).length).toBeGreaterThanOrEqual(said.length);
      });
      for (const { heard } of listeners) expect(delivered(heard)).toEqual(said);
    });
  });

  describe('with many listeners', () => {
    /** Counts the queries of a conversation's timeline while `run` runs. */
    async function queriesDuring({ botId, webhookId }: Installation, run: () => Promise<unknown>): Promise<number> {
      const partition = `${botId}#${resolveConversationId(webhookId, 'c')}`;
      let queries = 0;
      documents.middlewareStack.add(
        (next, { commandName }) =>
          args => {
            if (commandName?.startsWith('Query') && JSON.stringify(args.input).includes(partition)) queries++;
            return next(args);
          },
        { step: 'initialize', name: 'queries', override: true },
      );
      try {
        await run();
      } finally {
        documents.middlewareStack.remove('queries');
      }
      return queries;
    }

    it.skipIf(!isNotified)('polls once for all listeners', async () => {
      const { installation, chatUrl, ada, bob } = await setUp();
      const streams = await Promise.all(
        Array.from({ length: 30 }, (_, i) => stream(chatUrl, 'c', i % 2 ? ada.key : bob.key)),
      );
      expect(streams.map(({ response }) => response.status)).toEqual(streams.map(() => 200));
      await eventually(async () => {
        for (const { frames } of streams) expect(frames()).toHaveLength(1);
      });

      const queries = await queriesDuring(installation, async () => {
        await say(ada, 'hello');
        await eventually(async () => {
          for (const { said } of streams) expect(said().at(-1)).toBe('hello');
        });
      });

      // One poll for the message; more if it was written during a poll, or consumers wrote in the conversation.
      expect(queries).toBeLessThan(10);
    });

    it('sends each listener the entries after its own cursor', async () => {
      const { chatUrl, ada, bob } = await setUp();
      const first = await stream(chatUrl, 'c', ada.key);
      for (const text of ['1', '2', '3']) await say(bob, text);
      await eventually(async () => expect(first.said()).toEqual([undefined, '1', '2', '3']));

      const others = await Promise.all(first.frames().map(({ id }) => stream(chatUrl, 'c', ada.key, id)));
      await say(bob, '4');

      await eventually(async () => {
        for (const each of [first, ...others]) expect(each.said().at(-1)).toBe('4');
      });
      expect(others.map(({ said }) => said())).toEqual([['1', '2', '3', '4'], ['2', '3', '4'], ['3', '4'], ['4']]);
    });
  });

  describe('over the wire', () => {
    it('immediately sends headers and a chunk without an event', async () => {
      const { chatUrl, ada } = await setUp();

      const { response, chunks } = await stream(chatUrl, 'c', ada.key);

      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/event-stream');
      // Otherwise nginx would keep the response back.
      expect(response.headers.get('cache-control')).toBe('no-store, no-transform');
      expect(response.headers.get('x-accel-buffering')).toBe('no');
      await eventually(async () => expect(chunks[0]).toMatch(/^retry: 1000\nid: [0-9A-Za-z]+\n: listening\n\n$/));
    });

    it('sends an id and no event name in every frame', async () => {
      const { chatUrl, ada } = await setUp();
      const { text, frames } = await stream(chatUrl, 'c', ada.key);

      await say(ada, 'hello');

      await eventually(async () => expect(frames()).toHaveLength(2));
      expect(text().split('\n\n').slice(1, -1)).toEqual([
        expect.stringMatching(/^id: [0-9A-Za-z]+\ndata: \{"type":"participant_added",.*\}$/),
        expect.stringMatching(/^id: [0-9A-Za-z]+\ndata: \{"type":"message_created",.*\}$/),
      ]);
    });

    it('writes a comment line after 3.4 seconds of silence, before the official client assumes a dead stream', async () => {
      const { chatUrl, ada } = await setUp();
      const { frames, text } = await stream(chatUrl, 'c', ada.key);
      await eventually(async () => expect(frames()).toHaveLength(1));

      clock.advance(3_500);

      await eventually(async () => expect(text()).toMatch(/\}\n\n:\n\n/));
      expect(frames()).toHaveLength(1);
    });

    it('pings after 20 seconds of silence', async () => {
      const { chatUrl, ada } = await setUp();
      const { frames, text } = await stream(chatUrl, 'c', ada.key);
      await eventually(async () => expect(frames()).toHaveLength(1));

      clock.advance(20_000);

      await eventually(async () => expect(text()).toMatch(/\nid: [0-9A-Za-z]+\ndata: ping\n\n$/));
    });

    it('ends with a retry hint before API Gateway cuts the stream', async () => {
      const { chatUrl, ada } = await setUp();
      const { frames, text, isOver } = await stream(chatUrl, 'c', ada.key);
      await eventually(async () => expect(frames()).toHaveLength(1));

      clock.advance(14 * 60_000);

      await eventually(async () => expect(isOver()).toBe(true));
      expect(text()).toMatch(/\n\nretry: 1000\nid: [0-9A-Za-z]+\n\n$/);
    });

    it('keeps the order of values stored in the object store', async () => {
      const { chatUrl, ada } = await setUp();
      const { said } = await stream(chatUrl, 'c', ada.key);
      const big = randomBytes(600_000).toString('base64');

      await say(ada, big);
      for (const text of ['1', '2', '3']) await say(ada, text);

      await eventually(async () => expect(said()).toHaveLength(5));
      expect(said().slice(1)).toEqual([big, '1', '2', '3']);
    });
  });

  it('receives signals in list order, even while a large message is being stored', async () => {
    const { chatUrl, ada } = await setUp();
    const { frames, said } = await stream(chatUrl, 'c', ada.key);
    await eventually(async () => expect(frames()).toHaveLength(1));

    const large = say(ada, randomBytes(600_000).toString('base64'));
    for (let i = 0; i < 10; i++) await say(ada, `${i}`);
    await large;

    await eventually(async () => expect(said()).toHaveLength(12));
    const { messages } = await ada.client.listMessages({ conversationId: 'c' });
    const listed = messages.map(({ id }) => id).reverse();
    const heard = frames()
      .slice(1)
      .map(({ data }) => data.id);
    expect([...heard].sort()).toEqual(listed);
    // After two simultaneous writes, a poll may find only the later one.
    for (const [place, id] of heard.entries()) expect(Math.abs(place - listed.indexOf(id))).toBeLessThanOrEqual(1);
  });

  describe('presence', () => {
    const type = (chatUrl: string, { key }: User, isTyping = true) =>
      call(`${chatUrl}/conversations/c/typing`, { method: 'POST', key, body: { isTyping } });
    const read = (chatUrl: string, { key }: User, messageId: string) =>
      call(`${chatUrl}/conversations/c/read`, { method: 'PUT', key, body: { messageId } });
    /** Presence signals only. */
    const live = (frames: Frame[]) =>
      frames
        .filter(({ type }) => type === 'typing' || type === 'message_read')
        .map(({ type, data }) => ({ type, data }));

    it('sends each signal once, under foreign ids, and not to its author', async () => {
      const { chatUrl, ada, bob } = await setUp();
      const [bobs, adas] = await Promise.all([stream(chatUrl, 'c', bob.key), stream(chatUrl, 'c', ada.key)]);
      await eventually(async () => expect([bobs.frames().length, adas.frames().length]).toEqual([1, 1]));
      const { id } = await say(ada, 'hello');

      const typing = (userId: string, isTyping: boolean) => ({
        type: 'typing',
        data: { conversationId: 'c', userId, isTyping },
      });
      await type(chatUrl, bob);
      await eventually(async () => expect(live(adas.frames())).toEqual([typing('bob', true)]));
      await type(chatUrl, bob, false);
      await type(chatUrl, ada);
      await eventually(async () => expect(live(adas.frames())).toHaveLength(2));
      await read(chatUrl, bob, id);
      // An older read mark changes nothing.
      await read(chatUrl, bob, id);

      const data = { conversationId: 'c', userId: 'bob', messageId: id, readAt: expect.stringMatching(/Z$/) };
      await eventually(async () => expect(live(adas.frames())).toHaveLength(3));
      await eventually(async () => expect(live(bobs.frames())).toHaveLength(1));
      await say(ada, 'last');
      await eventually(async () => expect([adas.said().at(-1), bobs.said().at(-1)]).toEqual(['last', 'last']));
      expect(live(adas.frames())).toEqual([typing('bob', true), typing('bob', false), { type: 'message_read', data }]);
      expect(live(bobs.frames())).toEqual([typing('ada', true)]);
    });

    it('sends nothing from before the listener connected', async () => {
      const { chatUrl, ada, bob } = await setUp();
      const { id } = await say(ada, 'hello');
      await type(chatUrl, bob);
      await read(chatUrl, bob, id);
      clock.advance(5);

      const { frames, said } = await stream(chatUrl, 'c', ada.key);
      await eventually(async () => expect(said()).toContain('hello'));
      await type(chatUrl, bob, false);

      await eventually(async () => expect(live(frames())).toHaveLength(1));
      expect(live(frames())).toEqual([
        { type: 'typing', data: { conversationId: 'c', userId: 'bob', isTyping: false } },
      ]);
    });

    it('does not send typing older than 10 seconds', async () => {
      const { installation, chatUrl, ada, bob } = await setUp();
      const { frames, said } = await stream(chatUrl, 'c', ada.key);
      await eventually(async () => expect(frames()).toHaveLength(1));
      const { botId, webhookId } = installation;
      const conversationId = resolveConversationId(webhookId, 'c')!;
      const participant = (await findParticipant(botId, conversationId, resolveUserId(webhookId, 'bob')!))!;

      await write([showTyping(botId, participant, true, clock.now() - 11_000)]);
      await settled();
      await say(bob, 'hello');
      await eventually(async () => expect(said()).toContain('hello'));

      expect(live(frames())).toEqual([]);
    });

    it('does not move the cursor, so a resuming client neither misses nor repeats entries', async () => {
      const { chatUrl, ada, bob } = await setUp();
      const first = await stream(chatUrl, 'c', ada.key);
      await eventually(async () => expect(first.frames()).toHaveLength(1));
      await type(chatUrl, bob);
      await eventually(async () => expect(live(first.frames())).toHaveLength(1));
      await first.close();
      await say(bob, 'meanwhile');

      const again = await stream(chatUrl, 'c', ada.key, first.frames().at(-1)!.id);
      await eventually(async () => expect(again.said()).toEqual(['meanwhile']));
      await say(bob, 'later');
      await eventually(async () => expect(again.said()).toEqual(['meanwhile', 'later']));
    });

    it('does not disturb the official client', async () => {
      const { chatUrl, ada, bob } = await setUp();
      const { heard, listener } = await hear(ada, 'c');
      const watching = await stream(chatUrl, 'c', ada.key);
      await eventually(async () => expect(heard).toHaveLength(1));
      const { id } = await say(ada, 'first');

      await type(chatUrl, bob);
      await read(chatUrl, bob, id);
      await eventually(async () => expect(live(watching.frames())).toHaveLength(2));
      await say(bob, 'second');

      await eventually(async () => expect(texts(heard)).toEqual([undefined, 'first', 'second']));
      expect(listener.status).toBe('connected');
    });
  });

  describe.skipIf(!isNotified)('authorisation', () => {
    it('returns 401 without a key, 403 to a stranger and 404 for an unknown conversation', async () => {
      const { installation, chatUrl, ada } = await setUp();
      const stranger = await newUser(installation);
      const refusal = async (id: string, key: string | undefined) => {
        const { response, text, isOver } = await stream(chatUrl, id, key);
        await eventually(async () => expect(isOver()).toBe(true));
        expect(response.headers.get('content-type')).toBe('application/json');
        return { status: response.status, ...JSON.parse(text()) };
      };

      expect(await refusal('c', undefined)).toMatchObject({ status: 401, code: 401, type: 'Unauthorized' });
      expect(await refusal('c', stranger.key)).toMatchObject({ status: 403, code: 403, type: 'Forbidden' });
      expect(await refusal('none', ada.key)).toMatchObject({ status: 404, code: 404, type: 'ResourceNotFound' });
    });

    it('returns 400 that names an invalid Last-Event-ID', async () => {
      const { chatUrl, ada } = await setUp();

      const { response, text, isOver } = await stream(chatUrl, 'c', ada.key, 'garbage');
      await eventually(async () => expect(isOver()).toBe(true));

      expect(response.status).toBe(400);
      expect(JSON.parse(text())).toMatchObject({
        type: 'InvalidPayload',
        metadata: { issues: [{ path: 'Last-Event-ID' }] },
      });
    });
  });

  describe('after an interruption', () => {
    it('resumes after the last frame of any kind', async () => {
      const { chatUrl, ada } = await setUp();
      const first = await stream(chatUrl, 'c', ada.key);
      for (const text of ['1', '2', '3']) await say(ada, text);
      await eventually(async () => expect(first.frames()).toHaveLength(4));
      await first.close();
      await say(ada, '4');

      const ends: string[] = [];
      for (const [i, { id }] of first.frames().entries()) {
        const again = await stream(chatUrl, 'c', ada.key, id);
        const rest = ['1', '2', '3', '4'].slice(i);
        ends.push(`end ${i}`);
        await say(ada, ends.at(-1)!);
        await eventually(async () => expect(again.said().at(-1)).toBe(ends.at(-1)));
        expect(again.said()).toEqual([...rest, ...ends]);
        await again.close();
      }
    });

    it('resumes from the first chunk', async () => {
      const { chatUrl, ada } = await setUp();
      const first = await stream(chatUrl, 'c', ada.key);
      await eventually(async () => expect(first.chunks).not.toHaveLength(0));
      await first.close();
      const id = first.text().match(/^id: (.*)$/m)![1];

      const message = await say(ada, 'meanwhile');
      const again = await stream(chatUrl, 'c', ada.key, id);

      await eventually(async () => expect(again.frames().at(-1)).toMatchObject({ data: { id: message.id } }));
    });

    it('replays more than a page of missed messages once, and continues', async () => {
      const { installation, chatUrl, ada } = await setUp();
      const first = await stream(chatUrl, 'c', ada.key);
      await eventually(async () => expect(first.frames()).toHaveLength(1));
      await first.close();
      const padding = 'x'.repeat(300_000);
      for (let i = 0; i < 5; i++) await append(installation, { text: `${i}${padding}` });
      await seedMessages(installation.botId, resolveConversationId(installation.webhookId, 'c')!, 500);

      const again = await stream(chatUrl, 'c', ada.key, first.frames()[0]!.id);
      await say(ada, 'last');

      await eventually(async () => expect(again.said().at(-1)).toBe('last'));
      expect(again.said().map(text => text.slice(0, 6))).toEqual([
        ...[0, 1, 2, 3, 4].map(i => `${i}xxxxx`),
        ...Array.from({ length: 500 }, () => 'seeded'),
        'last',
      ]);
    });
  });

  describe('with differing clocks of writers', () => {
    it('neither loses nor repeats entries', async () => {
      const { installation, chatUrl, ada } = await setUp();
      const { said } = await stream(chatUrl, 'c', ada.key);
      const offsets = Array.from({ length: 40 }, (_, i) => [-2_000, 2_000, 0, -1_000, 1_500][i % 5]!);

      for (const [i, offset] of offsets.entries()) {
        await append(installation, { text: `${i}`, position: placeAt(offset) });
        clock.advance([0, 200, 20, 100, 250][(i * 3) % 5]!);
      }

      await eventually(async () => expect(said().length).toBeGreaterThan(offsets.length));
      clock.advance(CLOCKS_DIFFER_MS);
      await say(ada, `${offsets.length}`);
      await eventually(async () => expect(said()).toContain(`${offsets.length}`));
      expect(numbers(said())).toEqual([...offsets, 0].map((_, i) => i));
    });

    it('neither loses nor repeats entries across interruptions', async () => {
      const { installation, chatUrl, ada } = await setUp();
      const all: string[] = [];
      // A listener receives what is written up to two seconds before it starts, by the clock of the writer.
      let listening = await stream(chatUrl, 'c', ada.key);
      const writing = (async () => {
        for (let i = 0; i < 40; i++) {
          await append(installation, { text: `${i}`, position: placeAt([2_000, -2_000, 1_000, -500][i % 4]!) });
          clock.advance(50);
        }
      })();

      while (all.length < 41) {
        const { frames, said, close } = listening;
        await eventually(async () => expect(frames()).not.toHaveLength(0));
        await close();
        all.push(...said());
        listening = await stream(chatUrl, 'c', ada.key, frames().at(-1)!.id);
      }
      await writing;
      const last = listening;
      clock.advance(CLOCKS_DIFFER_MS);
      await say(ada, 'end');
      await eventually(async () => expect(last.said()).toContain('end'));

      expect(last.said()).toEqual(['end']);
      expect(numbers(all)).toEqual(Array.from({ length: 40 }, (_, i) => i));
    });
  });

  describe('the end of the stream', () => {
    it('occurs after all earlier messages when the listener is removed', async () => {
      const { chatUrl, ada, bob } = await setUp();
      const [bobs, adas] = await Promise.all([stream(chatUrl, 'c', bob.key), stream(chatUrl, 'c', ada.key)]);
      await say(ada, 'before');

      await ada.client.removeParticipant({ conversationId: 'c', userId: 'bob' });
      await say(ada, 'after');

      await eventually(async () => expect(bobs.isOver()).toBe(true));
      await eventually(async () => expect(adas.frames()).toHaveLength(4));
      expect(bobs.frames().map(({ type }) => type)).toEqual(['participant_added', 'message_created']);
      expect(bobs.said()).toEqual([undefined, 'before']);
      expect(adas.isOver()).toBe(false);
    });

    it('does not occur for a user who left and rejoined before listening', async () => {
      const { chatUrl, ada, bob } = await setUp();
      await ada.client.removeParticipant({ conversationId: 'c', userId: 'bob' });
      await ada.client.addParticipant({ conversationId: 'c', userId: 'bob' });

      const { frames, isOver } = await stream(chatUrl, 'c', bob.key);
      await say(ada, 'hello');

      await eventually(async () => expect(frames().at(-1)).toMatchObject({ type: 'message_created' }));
      expect(isOver()).toBe(false);
      expect(frames().map(({ type }) => type)).toEqual(['participant_added', 'participant_added', 'message_created']);
    });

    it('disconnects the official client with an error', async () => {
      const { ada, bob } = await setUp();
      const { listener } = await hear(bob, 'c');

      await ada.client.removeParticipant({ conversationId: 'c', userId: 'bob' });

      await eventually(async () => expect(listener.status).toBe('disconnected'));
    });

    it('occurs when the conversation is deleted, even if it is created again', async () => {
      const { chatUrl, ada, bob } = await setUp();
      const [bobs, adas] = await Promise.all([stream(chatUrl, 'c', bob.key), stream(chatUrl, 'c', ada.key)]);

      await ada.client.deleteConversation({ id: 'c' });
      await ada.client.createConversation({ id: 'c' });
      await say(ada, 'in another life');

      await inFastTime(() => eventually(async () => expect([bobs.isOver(), adas.isOver()]).toEqual([true, true])));
      expect([...bobs.said(), ...adas.said()]).not.toContain('in another life');
    });

    it('occurs when the user is deleted', async () => {
      const { chatUrl, ada, bob } = await setUp();
      const { frames, isOver, said } = await stream(chatUrl, 'c', bob.key);
      await eventually(async () => expect(frames()).toHaveLength(1));

      await bob.client.deleteUser({});
      if (isNotified) await say(ada, 'after');

      await eventually(async () => expect(isOver()).toBe(true));
      expect(said()).not.toContain('after');
    });

    it.skipIf(isNotified)('occurs when the client disconnects, without further reads', async () => {
      const { installation, chatUrl, ada } = await setUp();
      const partition = `${installation.botId}#${resolveConversationId(installation.webhookId, 'c')}`;
      let reads = 0;
      documents.middlewareStack.add(
        next => args => {
          if (JSON.stringify(args.input).includes(partition)) reads++;
          return next(args);
        },
        { step: 'initialize', name: 'reads', override: true },
      );
      closing.push(() => documents.middlewareStack.remove('reads'));
      const { close } = await stream(chatUrl, 'c', ada.key);
      await eventually(async () => expect(reads).toBeGreaterThan(3));

      await close();

      await eventually(async () => {
        const before = reads;
        for (let round = 0; round < 5; round++) {
          clock.advance(2_000);
          // This call takes longer than a poll.
          await ada.client.getUser({});
        }
        expect(reads).toBe(before);
      });
    });
  });
});
