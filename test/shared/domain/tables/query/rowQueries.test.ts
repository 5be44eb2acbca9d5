/**
 * Compares row queries of the complete platform with SQLite, including storage, reads and plans. Other tests of this
 * folder compare the query engine thousands of times. Uses raw HTTP, because the client's library drops properties
 * named `constructor`.
 */

import { beforeAll, describe, expect, it } from 'vitest';
import type { Column } from '#shared/storage/dynamodb/tables/column.ts';
import fc from '#test/support/fastCheck.ts';
import { isLeftOut, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { newTableName } from '#test/support/requests/tables.ts';
import { finds, groupings, ordersOf, rounded } from './arbitraries.ts';
import { Oracle } from './sqlite.ts';

useSharedPlatform();

const RUNS = isLeftOut('roles') ? 5 : 25;

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

async function ask(path: string, body: object) {
  const answer = await bot.callTables('POST', path, { body });
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return answer.body;
}
const find = (table: string, query: object) => ask(`/${table}/rows/find`, query);
const idOf = ({ id }: { id: number }) => id;

/** Creates a table of random columns and rows, some of them deleted. Returns its rows as in responses. */
async function newTable(columns: readonly Column[], rows: readonly Record<string, unknown>[]) {
  const properties = Object.fromEntries(columns.map(({ id: _, name, ...definition }) => [name, definition]));
  const { table } = await ask('', { name: newTableName(), schema: { type: 'object', properties } });
  const values = rows.map(({ id: _, createdAt: __, updatedAt: ___, ...rest }) => rest);
  if (values.length > 0) {
    const { errors } = await ask(`/${table.id}/rows`, { rows: values });
    expect(errors).toBeUndefined();
    await ask(`/${table.id}/rows/delete`, { ids: [3, 7] });
  }
  const found = await find(table.id, { limit: 1000 });
  return { table: table.id, kept: found.rows };
}

describe('a table, compared with SQLite', () => {
  it('returns the same rows, in the same order', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(finds, async ({ scene: { columns, rows }, filter, orderBy, orderDirection, page }) => {
        const { table, kept } = await newTable(columns, rows);
        const oracle = new Oracle(columns, kept);
        const expected = oracle.find(filter, orderBy, orderDirection === 'desc', page.limit + 1, page.offset);
        oracle.close();

        const found = await find(table, { filter, orderBy, orderDirection, ...page });

        expect(found.rows.map(idOf)).toEqual(expected.slice(0, page.limit));
        expect(found.hasMore).toBe(expected.length > page.limit);
      }),
      { numRuns: RUNS },
    );
  });

  it('returns the same groups', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        groupings,
        async ({ scene: { columns, rows, fields }, group, orderIndex, orderDirection, page }) => {
          const orders = ordersOf(group, fields);
          const { orderBy, output } = orders[orderIndex % orders.length]!;
          const { table, kept } = await newTable(columns, rows);
          const oracle = new Oracle(columns, kept);
          const order = { output, isDescending: orderDirection === 'desc' };
          const expected = oracle.group(group, order, page.limit + 1, page.offset);
          oracle.close();

          const found = await find(table, {
            group,
            ...(orderBy === undefined ? {} : { orderBy }),
            orderDirection,
            ...page,
          });

          expect(found.rows.map(rounded)).toEqual(expected.slice(0, page.limit).map(rounded));
          expect(found.hasMore).toBe(expected.length > page.limit);
        },
      ),
      { numRuns: RUNS },
    );
  });
});
