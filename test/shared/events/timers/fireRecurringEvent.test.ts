/** Tests that recurring events fire by cron, once per tick. The clock is a parameter. */
import { SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { enqueueUpcomingTimers } from '#functions/events/enqueueUpcomingTimers.ts';
import { fireTimers } from '#functions/events/fireTimers.ts';
import { accessOfConsumer } from '#infra/bundle/functionAccess.ts';
import { lambdaContext } from '#infra/local/runtime/lambdaContext.ts';
import { inRole } from '#infra/local/services/tableGuard.ts';
import { clock } from '#shared/core/clock.ts';
import { fireTimer } from '#shared/events/timers/fireTimer.ts';
import { listTimers, type Timer } from '#shared/storage/dynamodb/timers/timers.ts';
import { startEndpoint, type TestEndpoint } from '#test/support/endpoint.ts';
import { crowds, eventually, newBot, settled, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { sentBy } from '#test/support/sent.ts';

useSharedPlatform();

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
/** Is half an hour away, so that no queue fires it during the test. */
const MINUTE = (new Date(clock.now()).getUTCMinutes() + 30) % 60;
const HOURLY = `${MINUTE} * * * *`;
const YEARLY = '30 4 1 1 *';

const endpoints: TestEndpoint[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  for (const each of endpoints.splice(0)) each.stop();
});

const recurring = (cron: string, payload: Record<string, unknown> = {}, type = 'tick') => ({
  schedule: { cron },
  type,
  payload,
});
type RecurringEvent = ReturnType<typeof recurring>;

/** Creates a bot, by default without an endpoint. */
async function botWith(recurringEvents: Record<string, RecurringEvent>, url?: string): Promise<TestBot> {
  const bot = await newBot();
  await bot.workspace.owner.client.updateBot({ id: bot.id, recurringEvents, ...(url ? { url } : {}) });
  return bot;
}

const change = ({ id, workspace }: TestBot, recurringEvents: Record<string, RecurringEvent | null>) =>
  workspace.owner.client.updateBot({ id, recurringEvents });

async function timersOf({ id }: Pick<TestBot, 'id'>): Promise<Timer[]> {
  const all: Timer[] = [];
  for await (const page of listTimers(clock.now() + 9 * 366 * DAY_MS))
    all.push(...page.filter(({ pk }) => pk.startsWith(id)));
  return all;
}

async function onlyTimer(bot: Pick<TestBot, 'id'>): Promise<Timer> {
  const [only, ...others] = await timersOf(bot);
  expect(others).toEqual([]);
  return only!;
}

/** Runs in the role of the function that fires timers. */
const fire = inRole('fireTimers', accessOfConsumer(fireTimers), fireTimer);

const eventsOf = async ({ client }: TestBot) => (await client.listEvents({ type: 'tick' })).events;
/** Returns the first time after now with the minutes of the hourly tick. */
const nextTickMs = () => {
  const tick = new Date(clock.now()).setUTCMinutes(MINUTE, 0, 0);
  return tick > clock.now() ? tick : tick + HOUR_MS;
};

describe('a tick', () => {
  it('is delivered as the declared event, and sets the timer to the next tick', async () => {
    const endpoint = await startEndpoint();
    endpoints.push(endpoint);
    const bot = await botWith({ hourly: recurring(HOURLY, { depth: [1, null, '🦜'] }) }, endpoint.url);
    const timer = await onlyTimer(bot);

    const outcome = await fire(timer, timer.dueMs);

    expect(timer.dueMs).toBe(nextTickMs());
    expect(outcome).toBe('done');
    await eventually(async () => expect(endpoint.events()).toHaveLength(1));
    expect(endpoint.events()).toEqual([
      {
        id: expect.stringMatching(/^evb_/),
        createdAt: new Date(timer.dueMs).toISOString(),
        type: 'tick',
        payload: { depth: [1, null, '🦜'] },
        status: 'pending',
        failureReason: null,
      },
    ]);
    await eventually(async () => expect(await eventsOf(bot)).toMatchObject([{ status: 'processed' }]));
    expect((await onlyTimer(bot)).dueMs).toBe(timer.dueMs + HOUR_MS);
  });

  it('fires once despite repeated and concurrent processing', async () => {
    const bot = await botWith({ hourly: recurring(HOURLY) });
    const timer = await onlyTimer(bot);

    const early = await fire(timer, timer.dueMs - 1);
    const outcomes = await crowds(10, () => fire(timer, timer.dueMs));
    const again = await fire(timer, timer.dueMs + MINUTE_MS);

    expect(early).toBe('later');
    expect(outcomes.filter(outcome => outcome === 'done')).toHaveLength(1);
    expect(again).toBe('later');
    expect(await eventsOf(bot)).toHaveLength(1);
  });

  it('does not fire twice after its schedule was removed and set again', async () => {
    const bot = await botWith({ hourly: recurring(HOURLY) });
    const timer = await onlyTimer(bot);
    await fire(timer, timer.dueMs);
    await change(bot, { hourly: null });
    // The tick is in the future of this call's clock.
    await change(bot, { hourly: recurring(HOURLY) });

    const outcome = await fire(timer, timer.dueMs);

    expect(outcome).toBe('gone');
    expect(await eventsOf(bot)).toHaveLength(1);
    expect((await onlyTimer(bot)).dueMs).toBe(timer.dueMs + HOUR_MS);
  });

  it('is delivered in order, with large payloads, independently of another recurring event', async () => {
    const endpoint = await startEndpoint();
    endpoints.push(endpoint);
    const text = 'x'.repeat(600_000);
    const bot = await botWith({ a: recurring(HOURLY, { text }), b: recurring(YEARLY, {}, 'yearly') }, endpoint.url);
    const ticks: number[] = [];

    for (let i = 0; i < 4; i++) {
      const timer = (await timersOf(bot)).find(({ sk }) => sk.endsWith('#a'))!;
      ticks.push(timer.dueMs);
      await fire(timer, timer.dueMs);
    }

    await eventually(async () => expect(endpoint.events()).toHaveLength(4));
    expect(endpoint.events().map(({ createdAt }) => Date.parse(createdAt))).toEqual(ticks);
    expect(endpoint.events().every(({ payload }) => payload.text === text)).toBe(true);
  });

  it('remains pending without an endpoint, like any event', async () => {
    const bot = await botWith({ hourly: recurring(HOURLY) });
    const timer = await onlyTimer(bot);

    await fire(timer, timer.dueMs);
    await settled();

    expect(await eventsOf(bot)).toMatchObject([{ status: 'pending' }]);
  });
});

describe('a timer after an outage', () => {
  it('fires once for all missed ticks, then at the next future tick', async () => {
    const bot = await botWith({ hourly: recurring(HOURLY) });
    const timer = await onlyTimer(bot);
    const nowMs = timer.dueMs + 7.5 * HOUR_MS;

    const outcomes = [await fire(timer, nowMs), await fire(await onlyTimer(bot), nowMs)];

    expect(outcomes).toEqual(['done', 'later']);
    expect(await eventsOf(bot)).toMatchObject([{ createdAt: new Date(timer.dueMs).toISOString() }]);
    expect((await onlyTimer(bot)).dueMs).toBe(timer.dueMs + 8 * HOUR_MS);
  });

  it('is found in the table, without earlier jobs', async () => {
    const bot = await botWith({ yearly: recurring(YEARLY) });
    const timer = await onlyTimer(bot);
    const send = vi.spyOn(SQSClient.prototype, 'send').mockResolvedValue({} as never);
    vi.spyOn(clock, 'now').mockReturnValue(timer.dueMs + DAY_MS);
    await enqueueUpcomingTimers.handle({}, lambdaContext('enqueueUpcomingTimers', MINUTE_MS));
    vi.restoreAllMocks();
    const jobs = sentBy(send).map(({ MessageBody }) => JSON.parse(MessageBody!));
    const job: Timer = jobs.find(({ pk }) => pk === timer.pk);

    const outcome = await fire(job, timer.dueMs + DAY_MS);

    expect(outcome).toBe('done');
    expect(await eventsOf(bot)).toHaveLength(1);
    expect(new Date((await onlyTimer(bot)).dueMs).toISOString()).toMatch(/^\d{4}-01-01T04:30:00\.000Z$/);
  });
});

describe('a change of the bot', () => {
  it('moves the timer with the schedule, and keeps it for an unchanged schedule', async () => {
    const bot = await botWith({ r: recurring(YEARLY, { n: 1 }) });
    const yearly = await onlyTimer(bot);
    await change(bot, { r: recurring(HOURLY, { n: 1 }) });
    const hourly = await onlyTimer(bot);
    await fire(hourly, hourly.dueMs);
    const second = await onlyTimer(bot);
    await change(bot, { r: recurring(HOURLY, { n: 2 }) });
    const kept = await onlyTimer(bot);

    const outcomes = [await fire(yearly, yearly.dueMs), await fire(kept, kept.dueMs)];

    expect(hourly.dueMs).toBe(nextTickMs());
    expect(kept).toEqual(second);
    expect(outcomes).toEqual(['later', 'done']);
    expect((await eventsOf(bot)).map(({ payload }) => payload.n).sort()).toEqual([1, 2]);
  });

  it('removes the timer with the recurring event', async () => {
    const bot = await botWith({ stays: recurring(YEARLY), goes: recurring(HOURLY) });
    const goes = (await timersOf(bot)).find(({ sk }) => sk.endsWith('#goes'))!;
    await change(bot, { goes: null, unknown: null });

    const outcome = await fire(goes, goes.dueMs);

    expect(outcome).toBe('gone');
    expect((await onlyTimer(bot)).sk).toMatch(/#stays$/);
    expect(await eventsOf(bot)).toEqual([]);
  });

  it('sets no timer if the update is rejected', async () => {
    const bot = await botWith({ r: recurring(HOURLY) });
    const before = await onlyTimer(bot);

    const refused = change(bot, { r: recurring(YEARLY), more: recurring('every day') });

    await expect(refused).rejects.toMatchObject({ code: 400 });
    expect(await onlyTimer(bot)).toEqual(before);
  });
});

describe('the end of the bot', () => {
  it('removes its recurring events, including those about to fire', async () => {
    const bot = await botWith({ hourly: recurring(HOURLY) });
    const timer = await onlyTimer(bot);
    await bot.workspace.owner.client.deleteBot({ id: bot.id });

    const outcome = await fire(timer, timer.dueMs);

    expect(outcome).toBe('gone');
    await eventually(async () => expect(await timersOf(bot)).toEqual([]));
  });
});

it('keeps the recurring events of a bot that moves to another workspace', async () => {
  const { client } = (await botWith({})).workspace.owner;
  const { bot } = await client.createBot({ recurringEvents: { hourly: recurring(HOURLY) } });
  const target = await client.createWorkspace({ name: 'Target' });
  await client.transferBot({ id: bot.id, targetWorkspaceId: target.id });

  const outcome = await onlyTimer(bot).then(timer => fire(timer, timer.dueMs));

  expect(outcome).toBe('done');
});
