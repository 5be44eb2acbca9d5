import { describe, expect, it } from 'vitest';
import type { Values } from '#shared/domain/tables/query/field.ts';
import { parseGroup } from '#shared/domain/tables/query/group.ts';
import type { OrderInput } from '#shared/domain/tables/query/rowOrder.ts';
import { columns, refusal, row } from './columns.ts';

/** Groups rows, whose ids count from 1. */
function groupsOf(group: unknown, rows: Values[], order: OrderInput = {}): Values[] {
  const grouping = parseGroup(group, columns, order);
  for (const [i, values] of rows.entries()) grouping.add(row(i + 1, values));
  return grouping.rows(0, 100).rows.map(each => ({ ...each }));
}

const people = [
  { name: 'b', age: 3, isNew: true, seenAt: '2024-01-02T00:00:00.000Z', address: { city: 'Bern', no: 1 } },
  { name: 'a', age: 1, isNew: false, address: { no: 1, city: 'Bern' } },
  { name: 'b', age: null, seenAt: '2024-01-01T00:00:00.000Z', address: { city: 'Genf' } },
  { age: 4, isNew: true, tags: ['x'] },
];

describe('a group', () => {
  it('aggregates values that are not null', () => {
    const group = { name: ['key', 'count'], age: ['count', 'sum', 'avg', 'max', 'min'], id: 'count' };

    expect(groupsOf(group, people)).toEqual([
      { nameKey: 'a', nameCount: 1, ageCount: 1, ageSum: 1, ageAvg: 1, ageMax: 1, ageMin: 1, idCount: 1 },
      { nameKey: 'b', nameCount: 2, ageCount: 1, ageSum: 3, ageAvg: 3, ageMax: 3, ageMin: 3, idCount: 2 },
      { nameKey: null, nameCount: 0, ageCount: 1, ageSum: 4, ageAvg: 4, ageMax: 4, ageMin: 4, idCount: 1 },
    ]);
  });

  it('is a single group without a key, even without rows', () => {
    const group = { id: 'count', age: ['sum', 'avg', 'max', 'unique'] };

    expect(groupsOf(group, [])).toEqual([{ idCount: 0, ageSum: null, ageAvg: null, ageMax: null, ageUnique: [] }]);
    expect(groupsOf(group, people)).toEqual([
      { idCount: 4, ageSum: 8, ageAvg: 8 / 3, ageMax: 4, ageUnique: [1, 3, 4] },
    ]);
    expect(groupsOf({ name: 'key' }, [])).toEqual([]);
  });

  it('compares strings, booleans and times', () => {
    const group = { name: ['max', 'min'], isNew: ['max', 'min'], seenAt: ['max', 'min'], updatedAt: 'min' };

    expect(groupsOf(group, people)).toEqual([
      {
        nameMax: 'b',
        nameMin: 'a',
        isNewMax: true,
        isNewMin: false,
        seenAtMax: '2024-01-02T00:00:00.000Z',
        seenAtMin: '2024-01-01T00:00:00.000Z',
        updatedAtMin: '2024-01-02T00:00:00.000Z',
      },
    ]);
  });

  it('collects distinct values in ascending order', () => {
    const rows = [...people, { name: '\u{1f600}' }, { name: '\uff5e' }];

    expect(groupsOf({ name: 'unique', isNew: 'unique' }, rows)).toEqual([
      { nameUnique: ['a', 'b', '\uff5e', '\u{1f600}'], isNewUnique: [false, true] },
    ]);
    expect(groupsOf({ address: 'unique', tags: ['unique', 'count'] }, people)).toEqual([
      { addressUnique: [{ city: 'Bern', no: 1 }, { city: 'Genf' }], tagsUnique: [['x']], tagsCount: 1 },
    ]);
  });

  it('exists for each combination of keys', () => {
    expect(groupsOf({ name: 'key', isNew: 'key', id: 'count' }, people)).toEqual([
      { nameKey: 'a', isNewKey: false, idCount: 1 },
      { nameKey: 'b', isNewKey: true, idCount: 1 },
      { nameKey: 'b', isNewKey: null, idCount: 1 },
      { nameKey: null, isNewKey: true, idCount: 1 },
    ]);
  });

  it('compares objects in keys by their content', () => {
    expect(groupsOf({ address: 'key', id: 'count' }, people)).toEqual([
      { addressKey: { city: 'Bern', no: 1 }, idCount: 2 },
      { addressKey: { city: 'Genf' }, idCount: 1 },
      { addressKey: null, idCount: 1 },
    ]);
  });

  it('resolves paths with values of any type', () => {
    const rows = [1, '1', true, [1], '[1]', 2.5, null].map(no => ({ address: { no } }));

    expect(groupsOf({ 'address.no': ['count', 'sum', 'avg', 'max', 'min', 'unique'] }, rows)).toEqual([
      {
        'address.noCount': 6,
        'address.noSum': 3.5,
        'address.noAvg': 1.75,
        'address.noMax': true,
        'address.noMin': 1,
        'address.noUnique': [1, 2.5, '1', '[1]', true, [1]],
      },
    ]);
    expect(groupsOf({ 'address.no': 'key' }, rows).map(each => each['address.noKey'])).toEqual([
      1,
      2.5,
      '1',
      '[1]',
      true,
      [1],
      null,
    ]);
  });

  it('sums without accumulating rounding errors', () => {
    const rows = [1e100, 1, -1e100, 0.1, 0.2, -0.3].map(age => ({ age }));

    expect(groupsOf({ age: 'sum' }, rows)[0]!.ageSum).toBeCloseTo(1, 15);
    expect(groupsOf({ age: 'sum' }, [{ age: 1e308 }, { age: 1e308 }])[0]!.ageSum).toBe(Number.POSITIVE_INFINITY);
  });

  it.each([
    [{ orderBy: 'ageSum' }, ['a', 'b', null]],
    [{ orderBy: 'ageSum', orderDirection: 'desc' as const }, [null, 'b', 'a']],
    [{ orderBy: 'name', orderDirection: 'desc' as const }, ['b', 'a', null]],
    [{ orderBy: 'nameKey', orderDirection: 'desc' as const }, ['b', 'a', null]],
    [{ orderBy: 'seenAtMin', orderDirection: 'desc' as const }, ['b', 'a', null]],
    [{ orderBy: 'id', orderDirection: 'desc' as const }, ['a', 'b', null]],
    [{ orderDirection: 'desc' as const }, ['a', 'b', null]],
  ])('is sorted by %j', (order, names) => {
    const groups = groupsOf({ name: 'key', age: 'sum', seenAt: 'min' }, people, order);

    expect(groups.map(({ nameKey }) => nameKey)).toEqual(names);
  });

  it('is paged', () => {
    const grouping = parseGroup({ age: 'key' }, columns, {});
    for (let age = 9; age >= 0; age--) grouping.add(row(age, { age }));

    expect(grouping.rows(2, 3)).toEqual({ rows: [{ ageKey: 2 }, { ageKey: 3 }, { ageKey: 4 }], hasMore: true });
    expect(grouping.rows(7, 3)).toMatchObject({ hasMore: false });
    expect(grouping.rows(10, 3)).toEqual({ rows: [], hasMore: false });
  });

  it('reports the columns that it reads', () => {
    expect(parseGroup({ 'address.city': 'key', id: 'count' }, columns, {}).columns).toEqual(new Set(['address', 'id']));
  });

  it('ignores inherited properties', () => {
    const group = JSON.parse('{"__proto__": ["key", "count"], "constructor": ["key", "unique"]}');

    expect(groupsOf(group, [{}])).toEqual([
      JSON.parse('{"__proto__Key": null, "__proto__Count": 0, "constructorKey": null, "constructorUnique": []}'),
    ]);
  });

  it('is limited to 50,000', () => {
    const grouping = parseGroup({ id: ['key', 'count'] }, columns, {});
    for (let id = 1; id <= 50_000; id++) grouping.add({ id });

    expect(grouping.wasCut).toBe(false);

    grouping.add({ id: 50_001 });
    grouping.add({ id: 50_000 });

    expect(grouping.wasCut).toBe(true);
    expect(grouping.rows(49_999, 5)).toEqual({ rows: [{ idKey: 50_000, idCount: 2 }], hasMore: false });
  });

  it('collects at most 100,000 distinct values', () => {
    const grouping = parseGroup({ isNew: 'key', id: 'unique' }, columns, {});
    for (let id = 1; id <= 100_000; id++) grouping.add({ id, isNew: id % 2 === 0 });

    expect(grouping.wasCut).toBe(false);

    grouping.add({ id: 2, isNew: true });

    expect(grouping.wasCut).toBe(false);

    grouping.add({ id: 100_001, isNew: true });

    expect(grouping.wasCut).toBe(true);
    expect(grouping.rows(0, 2).rows.map(({ idUnique }) => (idUnique as number[]).length)).toEqual([50_000, 50_000]);
  });

  it('stores at most 30 million characters', () => {
    const grouping = parseGroup({ name: 'key' }, columns, {});
    const long = 'x'.repeat(1_000_000);
    for (let i = 0; i < 40; i++) grouping.add({ name: `${long}${i}` });

    expect(grouping.wasCut).toBe(true);
    expect(grouping.rows(0, 100).rows).toHaveLength(29);
  });

  const operations = 'key, count, sum, avg, max, min, unique';
  it.each([
    [null, 'group', 'group must be an object that maps columns to operations.'],
    [[], 'group', 'group must be an object that maps columns to operations.'],
    [{}, 'group', 'group must be an object that maps columns to operations.'],
    [{ size: 'key' }, 'group.size', 'The table has no column "size".'],
    [{ name: [] }, 'group.name', `Must be one or more of ${operations}.`],
    [{ name: 'median' }, 'group.name', `Unknown group operation "median". Use ${operations}.`],
    [{ name: ['key', 5] }, 'group.name', `Unknown group operation of type number. Use ${operations}.`],
    [{ name: 'sum' }, 'group.name', 'sum does not apply to column "name" of type string.'],
    [{ createdAt: 'avg' }, 'group.createdAt', 'avg does not apply to column "createdAt" of type string.'],
    [{ address: 'max' }, 'group.address', 'max does not apply to column "address" of type object.'],
    [{ tags: ['key', 'min'] }, 'group.tags', 'min does not apply to column "tags" of type array.'],
    [
      Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`address.a${i}`, 'key'])),
      'group',
      'A group can have at most 50 operations.',
    ],
  ])('rejects %j', (group, path, message) => {
    expect(refusal(() => parseGroup(group, columns, {}))).toEqual({ path, message });
  });

  it.each([
    ['ageAvg', 'The table has no column "ageAvg".'],
    ['ageUnique', 'Groups cannot be ordered by "ageUnique": it is not a single value.'],
    ['address', 'Groups cannot be ordered by "address": it is not a single value.'],
  ])('cannot be sorted by %s', (orderBy, message) => {
    const group = { address: 'key', age: ['sum', 'unique'] };

    expect(refusal(() => parseGroup(group, columns, { orderBy }))).toEqual({ path: 'orderBy', message });
  });
});
