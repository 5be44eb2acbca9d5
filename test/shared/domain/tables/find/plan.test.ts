/** Tests the planned access of each kind of query, without a table. */
import { describe, expect, it } from 'vitest';
import { explain, planQuery } from '#shared/domain/tables/find/plan.ts';
import type { RowQuery, RowSource } from '#shared/domain/tables/reading/source.ts';
import type { Column } from '#shared/storage/dynamodb/tables/column.ts';

const column = (name: string, type: Column['type'], searchable = false): Column =>
  ({ id: name, name, type, searchable, nullable: true }) as unknown as Column;

const source = {
  lastId: 1_000,
  table: {
    id: 'table_1',
    keyColumn: 'email',
    columns: [column('email', 'string'), column('age', 'number'), column('about', 'string', true)],
  },
} as unknown as Pick<RowSource, 'table' | 'lastId'>;

const explained = (query: Partial<RowQuery>) => explain(planQuery(source, { offset: 0, limit: 10, ...query }));
const page = { result: 'page', offset: 0, limit: 10 };

describe('a plan', () => {
  it.each<[string, Partial<RowQuery>, Record<string, unknown>]>([
    ['ids', { filter: { id: { $in: [3, 1] } } }, { by: 'ids', ids: 2 }],
    ['a value of the key column', { filter: { email: 'ada@example.com' } }, { by: 'key', column: 'email' }],
    ['the first rows', {}, { by: 'idOrder', from: 1, to: 1_000, direction: 'asc', columns: 'all', snapshot: 'ifOpen' }],
    [
      'the last rows',
      { orderDirection: 'desc', offset: 20 },
      { by: 'idOrder', from: 1, to: 1_000, direction: 'desc', columns: [], snapshot: 'ifOpen', offset: 20 },
    ],
    [
      'rows far from the start',
      { offset: 5_000 },
      { by: 'idOrder', from: 1, to: 1_000, direction: 'asc', columns: [], snapshot: 'load', offset: 5_000 },
    ],
    [
      'a filter and a range of ids',
      { filter: { age: 36, id: { $gte: 10, $lt: 50 } } },
      { by: 'idOrder', from: 10, to: 49, direction: 'asc', columns: ['age', 'id'], snapshot: 'load' },
    ],
    [
      'the order of another column',
      { filter: { about: 'x' }, orderBy: 'age' },
      { by: 'scan', from: 1, to: 1_000, columns: ['about', 'age'], snapshot: 'load' },
    ],
    ['a search', { search: 'x' }, { by: 'idOrder', search: 'closestFirst', snapshot: 'ifOpen' }],
    ['a search in an order', { search: 'x', orderBy: 'age' }, { by: 'scan', search: 'similarities', columns: ['age'] }],
  ])('reads the fewest rows for %s', (_, query, expected) => {
    expect(explained(query)).toMatchObject({ ...page, ...expected });
  });

  it('reads the columns of the groups and of the filter', () => {
    const plan = explained({ group: { age: ['sum'] }, filter: { about: 'x' } });

    expect(plan).toMatchObject({ result: 'groups', by: 'scan', columns: ['about', 'age'], snapshot: 'load' });
  });

  it('contains no query values when it is explained', () => {
    const plans = [{ filter: { email: 'secret' } }, { filter: { about: 'secret' } }, { search: 'secret' }].map(
      explained,
    );

    expect(JSON.stringify(plans)).not.toContain('secret');
  });

  it.each<[string, Partial<RowQuery>, RegExp]>([
    ['groups with a search', { group: { age: 'key' }, search: 'x' }, /Groups cannot be searched/],
    ['a page far into an order by another column', { orderBy: 'age', offset: 100_000 }, /up to row 100000/],
  ])('is rejected for %s', (_, query, message) => {
    expect(() => explained(query)).toThrow(message);
  });
});
