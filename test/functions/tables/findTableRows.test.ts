/** The semantics of filters, orders and groups are tested in `test/shared/domain/tables/query`. */
import { beforeAll, describe, expect, it } from 'vitest';
import { newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { newTableName } from '#test/support/requests/tables.ts';

useSharedPlatform();

let bot: TestBot;
let people: string;
/** More rows than one partition of a table holds. */
let many: string;
const MANY = 2_600;

const newTable = async (
  schema: Record<string, unknown>,
  rows: Record<string, unknown>[],
  more: object = {},
  atOnce = 1000,
) => {
  const { table } = await bot.client.createTable({ name: newTableName(), schema, ...more });
  for (let i = 0; i < rows.length; i += atOnce) {
    await bot.client.createTableRows({ table: table.name, rows: rows.slice(i, i + atOnce) });
  }
  return table.name;
};

beforeAll(async () => {
  bot = await newBot();
  people = await newTable(
    { name: 'x', age: 1, city: 'x', address: { zip: 1 }, born: '2000-01-01T00:00:00Z', tags: ['x'] },
    [
      { name: 'Ada', age: 36, city: 'London', address: { zip: 1 }, born: '1815-12-10', tags: ['math', 'code'] },
      { name: 'Bob', age: 20, city: 'Bern', address: { zip: 3000 }, born: '2001-01-01' },
      { name: 'Cyd', age: 36, city: 'Bern', tags: [] },
      { name: 'Dan', city: 'Rome', address: { zip: 99 }, born: '1990-06-15T10:00:00+02:00' },
      { name: null, age: 5 },
    ],
    { keyColumn: 'name' },
  );
  many = await newTable(
    { n: 1, text: 'x' },
    Array.from({ length: MANY }, (_, n) => ({ n: (n * 7919) % MANY, text: `row ${n}` })),
  );
});

const names = async (query: Record<string, unknown>) =>
  (await bot.client.findTableRows({ table: people, ...query })).rows.map(({ name }) => name);

describe('POST /tables/{table}/rows/find', () => {
  it.each([
    ['all of it', {}, ['Ada', 'Bob', 'Cyd', 'Dan', null]],
    ['a value', { city: 'Bern' }, ['Bob', 'Cyd']],
    ['null', { age: null }, ['Dan']],
    ['several conditions', { city: 'Bern', age: { $gt: 20 } }, ['Cyd']],
    ['a range', { age: { $gte: 20, $lt: 36 } }, ['Bob']],
    ['$in', { city: { $in: ['Rome', 'London'] } }, ['Ada', 'Dan']],
    ['$nin', { city: { $nin: ['Rome', 'London', 'Bern'] } }, [null]],
    ['$ne', { city: { $ne: 'Bern' } }, ['Ada', 'Dan', null]],
    ['$exists', { address: { $exists: false } }, ['Cyd', null]],
    ['$regex', { name: { $regex: '^[ab]', $options: 'i' } }, ['Ada', 'Bob']],
    ['$mod', { age: { $mod: [8, 4] } }, ['Ada', 'Bob', 'Cyd']],
    ['$size', { tags: { $size: 2 } }, ['Ada']],
    ['$or', { $or: [{ city: 'Rome' }, { age: 20 }] }, ['Bob', 'Dan']],
    ['$and', { $and: [{ city: 'Bern' }, { age: 36 }] }, ['Cyd']],
    ['$not', { $not: { age: { $gt: 10 } } }, ['Dan', null]],
    ['a path', { 'address.zip': { $gte: 99 } }, ['Bob', 'Dan']],
    ['a time, whatever its zone', { born: { $lt: '1990-06-15T08:00:01Z' } }, ['Ada', 'Dan']],
    ['an id', { id: 2 }, ['Bob']],
    ['a range of ids', { id: { $gt: 3 } }, ['Dan', null]],
    ['the key', { name: 'Cyd' }, ['Cyd']],
    ['the key and more', { name: 'Cyd', age: 1 }, []],
    ['a key that no row has', { name: 'Eve' }, []],
  ])('filters by %s', async (_, filter, expected) => {
    expect(await names({ filter })).toEqual(expected);
  });

  it.each([
    [{ orderBy: 'age' }, [null, 'Bob', 'Ada', 'Cyd', 'Dan']],
    [{ orderBy: 'age', orderDirection: 'desc' }, ['Ada', 'Cyd', 'Bob', null, 'Dan']],
    [{ orderBy: 'id', orderDirection: 'desc' }, [null, 'Dan', 'Cyd', 'Bob', 'Ada']],
    [{ orderBy: 'address.zip' }, ['Ada', 'Dan', 'Bob', 'Cyd', null]],
    [{ orderBy: 'born', limit: 2, offset: 1 }, ['Dan', 'Bob']],
    [{ orderBy: 'city', filter: { age: 36 } }, ['Cyd', 'Ada']],
  ])('orders and pages: %j', async (query, expected) => {
    expect(await names(query)).toEqual(expected);
  });

  it('returns the selected columns and the system columns', async () => {
    const { rows } = await bot.client.findTableRows({ table: people, select: ['name', 'address.zip'], limit: 1 });

    expect(rows).toEqual([
      {
        id: 1,
        name: 'Ada',
        address: { zip: 1 },
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
        computed: {},
        stale: [],
      },
    ]);
  });

  it('reports whether there are more rows', async () => {
    const page = (limit: number, offset: number) => bot.client.findTableRows({ table: people, limit, offset });

    expect(await page(4, 0)).toMatchObject({ hasMore: true, limit: 4, offset: 0 });
    expect(await page(5, 0)).toMatchObject({ hasMore: false, limit: 5, offset: 0 });
    expect(await page(2, 3)).toMatchObject({ hasMore: false, limit: 2, offset: 3 });
    expect(await page(10, 10)).toMatchObject({ hasMore: false, rows: [] });
  });

  it('groups rows', async () => {
    const { rows } = await bot.client.findTableRows({
      table: people,
      group: { city: 'key', age: ['count', 'sum', 'avg', 'min', 'max', 'unique'], id: 'count' },
      filter: { city: { $exists: true } },
    });

    expect(rows).toEqual([
      { cityKey: 'Bern', ageCount: 2, ageSum: 56, ageAvg: 28, ageMin: 20, ageMax: 36, ageUnique: [20, 36], idCount: 2 },
      { cityKey: 'London', ageCount: 1, ageSum: 36, ageAvg: 36, ageMin: 36, ageMax: 36, ageUnique: [36], idCount: 1 },
      {
        cityKey: 'Rome',
        ageCount: 0,
        ageSum: null,
        ageAvg: null,
        ageMin: null,
        ageMax: null,
        ageUnique: [],
        idCount: 1,
      },
    ]);
  });

  it('pages through a large table in every order without missing a row', async () => {
    for (const order of [
      {},
      { orderDirection: 'desc' },
      { orderBy: 'n' },
      { orderBy: 'n', orderDirection: 'desc' },
    ] as const) {
      const seen: number[] = [];
      for (let offset = 0, hasMore = true; hasMore; ) {
        const page = await bot.client.findTableRows({ table: many, ...order, offset, limit: 1000, select: ['n'] });
        seen.push(...page.rows.map(row => ('orderBy' in order ? (row.n as number) : row.id)));
        offset += page.limit;
        hasMore = page.hasMore;
      }
      const first = 'orderBy' in order ? 0 : 1;
      const all = Array.from({ length: MANY }, (_, i) => i + first);
      expect(seen).toEqual('orderDirection' in order ? all.reverse() : all);
    }
  });

  it('finds the last of many rows', async () => {
    expect((await bot.client.findTableRows({ table: many, filter: { text: `row ${MANY - 1}` } })).rows).toHaveLength(1);
    expect((await bot.client.findTableRows({ table: many, filter: { id: MANY } })).rows).toMatchObject([{ id: MANY }]);
    const { rows } = await bot.client.findTableRows({ table: many, filter: { id: { $in: [1, MANY, MANY + 1] } } });
    expect(rows.map(({ id }) => id)).toEqual([1, MANY]);
    const grouped = await bot.client.findTableRows({ table: many, group: { n: ['sum', 'count'] } });
    expect(grouped.rows).toEqual([{ nSum: (MANY * (MANY - 1)) / 2, nCount: MANY }]);
  });

  it('returns as many rows as fit in a response, and how to continue', async () => {
    const rows = Array.from({ length: 60 }, () => ({ text: 'x'.repeat(100_000) }));
    const table = await newTable({ text: 'x' }, rows, { factor: 30 }, 20);
    const seen: number[] = [];

    for (let offset = 0, hasMore = true; hasMore; ) {
      const page = await bot.client.findTableRows({ table, offset, limit: 60 });
      seen.push(...page.rows.map(({ id }) => id));
      if (page.hasMore) expect(page.warnings).toEqual([expect.stringMatching(/rows fit into a response/)]);
      offset += page.limit;
      hasMore = page.hasMore;
    }

    expect(seen).toEqual(rows.map((_, i) => i + 1));
  });

  it('responds within its time limit to a hostile pattern', async () => {
    const table = await newTable({ text: 'x' }, [{ text: `${'a'.repeat(4_000)}!` }]);

    const { rows } = await bot.client.findTableRows({ table, filter: { text: { $regex: '^(a+)+$' } } });

    expect(rows).toEqual([]);
  });

  it.each([
    ['an unknown operator', { filter: { age: { $near: 1 } } }, '$near'],
    ['an unknown column', { filter: { height: 1 } }, 'height'],
    ['a value of another type', { filter: { age: { $gt: 'x' } } }, 'age'],
    ['an unknown column to order by', { orderBy: 'height' }, 'height'],
    ['an unknown column to select', { select: ['height'] }, 'height'],
    ['an unknown aggregate', { group: { age: 'median' } }, 'median'],
    ['a sum of texts', { group: { name: 'sum' } }, 'name'],
    ['a pattern with a look-ahead', { filter: { name: { $regex: '(?=a)' } } }, '$regex'],
    ['a limit of 1,001', { limit: 1001 }, 'limit'],
    ['a negative offset', { offset: -1 }, 'offset'],
    ['groups that are searched', { group: { age: 'sum' }, search: 'x' }, 'search'],
    ['a search without a searchable column', { search: 'x' }, 'searchable'],
    ['a search of 1,025 characters', { search: 'x'.repeat(1025) }, 'search'],
    ['an offset of millions in another order', { orderBy: 'age', offset: 5_000_000 }, 'offset'],
  ])('returns 400 for %s', async (_, body, named) => {
    const answer = await bot.callTables('POST', `/${people}/rows/find`, { body });

    expect(answer).toMatchObject({ status: 400, body: { type: 'InvalidPayload' } });
    expect(JSON.stringify(answer.body)).toContain(named);
  });
});
