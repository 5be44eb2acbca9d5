/** The total DynamoDB cost of a message, a conversation and an upload, including asynchronous work. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { gathering } from '#infra/local/services/streamBatches.ts';
import { FIGURES } from '#infra/operator/cost/figures.ts';
import { startEndpoint } from '#test/support/endpoint.ts';
import { eventually, newBot, newUser, settled, type TestBot, usePlatform } from '#test/support/platform.ts';
import { isComplete } from '#test/support/tier.ts';
import { startUnitMeter, type UnitMeter } from '#test/support/unitMeter.ts';

let meter: UnitMeter;
usePlatform(async endpoint => {
  meter = await startUnitMeter(endpoint);
  return meter.url;
});
afterAll(() => meter.stop());

/** `BURST=400` measures what docs/performance.md cites, as deployed. */
const BURST = Number(process.env.BURST ?? (isComplete ? 120 : 48));
// As with `npm start` and as deployed: the number of changes per batch depends on it.
beforeAll(() => {
  gathering.share = BURST >= 400 ? 1 : 0.2;
});
/** `PARTICIPANTS=1000` measures what docs/performance.md cites. */
const PARTICIPANTS = Number(process.env.PARTICIPANTS ?? 20);
const AT_ONCE = 16;

async function burst(times: number, act: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const caller = async () => {
    while (next < times) await act(next++);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, caller));
}

/** Excludes counts per batch and token use per hour. Longer bursts produce more batches. */
const COUNTED = /^(?:TransactUpdate |TransactPut totals counted|UpdateItem bot token)/;

/** Returns write units per action, including consumers, and those that no batch shares. */
async function unitsEach(times: number, act: (index: number) => Promise<unknown>, done = async () => {}) {
  await settled();
  meter.take();
  await burst(times, act);
  await done();
  await settled();
  const { units, byItem, readUnits, calls } = meter.take();
  const each = units / times;
  const reads = `${(readUnits / times).toFixed(2)} read, ${(calls / times).toFixed(2)} calls`;
  process.stdout.write(`${each.toFixed(2)} written, ${reads} ${JSON.stringify(byItem)}\n`);
  const own = Object.entries(byItem).reduce((sum, [item, n]) => (COUNTED.test(item) ? sum : sum + n), 0) / times;
  return { each, own };
}

async function talk(bot: TestBot, others: number) {
  const { client, user } = await newUser(bot);
  const { conversation } = await client.createConversation({});
  const { id: conversationId } = conversation;
  await burst(others, async () => {
    const { user: other } = await bot.client.createUser({ tags: {} });
    await bot.client.addParticipant({ id: conversationId, userId: other.id });
  });
  const say = (index: number) =>
    client.createMessage({ conversationId, payload: { type: 'text', text: `Message ${index}` } });
  return { client, user, conversationId, say };
}

async function answering(bot: TestBot) {
  let answered = 0;
  const endpoint = await startEndpoint(async ({ text, operation }, response) => {
    if (operation === 'event_received') {
      const { event } = JSON.parse(text);
      const { conversationId } = event;
      const payload = { text: 'Answer' };
      await bot.client.createMessage({ conversationId, userId: bot.id, type: 'text', payload, tags: {} });
      answered++;
    }
    response.end('{}');
  });
  await bot.workspace.owner.client.updateBot({ id: bot.id, url: endpoint.url });
  return { ...endpoint, until: (count: number) => eventually(async () => expect(answered).toBe(count), 120_000) };
}

describe(`in a burst of ${BURST}`, () => {
  it('costs at most 3 write units for a message to a silent bot', async () => {
    const { say } = await talk(await newBot(), 0);

    const { each, own } = await unitsEach(BURST, say);

    expect(each).toBeLessThanOrEqual(3);
    expect(own).toBeLessThanOrEqual(FIGURES.message.ownWriteUnits);
  });

  it(`costs at most 9 write units for a message and the bot’s reply, with 1 or ${PARTICIPANTS} participants`, {
    timeout: 300_000,
  }, async () => {
    const costs: { each: number; own: number }[] = [];
    for (const others of [0, PARTICIPANTS - 1]) {
      const bot = await newBot();
      const { say } = await talk(bot, others);
      const endpoint = await answering(bot);
      costs.push(await unitsEach(BURST, say, () => endpoint.until(BURST)));
      endpoint.stop();
    }
    const [alone, together] = costs as [(typeof costs)[0], (typeof costs)[0]];

    // Two entries, the event, its two list entries, and its end.
    expect(alone.own).toBeLessThanOrEqual(FIGURES.answeredMessage.ownWriteUnits);
    expect(together.own).toBeLessThanOrEqual(FIGURES.answeredMessage.ownWriteUnits);
    // In a short burst on a busy machine, few actions share a counter update.
    expect(alone.each).toBeLessThanOrEqual(BURST >= 400 ? 9 : 12);
    expect(together.each).toBeLessThanOrEqual((BURST >= 400 ? 1.2 : 1.5) * alone.each);
  });

  it('costs at most 5 write units for a conversation', async () => {
    const { client } = await talk(await newBot(), 0);

    expect((await unitsEach(BURST, () => client.createConversation({}))).each).toBeLessThanOrEqual(5);
  });

  it('costs at most 9 write units, and a share of the totals, for an upload of a kilobyte', {
    timeout: 300_000,
  }, async () => {
    const bot = await newBot();

    const { each, own } = await unitsEach(BURST, async index => {
      // Does not poll for the status, because a read that comes first accepts the upload itself.
      await bot.client.uploadFile({ key: `file-${index}`, content: 'x'.repeat(1024) });
    });

    // The record and five list entries; the next version, and another entry in the list by status.
    expect(own).toBeLessThanOrEqual(FIGURES.upload.ownWriteUnits);
    // 8 units per batch of the stream, which few actions share on a busy machine.
    expect(each).toBeLessThanOrEqual(BURST >= 400 ? 10 : 12);
  });
});
