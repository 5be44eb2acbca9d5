/** Compares random queries of a snapshot file with scans of all rows. */
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import type { Values } from '#shared/domain/tables/query/field.ts';
import { parseFilter } from '#shared/domain/tables/query/filter.ts';
import { parseGroup } from '#shared/domain/tables/query/group.ts';
import { parseOrder } from '#shared/domain/tables/query/rowOrder.ts';
import { TopRows } from '#shared/domain/tables/query/topRows.ts';
import { decodeRow, encode } from '#shared/domain/tables/schema/rowValues.ts';
import { groupsInFile, pageInFile } from '#shared/domain/tables/snapshot/findInFile.ts';
import { RowFile } from '#shared/domain/tables/snapshot/rowFile.ts';
import type { Column } from '#shared/storage/dynamodb/tables/column.ts';
import type { Row } from '#shared/storage/dynamodb/tables/row.ts';
import { finds, groupings, ordersOf, rounded } from '#test/shared/domain/tables/query/arbitraries.ts';
import fc from '#test/support/fastCheck.ts';

const RUNS = 1_000;

/** Opens a file that is deleted when closed. */
function newFile(columns: readonly Column[], rows: readonly Row[]): RowFile {
  const path = join(tmpdir(), `rows-${process.pid}-${Math.random()}`);
  const file = RowFile.create(path);
  rmSync(path);
  file.addColumns(columns);
  file.change(rows, []);
  return file;
}

/** Assigns ids that differ only in case, as ids of a table may. */
const withIds = (columns: readonly Column[]): Column[] =>
  columns.map((column, i) => ({ ...column, id: 'aAbBcCdDeEfF'[i] ?? `x${i}` }));

const asRow = (columns: readonly Column[], values: Values): Row => ({
  id: Number(values.id),
  createdAtMs: Date.parse(String(values.createdAt)),
  updatedAtMs: Date.parse(String(values.updatedAt)),
  version: 1,
  values: Object.fromEntries(
    columns.flatMap(column => {
      const value = values[column.name] ?? null;
      return value === null ? [] : [[column.id, encode(column, value)]];
    }),
  ),
  cells: {},
  pending: [],
  isUnindexed: false,
});

it('finds, orders and pages like a scan', () => {
  fc.assert(
    fc.property(finds, ({ scene, filter, orderBy, orderDirection, page }) => {
      const [columns, values] = [withIds(scene.columns), scene.rows];
      const rows = values.map(each => asRow(columns, each));
      const file = newFile(columns, rows);
      const parsed = parseFilter(filter, columns);
      const order = parseOrder({ orderBy, orderDirection }, columns);
      const top = new TopRows(order.compare, page.offset + page.limit);
      for (const row of values) if (parsed.matches(row)) top.add({ key: order.keyOf(row), id: Number(row.id) });

      const found = pageInFile(file, columns, page, parsed, order)!;
      file.close();

      const expected = top.take().slice(page.offset);
      expect(found.rows.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
      expect(found.hasMore).toBe(top.total > page.offset + page.limit);
      const byId = new Map(rows.map(row => [row.id, row]));
      for (const row of found.rows) {
        expect(decodeRow(columns, row.values)).toEqual(decodeRow(columns, byId.get(row.id)!.values));
      }
    }),
    { numRuns: RUNS },
  );
});

it('groups and orders groups like a scan', () => {
  fc.assert(
    fc.property(groupings, ({ scene: { fields, ...scene }, group, orderIndex, orderDirection, page }) => {
      const [columns, values] = [withIds(scene.columns), scene.rows];
      const orders = ordersOf(group, fields);
      const { orderBy } = orders[orderIndex % orders.length]!;
      const file = newFile(
        columns,
        values.map(each => asRow(columns, each)),
      );
      const read = parseGroup(group, columns, { orderBy, orderDirection });
      for (const row of values) read.add(row);
      const grouping = parseGroup(group, columns, { orderBy, orderDirection });

      expect(groupsInFile(file, columns, parseFilter({}, columns), grouping)).toBe(true);
      file.close();

      const [found, expected] = [grouping, read].map(each => each.rows(page.offset, page.limit));
      expect(found!.hasMore).toBe(expected!.hasMore);
      expect(found!.rows.map(rounded)).toEqual(expected!.rows.map(rounded));
    }),
    { numRuns: RUNS },
  );
});

const COLUMNS: Column[] = [
  { id: 'a', name: 'text', type: 'string', nullable: true },
  { id: 'A', name: 'number', type: 'number', nullable: true },
];
const rowOf = (id: number, values: Row['values']): Row => ({
  ...asRow([], { id, createdAt: '2024-01-01T00:00:00.000Z', updatedAt: '2024-01-01T00:00:00.000Z' }),
  values,
});

it('keeps every character of a text, and distinguishes columns by the case of their ids', () => {
  const rows = [rowOf(1, { a: 'a\0b', A: '1e-7' }), rowOf(2, { a: '\u{1f600}\ufffd', A: '-0.1' }), rowOf(3, {})];
  const file = newFile(COLUMNS, rows);

  expect(file.rows('ORDER BY id', [])).toEqual(rows);
  const filter = parseFilter({ text: 'a\0b' }, COLUMNS);
  const found = pageInFile(file, COLUMNS, { limit: 10, offset: 0 }, filter, parseOrder({}, COLUMNS));
  expect(found?.rows.map(({ id }) => id)).toEqual([1]);
  file.close();
});

const SLOW_PATTERN = '(a|b)*a(a|b){300}c';
const SLOW_TEXT = 'ab'.repeat(2_000);

it('rejects queries that would take minutes', () => {
  const file = newFile(
    COLUMNS,
    Array.from({ length: 30_000 }, (_, i) => rowOf(i + 1, { a: `${i}` })),
  );
  const filter = parseFilter({ $or: Array.from({ length: 200 }, (_, i) => ({ text: { $regex: `${i}$` } })) }, COLUMNS);

  expect(pageInFile(file, COLUMNS, { limit: 10, offset: 0 }, filter, parseOrder({}, COLUMNS))).toBeUndefined();
  file.close();
});

it.each(['a page', 'groups'])('ends a query for %s whose pattern takes longer than a second', what => {
  const file = newFile(
    COLUMNS,
    Array.from({ length: 20 }, (_, i) => rowOf(i + 1, { a: SLOW_TEXT, A: `${i}` })),
  );
  const filter = parseFilter({ text: { $regex: SLOW_PATTERN } }, COLUMNS);
  let nowMs = clock.now();
  const look = vi.spyOn(clock, 'now').mockImplementation(() => (nowMs += 400));
  const grouping = parseGroup({ number: 'key' }, COLUMNS, {});

  const found =
    what === 'groups'
      ? groupsInFile(file, COLUMNS, filter, grouping)
      : pageInFile(file, COLUMNS, { limit: 10, offset: 0 }, filter, parseOrder({}, COLUMNS));

  expect(found || undefined).toBeUndefined();
  // One check at the start and one per row, until the second had passed.
  expect(look).toHaveBeenCalledTimes(4);
  look.mockRestore();
  file.close();
});

it('indexes a column that queries filter by more than once', () => {
  const file = newFile(
    COLUMNS,
    Array.from({ length: 3_000 }, (_, i) => rowOf(i + 1, { a: `${i}`, A: `${i}` })),
  );
  const find = (filter: Record<string, unknown>) =>
    pageInFile(file, COLUMNS, { limit: 10, offset: 0 }, parseFilter(filter, COLUMNS), parseOrder({}, COLUMNS));

  find({ number: { $gt: 2_990 } });
  expect(file.indexes).toEqual([]);
  const found = find({ number: { $gt: 2_990 } });

  expect(file.indexes).toEqual(['A']);
  expect(found!.rows.map(({ id }) => id)).toEqual([2_992, 2_993, 2_994, 2_995, 2_996, 2_997, 2_998, 2_999, 3_000]);
  file.close();
});
