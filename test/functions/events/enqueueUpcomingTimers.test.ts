/** What is due later than a queue can hold is put there in time, and what should have been done is put there again. */
import { type SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterEach, expect, it, vi } from 'vitest';
import { enqueueUpcomingTimers } from '#functions/events/enqueueUpcomingTimers.ts';
import { lambdaContext } from '#infra/local/services/lambdaContext.ts';
import { timerListing } from '#shared/dynamodb/keys/timers.ts';
import { newBot, settled, usePlatform } from '#test/support/platform.ts';

usePlatform();
afterEach(() => vi.restoreAllMocks());

const MINUTE_MS = 60_000;

/** Runs it at a time, and gives what it put on the queue for a bot: what, and for how many seconds. */
async function jobsAt(nowMs: number, botId: string) {
  const send = vi.spyOn(SQSClient.prototype, 'send').mockResolvedValue(undefined as never);
  vi.spyOn(Date, 'now').mockReturnValue(nowMs);
  await enqueueUpcomingTimers.handle({}, lambdaContext('enqueueUpcomingTimers', MINUTE_MS));
  const inputs = send.mock.calls.map(([command]) => (command as SendMessageCommand).input);
  vi.restoreAllMocks();
  return inputs
    .map(({ MessageBody, DelaySeconds }) => ({ ...JSON.parse(MessageBody!), seconds: DelaySeconds }))
    .filter(({ pk }) => pk.startsWith(botId));
}

it('puts what comes within a quarter of an hour on the queue, until just its time', async () => {
  const { client, id } = await newBot();
  const nowMs = Date.now();
  const at = (minutes: number) => ({ dateTime: new Date(nowMs + minutes * MINUTE_MS).toISOString() });
  await client.createEvent({ type: 'far', payload: {}, schedule: at(60) });
  await client.createEvent({ type: 'near', payload: {}, schedule: at(30) });
  // What reacts to them puts jobs on the same queue.
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
  // The job for it got lost: it is done late, and not never.
  expect(jobs.longAfter.map(({ seconds }) => seconds).sort()).toEqual([0, 600]);
});

it('finds them by their time alone, whichever bot they are of', () => {
  const key = { pk: 'bot#convo', sk: 'due#event#1' };

  expect(timerListing(1_800_000_000_000, key).gsi1Sk < timerListing(1_800_000_000_001, key).gsi1Sk).toBe(true);
});
