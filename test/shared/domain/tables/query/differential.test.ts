/** Compares random queries with SQLite. */

import { expect, it } from 'vitest';
import type { Values } from '#shared/domain/tables/query/field.ts';
import { type Filter, parseFilter } from '#shared/domain/tables/query/filter.ts';
import { parseGroup } from '#shared/domain/tables/query/group.ts';
import { parseOrder } from '#shared/domain/tables/query/rowOrder.ts';
import { TopRows } from '#shared/domain/tables/query/topRows.ts';
import fc from '#test/support/fastCheck.ts';
import { finds, groupings, ordersOf, rounded } from './arbitraries.ts';
import { Oracle } from './sqlite.ts';

/** Returns a row with only the columns that the query declares to read. */
const restricted = (row: Values, names: ReadonlySet<string>): Values =>
  Object.fromEntries(Object.entries(row).filter(([name]) => names.has(name)));

/** Random queries per run. */
const RUNS = 1_000;

it('finds, orders and pages like SQLite', () => {
  fc.assert(
    fc.property(finds, ({ scene: { columns, rows }, filter, orderBy, orderDirection, page: { limit, offset } }) => {
      const oracle = new Oracle(columns, rows);
      const parsed = parseFilter(filter, columns);
      const order = parseOrder({ orderBy, orderDirection }, columns);
      const top = new TopRows(order.compare, offset + limit);
      for (const row of rows) {
        if (!parsed.matches(restricted(row, parsed.columns))) continue;
        top.add({ key: order.keyOf(restricted(row, new Set([order.column]))), id: Number(row.id) });
      }

      const ids = oracle.find(filter, orderBy, orderDirection === 'desc', limit, offset);
      expect(
        top
          .take()
          .slice(offset)
          .map(({ id }) => id),
      ).toEqual(ids);

      const all = oracle.find(filter, 'id', false, 100, 0);
      expect(top.total).toBe(all.length);
      for (const row of rows) if (all.includes(Number(row.id))) expectImplied(parsed, row);
      oracle.close();
    }),
    { numRuns: RUNS },
  );
});

/** Checks that a matching row satisfies the filter's implications. */
function expectImplied({ ids, idList, equalities }: Filter, row: Values) {
  const id = Number(row.id);
  if (ids) expect(ids.from <= id && id <= ids.to).toBe(true);
  if (idList) expect(idList).toContain(id);
  for (const [name, value] of equalities) expect(row[name] ?? null).toEqual(value);
}

it('groups and orders groups like SQLite', () => {
  fc.assert(
    fc.property(groupings, ({ scene: { columns, rows, fields }, group, orderIndex, orderDirection, page }) => {
      const orders = ordersOf(group, fields);
      const { orderBy, output } = orders[orderIndex % orders.length]!;
      const oracle = new Oracle(columns, rows);
      const grouping = parseGroup(group, columns, { orderBy, orderDirection });
      for (const row of rows) grouping.add(restricted(row, grouping.columns));

      const order = { output, isDescending: orderDirection === 'desc' };
      const expected = oracle.group(group, order, page.limit + 1, page.offset);
      const { rows: found, hasMore } = grouping.rows(page.offset, page.limit);
      oracle.close();

      expect(hasMore).toBe(expected.length > page.limit);
      expect(found.map(rounded)).toEqual(expected.slice(0, page.limit).map(rounded));
    }),
    { numRuns: RUNS },
  );
});
