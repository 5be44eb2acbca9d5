/** Compares the figures of `npm run cost` with the platform's behavior. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it, vi } from 'vitest';
import * as consumers from '#functions/events/index.ts';
import { lambdaContext } from '#infra/local/runtime/lambdaContext.ts';
import { type Action, FIGURES, listenedHour } from '#infra/operator/cost/figures.ts';
import { clock } from '#shared/core/clock.ts';
import { PASSES_PER_ROUND, type PingLoop } from '#shared/storage/dynamodb/connections/pingLoops.ts';
import { readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { pingLoopKey } from '#shared/storage/dynamodb/keys/connections.ts';
import type { ConnectionJob } from '#shared/storage/queues/connectionJobs.ts';
import { startEndpoint } from '#test/support/endpoint.ts';
import { call, chat, eventually, newBot, newUser, settled, type TestBot, usePlatform } from '#test/support/platform.ts';
import { newTableName } from '#test/support/requests/tables.ts';
import { listenOfficial, listenOwn } from '#test/support/sockets.ts';
import { scanItems } from '#test/support/tableItems.ts';
import { isComplete } from '#test/support/tier.ts';
import { startUnitMeter, type UnitMeter } from '#test/support/unitMeter.ts';

let meter: UnitMeter;
usePlatform(async endpoint => {
  meter = await startUnitMeter(endpoint);
  return meter.url;
});
afterAll(() => meter.stop());

let batches = 0;
let jobs = 0;
for (const consumer of Object.values(consumers)) {
  const { handle } = consumer;
  vi.spyOn(consumer, 'handle').mockImplementation((async (event: never, context: never) => {
    if ('stream' in consumer.trigger) batches++;
    if ('queue' in consumer.trigger) jobs++;
    return handle(event, context);
  }) as never);
}

const ITEM_OVERHEAD = 100;

/** Estimates the billed size of a bot's items. Index entries contain only keys. */
async function storedBytes(botId: string): Promise<number> {
  const items = await scanItems(botId);
  return items.reduce((sum: number, item) => {
    const entries = Object.keys(item).filter(name => /^gsi\dSk$/.test(name));
    const keys = ['pk', 'sk', 'gsiPk'].reduce((size, name) => size + String(item[name] ?? '').length, 0);
    const inIndexes = entries.reduce((size, name) => size + keys + String(item[name]).length + ITEM_OVERHEAD, 0);
    return sum + JSON.stringify(item).length + ITEM_OVERHEAD + inIndexes;
  }, 0);
}

const TIMES = 6;

interface Measured {
  batches: number;
  jobs: number;
  calls: number;
  readUnits: number;
  writeUnits: number;
  bytes: number;
}

/** Measures each repetition separately. */
async function alone(bot: TestBot, act: (index: number) => Promise<unknown>): Promise<Measured> {
  await act(TIMES);
  await settled();
  const bytesBefore = await storedBytes(bot.id);
  meter.take();
  [batches, jobs] = [0, 0];
  for (let i = 0; i < TIMES; i++) {
    await act(i);
    await settled();
  }
  await settled();
  const { units, readUnits, calls, byItem } = meter.take();
  const measured = { batches, jobs, calls, readUnits, writeUnits: units };
  const bytes = (await storedBytes(bot.id)) - bytesBefore;
  const each = Object.fromEntries(Object.entries({ ...measured, bytes }).map(([name, sum]) => [name, sum / TIMES]));
  process.stdout.write(`${JSON.stringify(each)} ${JSON.stringify(byItem)}\n`);
  return each as unknown as Measured;
}

/** Accepts a figure that exceeds the measured value by at most a quarter, or by two. */
function expectFigure(action: Action, measured: Measured): void {
  const { requests: _, ownWriteUnits, conversationWriteUnits, sharedWriteUnits, ...others } = FIGURES[action];
  const figure: Measured = { ...others, writeUnits: ownWriteUnits + conversationWriteUnits + sharedWriteUnits };
  for (const [name, value] of Object.entries(figure)) {
    const is = measured[name as keyof Measured];
    const slack = name === 'bytes' ? 200 : 2;
    // On a slow machine the cached caller expires, or a write's changes arrive in two batches.
    const least = ['calls', 'batches'].includes(name) ? Math.floor(is) : is;
    expect(value, `${action}.${name}: ${is} measured`).toBeGreaterThanOrEqual(least);
    expect(value, `${action}.${name}: ${is} measured`).toBeLessThanOrEqual(is * 1.25 + slack);
  }
}

async function conversationOf(bot: TestBot) {
  const { client } = await newUser(bot);
  const { conversation } = await client.createConversation({});
  return { client, conversationId: conversation.id };
}

const TEXT = 'Where is my order, please? It was to come on Tuesday, and nobody has told me anything since.';

describe('a single action', () => {
  it('matches the documented cost of a user with a conversation', async () => {
    const bot = await newBot();
    const chatClient = new chat.Client({ apiUrl: bot.chatUrl });

    const measured = await alone(bot, async () => {
      const { key } = await chatClient.createUser({ name: 'Ada' });
      await chatClient.createConversation({ 'x-user-key': key });
    });

    expectFigure('conversation', measured);
  });

  it('matches the documented cost of a message to a silent bot', async () => {
    const bot = await newBot();
    const { client, conversationId } = await conversationOf(bot);

    const measured = await alone(bot, () =>
      client.createMessage({ conversationId, payload: { type: 'text', text: TEXT } }),
    );

    expectFigure('message', measured);
  });

  it("matches the documented cost of a message and the bot's reply", async () => {
    const bot = await newBot();
    let answered = 0;
    const endpoint = await startEndpoint(async ({ text, operation }, response) => {
      if (operation === 'event_received') {
        const { conversationId } = JSON.parse(text).event;
        const answer = { conversationId, userId: bot.id, type: 'text', payload: { text: TEXT }, tags: {} };
        await bot.client.createMessage(answer);
        answered++;
      }
      response.end('{}');
    });
    await bot.workspace.owner.client.updateBot({ id: bot.id, url: endpoint.url });
    const { client, conversationId } = await conversationOf(bot);
    let said = 0;

    const measured = await alone(bot, async () => {
      said++;
      await client.createMessage({ conversationId, payload: { type: 'text', text: TEXT } });
      await eventually(async () => expect(answered).toBe(said));
    });
    endpoint.stop();

    expectFigure('answeredMessage', measured);
  });

  it('matches the documented cost of an upload', async () => {
    const bot = await newBot();

    const measured = await alone(bot, async index => {
      await bot.client.uploadFile({ key: `file-${index}.bin`, content: 'x'.repeat(1024) });
    });

    expectFigure('upload', measured);
  });

  it.skipIf(!isComplete)(
    'matches the documented cost of an indexed file, each of its pages, and a search',
    { timeout: 300_000 },
    async () => {
      const bot = await newBot();
      const text = readFileSync(join(import.meta.dirname, '../bench/corpus/classics/aesop.md'), 'utf8');
      const [page, further] = [3_000, 6];
      // Waiting for the status causes calls.
      const indexed = (pages: number) => async (index: number) => {
        await bot.client.uploadFile({ key: `${pages}-${index}.md`, content: text.slice(0, pages * page), index: true });
      };

      const short = await alone(bot, indexed(1));
      const long = await alone(bot, indexed(1 + further));
      const search = await alone(bot, () => bot.client.searchFiles({ query: 'Who pulled the thorn out of the paw?' }));

      expectFigure('indexedFile', short);
      const more = Object.entries(long).map(([name, sum]) => [name, (sum - short[name as keyof Measured]) / further]);
      expectFigure('indexedPage', Object.fromEntries(more));
      expectFigure('search', search);
    },
  );

  it('matches the documented cost of twenty rows in one call', async () => {
    const bot = await newBot();
    const { table } = await bot.client.createTable({ name: newTableName(), schema: { name: 'Ada', about: 'text' } });
    const rows = Array.from({ length: 20 }, (_, i) => ({ name: `Ada ${i}`, about: 'x'.repeat(250) }));

    const measured = await alone(bot, () => bot.client.createTableRows({ table: table.id, rows }));

    expectFigure('rowCall', measured);
  });

  it("matches the documented cost of a renewal of a member's presence", async () => {
    const bot = await newBot();
    const { conversationId } = await conversationOf(bot);
    const { token } = bot.workspace.owner;

    const measured = await alone(bot, () => {
      clock.advance(45_000);
      return bot.call('POST', `/conversations/${conversationId}/presence`, { token, body: { state: 'viewing' } });
    });

    expectFigure('presence', measured);
  });

  it('matches the documented cost of a page that a visitor opens', async () => {
    const bot = await newBot();
    const { key, client } = await newUser(bot);
    const { conversation } = await client.createConversation({});

    const measured = await alone(bot, index =>
      call(`${bot.chatUrl}/conversations/${conversation.id}/visit`, {
        method: 'PUT',
        key,
        body: { url: `https://shop.example/teas/${index}`, title: 'Green tea' },
      }),
    );

    expectFigure('visit', measured);
  });

  it('matches the documented cost of a page of messages', async () => {
    const bot = await newBot();
    const { client, conversationId } = await conversationOf(bot);
    for (let i = 0; i < 20; i++) await client.createMessage({ conversationId, payload: { type: 'text', text: TEXT } });

    const measured = await alone(bot, () => client.listMessages({ conversationId }));

    expectFigure('page', measured);
  });
});

describe('listening by push', () => {
  const listeningOf = async () => {
    const bot = await newBot();
    const { client, key } = await newUser(bot);
    const { conversation } = await client.createConversation({});
    return { bot, client, chatUrl: bot.chatUrl, key, conversationId: conversation.id };
  };

  it('costs the documented figures for a connection that opens and closes', async () => {
    const listening = await listeningOf();

    const measured = await alone(listening.bot, async () => {
      const listener = await listenOwn(listening);
      listener.close();
      await listener.closed;
    });

    expectFigure('connection', measured);
  });

  it('costs the documented figures for a message that one connection receives', async () => {
    const { bot, client, conversationId, ...listening } = await listeningOf();
    const listener = await listenOwn({ ...listening, conversationId });

    const measured = await alone(bot, async () => {
      const received = listener.frames.length;
      await client.createMessage({ conversationId, payload: { type: 'text', text: TEXT } });
      await eventually(async () => expect(listener.frames.length).toBeGreaterThan(received));
    });
    listener.close();

    expectFigure('pushedMessage', measured);
  });

  it('costs the documented figures for a pass of pings', async () => {
    const { bot, ...listening } = await listeningOf();
    const listener = await listenOfficial(listening);
    const { loopId } = (await readItem(pingLoopKey(bot.id))) as unknown as PingLoop;
    const handle = (job: ConnectionJob) =>
      consumers.keepConnections.handle(
        { Records: [{ body: JSON.stringify(job) }] } as never,
        lambdaContext('keepConnections', 60_000) as never,
      );
    let round = 0;

    const measured = await alone(bot, async () => {
      for (let i = 1; i < PASSES_PER_ROUND; i++) await handle({ kind: 'plannedPing', botId: bot.id });
      await handle({ kind: 'ping', botId: bot.id, loopId, round: round++ });
    });
    listener.close();

    expect(listener.texts.length).toBe((TIMES + 1) * PASSES_PER_ROUND);
    const ofPass = Object.entries(measured).map(([name, sum]) => [name, sum / PASSES_PER_ROUND]);
    expectFigure('pingPass', Object.fromEntries(ofPass));
  });
});

it('charges an hour of listening as docs/performance.md states', () => {
  expect(Math.round(listenedHour(60_000) / 100)).toBe(85);
  expect(Math.round(listenedHour(600_000) / 100)).toBe(24);
});
