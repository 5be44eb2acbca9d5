/** Tests that filter patterns cannot block the process: matching is metered and yields to other work. */
import { describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { parseFilter } from '#shared/domain/tables/query/filter.ts';
import { matchRows } from '#shared/domain/tables/reading/matchRows.ts';
import { ScanClock } from '#shared/domain/tables/reading/scanClock.ts';
import type { Column } from '#shared/storage/dynamodb/tables/column.ts';
import type { Row } from '#shared/storage/dynamodb/tables/row.ts';

const COLUMNS: Column[] = [{ id: 'a', name: 'text', type: 'string', nullable: true }];
/** Has about 900 instructions. No text of only a and b decides it early. */
const SLOW_PATTERN = '(a|b)*a(a|b){300}c';
const ROWS = 10;

const rows = Array.from(
  { length: ROWS },
  (_, i) => ({ id: i + 1, values: { a: 'ab'.repeat(2_000) } }) as unknown as Row,
);
const valuesOf = (row: Row) => ({ id: row.id, text: row.values.a });
const filterOf = (pattern: string) => parseFilter({ text: { $regex: pattern } }, COLUMNS);

/** Counts the turns that other work gets while `run` runs. */
async function turnsDuring(run: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isRunning = true;
  const next = () => {
    turns++;
    if (isRunning) setImmediate(next);
  };
  setImmediate(next);
  await run();
  isRunning = false;
  return turns;
}

describe('the work of patterns', () => {
  it.each([
    [SLOW_PATTERN, ROWS],
    ['a(a|b){50}c', 3],
    ['^ab+c', 0],
  ])("is charged by its instructions and the text's characters for %s", (pattern, turns) => {
    const filter = filterOf(pattern);

    const due = rows.filter(row => {
      filter.matches(valuesOf(row));
      return filter.work.isDue();
    });

    expect(due.length).toBeGreaterThanOrEqual(turns);
    expect(due.length).toBeLessThanOrEqual(turns * 2);
  });

  it('yields to other tasks between rows', async () => {
    const turns = await turnsDuring(() => matchRows(rows, filterOf(SLOW_PATTERN), valuesOf, clock.now() + 600_000));

    expect(turns).toBeGreaterThanOrEqual(3);
  });

  it.each(['^ab', 'a b', 'ab$'])('does not yield for the fast %j', async pattern => {
    const turns = await turnsDuring(() => matchRows(rows, filterOf(pattern), valuesOf, clock.now() + 600_000));

    expect(turns).toBeLessThanOrEqual(1);
  });

  it('is rejected at the deadline of the call', async () => {
    await expect(matchRows(rows, filterOf(SLOW_PATTERN), valuesOf, clock.now() - 1)).rejects.toMatchObject({
      type: 'LimitExceeded',
      status: 413,
      message: expect.stringMatching(/Use simpler patterns/),
    });
  });

  it('ends a scan at its deadline after a pause', async () => {
    using scan = new ScanClock(clock.now() + 1_000);
    expect(scan.tickAfter(undefined)).toBe(false);

    clock.advance(2_000);

    expect(await scan.tickAfter(Promise.resolve())).toBe(true);
  });

  it('is limited for the whole filter, because each row is matched against all its patterns', () => {
    const patterns = Array.from({ length: 12 }, (_, i) => ({ text: { $regex: `(a|b){300}${i}` } }));

    expect(() => parseFilter({ $or: patterns }, COLUMNS)).toThrow(/exceed 4,000 instructions in total/);
    expect(() => parseFilter({ $or: patterns.slice(0, 3) }, COLUMNS)).not.toThrow();
  });

  it('allows hundreds of ordinary patterns', () => {
    const patterns = Array.from({ length: 300 }, (_, i) => ({ text: { $regex: `^item ${i}$` } }));

    expect(() => parseFilter({ $or: patterns }, COLUMNS)).not.toThrow();
  });
});
