/** Tests that scans end at the call's time limit, even during a read, and return the rows so far with a warning. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { queryRows } from '#shared/domain/tables/find/queryRows.ts';
import { idsByValue } from '#shared/domain/tables/reading/scan.ts';
import type { RowQuery, RowSource } from '#shared/domain/tables/reading/source.ts';
import * as rowReads from '#shared/storage/dynamodb/tables/rowReads.ts';
import { requireTableWithIds } from '#shared/storage/dynamodb/tables/tables.ts';
import { newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { newTable } from '#test/support/rowInternals.ts';

useSharedPlatform();
afterEach(() => vi.restoreAllMocks());

const ROWS = 300;
let bot: TestBot;
let table: string;
beforeEach(async () => {
  bot = await newBot();
  ({ id: table } = await newTable(bot.client, { name: 'Ada', age: 36 }));
  const rows = Array.from({ length: ROWS }, (_, i) => ({ name: `n${i % 10}`, age: i }));
  await bot.client.createTableRows({ table, rows });
});

const sourceUntil = async (deadlineMs: number): Promise<RowSource> => ({
  bot: { id: bot.id, workspaceId: bot.workspace.id },
  ...(await requireTableWithIds(bot.id, table)),
  deadlineMs,
});
const late = () => clock.now() + 20_000;

describe.each<[string, Partial<RowQuery>]>([
  ['groups', { group: { age: ['sum', 'count'] } }],
  ['rows in the order of a column', { orderBy: 'age' }],
  ['rows that match a filter', { filter: { name: 'n1' } }],
])('%s', (_, query) => {
  const run = async (deadlineMs: number) =>
    queryRows(await sourceUntil(deadlineMs), { limit: 10, offset: 0, ...query });

  it('includes the rows read so far', async () => {
    const { rows, warnings } = await run(0);

    expect(rows.map(row => row.ageSum ?? null)).toEqual(query.group ? [null] : []);
    expect(warnings).toEqual([expect.stringMatching(/^The call timed out after 0 rows/)]);
  });

  it('includes all rows given enough time', async () => {
    const { rows, warnings } = await run(late());

    expect(rows.length).toBe(query.group ? 1 : 10);
    expect(warnings).toEqual([]);
  });
});

describe('idsByValue', () => {
  const run = async (deadlineMs: number) => {
    const source = await sourceUntil(deadlineMs);
    return idsByValue(source, source.table.columns.find(({ name }) => name === 'name')!, new Set(['n3']));
  };

  it('finds all rows', async () => {
    const ids = (await run(late())).get('n3');

    expect(ids).toHaveLength(ROWS / 10);
  });

  it('throws instead of returning a partial result', async () => {
    await expect(run(0)).rejects.toMatchObject({
      type: 'LimitExceeded',
      message: expect.stringContaining("make name the table's key"),
    });
  });
});

it.each([
  ['asc', 256, '{"id":{"$gt":256}}'],
  ['desc', 45, '{"id":{"$lt":45}}'],
] as const)('continues a truncated query by id (%s) after the last row visited', async (orderDirection, at, next) => {
  const query = { limit: 10, offset: 0, filter: { name: 'nobody' }, orderDirection };
  const source = await sourceUntil(late());
  const read = rowReads.rowsInOrder;
  vi.spyOn(rowReads, 'rowsInOrder').mockImplementation(async function* (...args) {
    for await (const row of read(...args)) {
      // Advances the clock while the rows of this page are visited.
      if (row.id === at) clock.advance(60_000);
      yield row;
    }
  });

  const { rows, hasMore, warnings } = await queryRows(source, query);

  expect({ rows, hasMore }).toEqual({ rows: [], hasMore: true });
  expect(warnings).toEqual([expect.stringContaining(`after 256 rows`)]);
  expect(warnings[0]).toContain(`Continue with the filter ${next}.`);
});
