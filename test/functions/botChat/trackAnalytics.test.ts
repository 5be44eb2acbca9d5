import { beforeAll, describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const today = () => new Date(clock.now()).toISOString().slice(0, 10);
const countsOf = async ({ id, workspace }: TestBot) => {
  const { records } = await workspace.owner.client.getBotAnalytics({ id, startDate: today(), endDate: today() });
  return records[0]!.customEvents;
};
const track = (bot: TestBot, body: unknown, headers: Record<string, string> = {}) =>
  bot.call('POST', '/analytics', { body, headers });

describe('POST /v1/chat/analytics', () => {
  let bot: TestBot;
  beforeAll(async () => {
    bot = await newBot();
  });

  it('adds to the counts of the day by name, for the bot and its integrations', async () => {
    await bot.client.trackAnalytics({ name: 'order placed', count: 1 });
    await bot.integration.trackAnalytics({ name: 'order placed', count: 2 });
    await bot.client.trackAnalytics({ name: 'constructor', count: 0.5 });

    expect(await countsOf(bot)).toEqual({ 'order placed': 3, constructor: 0.5 });
  });

  it('counts every one of many concurrent calls, and a repeated one once', async () => {
    const own = await newBot();

    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) => track(own, { name: `n${i % 4}`, count: 1 })),
    );
    for (let i = 0; i < 2; i++) await track(own, { name: 'once', count: 1 }, { 'idempotency-key': 'same' });

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(await countsOf(own)).toEqual({ n0: 5, n1: 5, n2: 5, n3: 5, once: 1 });
  });

  it('returns 413 for more than 100 names a day, and still counts the known ones', async () => {
    const own = await newBot();
    for (let i = 0; i < 100; i++) await track(own, { name: `n${i}`, count: 1 });

    const [more, known] = [await track(own, { name: 'more', count: 1 }), await track(own, { name: 'n7', count: 1 })];

    expect([more.status, more.body.type, known.status]).toEqual([413, 'LimitExceeded', 200]);
    const counts = await countsOf(own);
    expect([Object.keys(counts).length, counts.n7]).toEqual([100, 2]);
  });

  it('shows nothing to another bot', async () => {
    await track(bot, { name: 'private', count: 1 });

    expect(await countsOf(await newBot())).toEqual({});
  });

  it.each([
    ['a negative count', { name: 'n', count: -1 }, 'count'],
    ['a count that is no number', { name: 'n', count: '1' }, 'count'],
    ['an empty name', { name: '', count: 1 }, 'name'],
    ['a name of 201 characters', { name: 'n'.repeat(201), count: 1 }, 'name'],
  ])('returns 400 for %s', async (_, input, path) => {
    const { status, body } = await track(bot, input);

    expect({ status, path: body.metadata.issues[0].path }).toEqual({ status: 400, path });
  });
});
