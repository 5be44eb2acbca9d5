import { describe, expect, it } from 'vitest';
import type { Values } from '#shared/domain/tables/query/field.ts';
import { parseOrder } from '#shared/domain/tables/query/rowOrder.ts';
import { TopRows } from '#shared/domain/tables/query/topRows.ts';
import fc from '#test/support/fastCheck.ts';
import { columns, refusal, row } from './columns.ts';

/** Returns the ids of rows, which count from 1, in order. */
function idsInOrder(input: Parameters<typeof parseOrder>[0], rows: Values[]): number[] {
  const { compare, keyOf } = parseOrder(input, columns);
  const top = new TopRows(compare, rows.length);
  for (const [i, values] of rows.entries()) top.add({ key: keyOf(row(i + 1, values)), id: i + 1 });
  return top.take().map(({ id }) => id);
}

describe('an order', () => {
  it('is by id by default', () => {
    const order = parseOrder({}, columns);

    expect(order).toMatchObject({ by: 'id', column: 'id', isById: true, isDescending: false });
    expect(order.keyOf(row(7))).toBe(7);
    expect(idsInOrder({ orderDirection: 'desc' }, [{}, {}, {}])).toEqual([3, 2, 1]);
  });

  it('puts null last in both directions, and breaks ties by id', () => {
    const rows = [{}, { age: 2 }, { age: 10 }, { age: 2 }, { age: null }];

    expect(idsInOrder({ orderBy: 'age' }, rows)).toEqual([2, 4, 3, 1, 5]);
    expect(idsInOrder({ orderBy: 'age', orderDirection: 'desc' }, rows)).toEqual([3, 2, 4, 1, 5]);
  });

  it('compares strings by code point', () => {
    const rows = [{ name: '\u{1f600}' }, { name: '\uff5e' }, { name: 'b' }, { name: 'a' }, { name: '' }];

    expect(idsInOrder({ orderBy: 'name' }, rows)).toEqual([5, 4, 3, 2, 1]);
  });

  it('orders false before true, and times chronologically', () => {
    expect(idsInOrder({ orderBy: 'isNew' }, [{ isNew: true }, { isNew: false }])).toEqual([2, 1]);
    expect(
      idsInOrder({ orderBy: 'seenAt', orderDirection: 'desc' }, [
        { seenAt: '2024-01-01T00:00:00.000Z' },
        { seenAt: '2024-01-01T00:00:00.001Z' },
      ]),
    ).toEqual([2, 1]);
  });

  it('sorts the values of a path by type, and null last', () => {
    const rows = [null, { a: 1 }, [], true, 'a', 5].map(no => ({ address: { no } }));

    expect(parseOrder({ orderBy: 'address.no' }, columns)).toMatchObject({ column: 'address', isById: false });
    expect(idsInOrder({ orderBy: 'address.no' }, [{}, ...rows])).toEqual([7, 6, 5, 3, 4, 1, 2]);
    expect(idsInOrder({ orderBy: 'address.no', orderDirection: 'desc' }, [{}, ...rows])).toEqual([5, 6, 7, 3, 4, 1, 2]);
  });

  it.each([
    ['tags', 'Rows cannot be ordered by column "tags" of type array.'],
    ['address', 'Rows cannot be ordered by column "address" of type object.'],
    ['size', 'The table has no column "size".'],
    ['similarity', 'The table has no column "similarity".'],
    ['valueOf', 'The table has no column "valueOf".'],
    ['name.x', 'The column "name" is of type string. Paths require type object or array.'],
  ])('cannot use %s', (orderBy, message) => {
    expect(refusal(() => parseOrder({ orderBy }, columns))).toEqual({ path: 'orderBy', message });
  });
});

describe('TopRows', () => {
  it('keeps the first of any number of rows', () => {
    const { compare } = parseOrder({ orderBy: 'age' }, columns);
    const keys = fc.array(fc.option(fc.integer({ min: 0, max: 20 })), { maxLength: 500, size: 'max' });
    fc.assert(
      fc.property(keys, fc.integer({ min: 0, max: 100 }), (keys, count) => {
        const entries = keys.map((key, i) => ({ key, id: (i * 7919) % 1_009 }));
        const top = new TopRows(compare, count);
        for (const entry of entries) top.add(entry);

        expect(top.take()).toEqual(entries.toSorted(compare).slice(0, count));
        expect(top.total).toBe(entries.length);
      }),
    );
  });

  it('inserts a late row before the last one', () => {
    const top = new TopRows(parseOrder({}, columns).compare, 5);
    for (let id = 1; id <= 1_000; id++) if (id !== 5) top.add({ key: id, id });
    top.add({ key: 5, id: 5 });

    expect(top.take().map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
  });

  it('accepts rows after take', () => {
    const top = new TopRows(parseOrder({}, columns).compare, 2);
    for (const id of [3, 2]) top.add({ key: id, id });

    expect(top.take().map(({ id }) => id)).toEqual([2, 3]);

    top.add({ key: 1, id: 1 });

    expect(top.take().map(({ id }) => id)).toEqual([1, 2]);
  });
});
