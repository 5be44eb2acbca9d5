/**
 * Tests the daily sweep of objects without a record. `test/shared/storage/dynamodb/engine/stagedObjects.test.ts` covers
 * the selection.
 */
import { afterEach, expect, it, vi } from 'vitest';
import { sweepStagedObjects } from '#functions/events/sweepStagedObjects.ts';
import { lambdaContext } from '#infra/local/runtime/lambdaContext.ts';
import { clock } from '#shared/core/clock.ts';
import { putStagedObject } from '#shared/storage/dynamodb/engine/stagedObjects.ts';
import { newAssetKey } from '#shared/storage/s3/prefixes.ts';
import { usePlatform } from '#test/support/platform.ts';
import { recordLog } from '#test/support/recordLog.ts';
import { allObjects, stagedKeys, sweepTomorrow } from '#test/support/stagedObjects.ts';

usePlatform();
afterEach(() => vi.restoreAllMocks());

const DAY_MS = 24 * 3600 * 1000;

/** Runs the consumer at a given time. @returns the fields of its log line */
async function sweepAt(nowMs: number) {
  const logged = recordLog();
  // For all callers, because the platform's other work also asks for the time.
  const now = vi.spyOn(clock, 'now').mockReturnValue(nowMs);
  await sweepStagedObjects.handle({}, lambdaContext('sweepStagedObjects', 60_000));
  now.mockRestore();
  return logged.entries.find(({ operation }) => operation === 'sweepStagedObjects');
}

it('deletes objects staged a day ago, and logs their number', async () => {
  const key = newAssetKey('tenant');
  await putStagedObject(key, Buffer.from('orphan'));
  const stagedMs = clock.now();

  const early = await sweepAt(stagedMs + DAY_MS - 60_000);
  expect(await allObjects()).toContain(key);
  const late = await sweepAt(stagedMs + DAY_MS + 60_000);

  expect(early).toMatchObject({ operation: 'sweepStagedObjects', removed: 0, isMoreLeft: false });
  expect(late).toMatchObject({ operation: 'sweepStagedObjects', removed: 1, isMoreLeft: false });
  expect(await allObjects()).not.toContain(key);
  expect(await stagedKeys()).toEqual([]);
});

it('leaves the rest to the next run after a timeout', async () => {
  const keys = Array.from({ length: 40 }, () => newAssetKey('tenant'));
  for (const key of keys) await putStagedObject(key, Buffer.from('orphan'));
  let reads = 0;

  const first = await sweepTomorrow(() => ++reads <= 35);
  const second = await sweepTomorrow();

  expect(first).toEqual({ removed: 32, isMoreLeft: true });
  expect(second).toEqual({ removed: 8, isMoreLeft: false });
  expect(await stagedKeys()).toEqual([]);
});
