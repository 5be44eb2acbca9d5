/** Tests reads at any position in the range of ids. */
import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { client } from '#shared/storage/dynamodb/engine/client.ts';
import type { Row } from '#shared/storage/dynamodb/tables/row.ts';
import { rowsInOrder, visitRows } from '#shared/storage/dynamodb/tables/rowReads.ts';
import { putRows } from '#shared/storage/dynamodb/tables/rowWrites.ts';
import { useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();
afterEach(() => vi.restoreAllMocks());

const LAST = 2_000_000_000;
/** Ids at the edges of parts and stretches, dense and sparse. */
const IDS = [1, 2, 1_023, 1_024, 1_087, 1_088, 65_535, 65_536, 65_537, 66_560, 131_072, 5_000_000, 5_000_001, LAST];
const rowAt = (id: number): Row => ({
  id,
  createdAtMs: 1,
  updatedAtMs: 1,
  version: 1,
  values: { a: String(id) },
  cells: {},
  pending: [],
  isUnindexed: false,
});

const [bot, table] = [randomUUID(), 'table'];
beforeAll(() => putRows(bot, table, IDS.map(rowAt)));

const directions = ['asc', 'desc'] as const;
async function inOrder(from: number, to: number, direction: 'asc' | 'desc') {
  const ids: number[] = [];
  for await (const { id } of rowsInOrder(bot, table, LAST, { from, to, direction })) ids.push(id);
  return ids;
}

describe.each(directions)('rows in order (%s)', direction => {
  it.each([
    [1, LAST],
    [2, 1_023],
    [1_024, 65_536],
    [65_537, 5_000_000],
    [66_561, 131_071],
    [LAST, LAST],
  ])('returns rows from %i to %i', async (from, to) => {
    const expected = IDS.filter(id => from <= id && id <= to);

    expect(await inOrder(from, to, direction)).toEqual(direction === 'asc' ? expected : expected.toReversed());
  });
});

it('returns every row once in any order', async () => {
  const seen: number[] = [];

  await visitRows(bot, table, LAST, { from: 1, to: LAST, direction: 'asc' }, ({ id }) => {
    seen.push(id);
    return false;
  });

  expect(seen.sort((a, b) => a - b)).toEqual(IDS);
});

it('needs few calls for a nearly empty range', async () => {
  const send = vi.spyOn(client, 'send');

  await inOrder(1, LAST, 'asc');

  // Each of the 16 parts doubles its stretch at most 15 times after a row.
  expect(send.mock.calls.length).toBeLessThan(16 * 30);
});
