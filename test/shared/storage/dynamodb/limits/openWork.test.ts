import { describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { randomText } from '#shared/core/ids.ts';
import { readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { openWorkKey } from '#shared/storage/dynamodb/keys/openWork.ts';
import { endLease, findLeases, type Lease, takeLease } from '#shared/storage/dynamodb/limits/openWork.ts';
import { counted } from '#test/budgets/counter.ts';
import { useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const MINUTE_MS = 60_000;
const PERIOD_MS = 5 * MINUTE_MS;
/** The start of a period. */
const START_MS = Math.ceil(clock.now() / PERIOD_MS) * PERIOD_MS;

const termAt = (nowMs: number) => ({ nowMs, untilMs: nowMs + 14 * MINUTE_MS, periodMs: PERIOD_MS });
const newSubject = () => randomText(22);
const taken = (leases: readonly (Lease | undefined)[]) => leases.filter(lease => lease !== undefined);

describe('leases of open work', () => {
  it('does not exceed the limit for concurrent callers', async () => {
    const subject = newSubject();

    const leases = await Promise.all(Array.from({ length: 40 }, () => takeLease(subject, 7, termAt(START_MS))));

    expect(taken(leases)).toHaveLength(7);
  });

  it('frees capacity when it ends', async () => {
    const subject = newSubject();
    const first = await takeLease(subject, 1, termAt(START_MS));
    const refused = await takeLease(subject, 1, termAt(START_MS));

    await endLease(first!);

    expect(refused).toBeUndefined();
    expect(await takeLease(subject, 1, termAt(START_MS))).toBeDefined();
  });

  it('expires after its process crashed, even before TTL deletes it', async () => {
    const subject = newSubject();
    await Promise.all(Array.from({ length: 3 }, () => takeLease(subject, 3, termAt(START_MS))));

    const before = await takeLease(subject, 3, termAt(START_MS + 14 * MINUTE_MS));
    const after = await Promise.all(
      Array.from({ length: 10 }, () => takeLease(subject, 3, termAt(START_MS + 14 * MINUTE_MS + PERIOD_MS))),
    );

    expect(before).toBeUndefined();
    expect(taken(after)).toHaveLength(3);
  });

  it('is not counted twice if it ends after it expired', async () => {
    const subject = newSubject();
    const late = await takeLease(subject, 1, termAt(START_MS));
    const next = await takeLease(subject, 1, termAt(START_MS + 20 * MINUTE_MS));

    await endLease(late!);

    expect(next).toBeDefined();
    expect(await takeLease(subject, 1, termAt(START_MS + 20 * MINUTE_MS))).toBeUndefined();
  });

  it('costs one write unit to acquire and one to release', async () => {
    const subject = newSubject();
    await takeLease(subject, 1_000, termAt(START_MS));

    const count = await counted(async () => endLease((await takeLease(subject, 1_000, termAt(START_MS)))!));

    expect(count).toMatchObject({ calls: 2, writeUnits: 2 });
  });

  it('occupies one item of constant size', async () => {
    const subject = newSubject();
    for (let minute = 0; minute < 120; minute++) {
      const lease = await takeLease(subject, undefined, termAt(START_MS + minute * MINUTE_MS));
      if (minute % 2 === 0) await endLease(lease!);
    }

    const item = await readItem(openWorkKey(subject));

    // Periods of the last 14 minutes, the key, the sum, the expiry and the mark of the last write.
    expect(Object.keys(item!).filter(name => name.startsWith('w')).length).toBeLessThanOrEqual(4);
    expect(Object.keys(item!).length).toBeLessThanOrEqual(9);
  });

  it('is read in one call, and distinguishes no leases from a lease that just ended', async () => {
    const [busy, quiet, unknown] = [newSubject(), newSubject(), newSubject()];
    await takeLease(busy, undefined, termAt(START_MS));
    await endLease((await takeLease(quiet, undefined, termAt(START_MS)))!);

    let found: unknown;
    const count = await counted(async () => {
      found = await findLeases([busy, quiet, unknown], termAt(START_MS));
    });

    expect(found).toEqual([1, 0, undefined]);
    expect(count.calls).toBe(1);
    expect(await findLeases([busy, quiet], termAt(START_MS + 20 * MINUTE_MS))).toEqual([undefined, undefined]);
  });
});
