import { beforeAll, describe, expect, it } from 'vitest';
import { CROWD, crowds, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { newTableName } from '#test/support/requests/tables.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

const newTable = async (schema: Record<string, unknown>, more: object = {}) =>
  (await bot.client.createTable({ name: newTableName(), schema, ...more })).table.name;

describe('PUT /tables/{table}/rows', () => {
  it('changes only the given columns', async () => {
    const table = await newTable({ a: 1, b: 'x', c: {} });
    await bot.client.createTableRows({ table, rows: [{ a: 1, b: 'x', c: { d: 1 } }, { a: 2 }] });

    const { rows, errors } = await bot.client.updateTableRows({
      table,
      rows: [
        { id: 1, a: 5, b: null },
        { id: 2, c: { e: 2 } },
      ],
    });

    expect(errors).toBeUndefined();
    expect(rows).toMatchObject([
      { id: 1, a: 5, b: null, c: { d: 1 } },
      { id: 2, a: 2, c: { e: 2 } },
    ]);
    expect((await bot.client.findTableRows({ table })).rows).toEqual(rows);
  });

  it('updates the valid rows and reports the errors of the others', async () => {
    const table = await newTable({ a: 1, b: 'x' }, { keyColumn: 'b' });
    await bot.client.createTableRows({ table, rows: [{ b: 'one' }, { b: 'two' }, { b: 'three' }] });

    const { rows, errors } = await bot.client.updateTableRows({
      table,
      rows: [
        { id: 1, a: 'x' },
        { id: 2, b: 'one' },
        { id: 3, b: 'four', a: 3 },
        { id: 99, a: 1 },
        { id: 1, b: 'y'.repeat(5000) },
      ],
    });

    expect(rows).toMatchObject([{ id: 3, b: 'four', a: 3 }]);
    expect(errors).toHaveLength(4);
    expect(errors!.join('\n')).toMatch(/rows\[0\].*a/);
    expect(errors!.join('\n')).toMatch(/rows\[1\].*"one" already/);
    expect(errors!.join('\n')).toMatch(/rows\[3\].*99 was not found/);
    expect(errors!.join('\n')).toMatch(/rows\[4\].*4096/);
  });

  it('keeps both changes when two callers change different columns concurrently', async () => {
    const columns = Array.from({ length: Math.min(20, CROWD) }, (_, i) => `c${i}`);
    const table = await newTable(Object.fromEntries(columns.map(name => [name, 1])));
    await bot.client.createTableRows({ table, rows: [{}] });

    const answers = await crowds(columns.length, i =>
      bot.client.updateTableRows({ table, rows: [{ id: 1, [columns[i]!]: i }] }),
    );

    expect(answers.flatMap(({ errors = [] }) => errors)).toEqual([]);
    const { row } = await bot.client.getTableRow({ table, id: 1 });
    columns.forEach((name, i) => {
      expect(row[name]).toBe(i);
    });
  });

  it('assigns a key that two rows claim concurrently to one of them', async () => {
    const table = await newTable({ k: 'x' }, { keyColumn: 'k' });
    const count = Math.min(20, CROWD);
    await bot.client.createTableRows({ table, rows: Array.from({ length: count }, (_, i) => ({ k: `k${i}` })) });

    const answers = await crowds(count, i => bot.client.updateTableRows({ table, rows: [{ id: i + 1, k: 'same' }] }));

    expect(answers.flatMap(({ rows }) => rows)).toHaveLength(1);
    expect((await bot.client.findTableRows({ table, filter: { k: 'same' } })).rows).toHaveLength(1);
    const { rows } = await bot.client.findTableRows({ table });
    expect(new Set(rows.map(({ k }) => k)).size).toBe(count);
  });

  it.each([
    ['a row without an id', { rows: [{ a: 1 }] }],
    ['an id that is a text', { rows: [{ id: '1' }] }],
    ['an id beyond 31 bits', { rows: [{ id: 2 ** 31 }] }],
  ])('returns 400 for %s', async (_, body) => {
    const table = await newTable({ a: 1 });

    expect(await bot.callTables('PUT', `/${table}/rows`, { body })).toMatchObject({ status: 400 });
  });
});
