/** Tests that timers beyond the queue's maximum delay are enqueued in time, and overdue ones again. */
import { randomUUID } from 'node:crypto';
import { SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, expect, it, vi } from 'vitest';
import { enqueueUpcomingTimers } from '#functions/events/enqueueUpcomingTimers.ts';
import { lambdaContext } from '#infra/local/runtime/lambdaContext.ts';
import { clock } from '#shared/core/clock.ts';
import { sendBatches } from '#shared/storage/dynamodb/engine/batch.ts';
import type { Key } from '#shared/storage/dynamodb/keys/table.ts';
import { timerKey, timerListing } from '#shared/storage/dynamodb/keys/timers.ts';
import { handlerOf } from '#test/support/inRoles.ts';
import { newBot, settled, useSharedPlatform } from '#test/support/platform.ts';
import { sentBy } from '#test/support/sent.ts';

useSharedPlatform();
afterEach(() => vi.restoreAllMocks());

const MINUTE_MS = 60_000;

/** Returns the item of a timer without a record. */
function timerItem(about: Key, dueMs: number) {
  const key = timerKey(about);
  return { ...key, about: about.sk, dueMs, ...timerListing(dueMs, key) };
}

/** Runs the consumer at a given time, and returns a bot's enqueued jobs with their delays in seconds. */
async function jobsAt(nowMs: number, botId: string) {
  const send = vi.spyOn(SQSClient.prototype, 'send').mockResolvedValue({} as never);
  vi.spyOn(clock, 'now').mockReturnValue(nowMs);
  await handlerOf(enqueueUpcomingTimers)({}, lambdaContext('enqueueUpcomingTimers', MINUTE_MS));
  const inputs = sentBy(send);
  vi.restoreAllMocks();
  return inputs
    .map(({ MessageBody, DelaySeconds }) => ({ ...JSON.parse(MessageBody!), seconds: DelaySeconds }))
    .filter(({ pk }) => pk.startsWith(botId));
}

it('enqueues timers due within 15 minutes with the exact delay', async () => {
  const { client, id } = await newBot();
  const nowMs = clock.now();
  const at = (minutes: number) => ({ dateTime: new Date(nowMs + minutes * MINUTE_MS).toISOString() });
  await client.createEvent({ type: 'far', payload: {}, schedule: at(60) });
  await client.createEvent({ type: 'near', payload: {}, schedule: at(30) });
  // The stream's consumer enqueues timers too.
  await settled();

  const jobs = {
    now: await jobsAt(nowMs, id),
    aQuarterBefore: await jobsAt(nowMs + 15 * MINUTE_MS, id),
    justBefore: await jobsAt(nowMs + 29 * MINUTE_MS, id),
    longAfter: await jobsAt(nowMs + 50 * MINUTE_MS, id),
  };

  expect(jobs.now).toEqual([]);
  expect(jobs.aQuarterBefore).toMatchObject([{ dueMs: nowMs + 30 * MINUTE_MS, seconds: 900 }]);
  expect(jobs.justBefore).toMatchObject([{ seconds: 60 }]);
  // The lost job fires late.
  expect(jobs.longAfter.map(({ seconds }) => seconds).sort()).toEqual([0, 600]);
});

it('enqueues timers round-robin by tenant, regardless of their number and time', async () => {
  const nowMs = clock.now();
  const [many, few] = [randomUUID(), randomUUID()];
  const about = (botId: string, i: number) => ({ pk: `${botId}#convo_${i}`, sk: 'event#1' });
  const timers = Array.from({ length: 1_000 }, (_, i) => timerItem(about(many, i), nowMs + 2 * MINUTE_MS + i));
  const later = Array.from({ length: 20 }, (_, i) => timerItem(about(few, i), nowMs + 5 * MINUTE_MS));
  await sendBatches([...timers, ...later].map(Item => ({ PutRequest: { Item } })));

  // The stream's consumer also enqueues them, in the order of the writes.
  await settled();
  const jobs = await jobsAt(nowMs, '');

  const turns = jobs.flatMap(({ pk }, i) => (pk.startsWith(few) ? [i] : []));
  const tenants = new Set(jobs.map(({ pk }) => pk.split('#')[0])).size;
  expect(jobs.length).toBeGreaterThanOrEqual(1_020);
  expect(turns).toHaveLength(20);
  expect(turns.at(-1)).toBeLessThan(20 * tenants);
  await sendBatches([...timers, ...later].map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } })));
});

it('finds timers of all bots by time', () => {
  const key = { pk: 'bot#convo', sk: 'due#event#1' };

  expect(timerListing(1_800_000_000_000, key).gsi1Sk < timerListing(1_800_000_000_001, key).gsi1Sk).toBe(true);
});
