import { beforeAll, describe, expect, it } from 'vitest';
import { newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { newTableName } from '#test/support/requests/tables.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

const newTable = async (schema: Record<string, unknown>, more: object = {}) =>
  (await bot.client.createTable({ name: newTableName(), schema, ...more })).table.name;
const rowsOf = async (table: string) => (await bot.client.findTableRows({ table })).rows;

describe('PUT /tables/{table}', () => {
  it('merges the schema: adds, removes and keeps columns', async () => {
    const table = await newTable({ a: 1, b: 'x', c: true });
    await bot.client.createTableRows({ table, rows: [{ a: 1, b: 'x', c: true }] });

    const { table: after, staleColumns } = await bot.client.updateTable({ table, schema: { b: null, d: 'x' } });

    expect(Object.keys(after.schema.properties)).toEqual(['a', 'c', 'd']);
    expect(staleColumns).toBeUndefined();
    expect(await rowsOf(table)).toMatchObject([{ a: 1, c: true, d: null }]);
    expect(await rowsOf(table)).not.toMatchObject([{ b: 'x' }]);
  });

  it('drops the values of a column whose type changes, or that is removed and added again', async () => {
    const table = await newTable({ a: 1, b: 'x' });
    await bot.client.createTableRows({ table, rows: [{ a: 1, b: 'x' }] });

    const { staleColumns } = await bot.client.updateTable({ table, schema: { a: 'text' } });
    expect(staleColumns).toEqual(['a']);
    expect(await rowsOf(table)).toMatchObject([{ a: null, b: 'x' }]);

    await bot.client.updateTable({ table, schema: { b: null } });
    await bot.client.updateTable({ table, schema: { b: 'x' } });
    expect(await rowsOf(table)).toMatchObject([{ b: null }]);
  });

  it('changes name, tags and the other fields', async () => {
    const table = await newTable({ a: 1 }, { tags: { x: '1', y: '2' } });
    const name = newTableName();

    const answer = await bot.client.updateTable({
      table,
      name,
      tags: { x: '', z: '3' },
      factor: 3,
      isComputeEnabled: false,
      frozen: true,
    });

    expect(answer.table).toMatchObject({
      name,
      tags: { y: '2', z: '3' },
      factor: 3,
      isComputeEnabled: false,
      frozen: true,
    });
    await expect(bot.client.getTable({ table })).rejects.toMatchObject({ code: 404 });
    expect((await bot.client.getTable({ table: name })).table).toEqual(answer.table);
  });

  it('changes only rows and tags while the table is frozen', async () => {
    const table = await newTable({ a: 1 }, { frozen: true });

    for (const change of [{ schema: { b: 1 } }, { name: newTableName() }, { factor: 2 }, { keyColumn: 'a' }]) {
      const answer = await bot.callTables('PUT', `/${table}`, { body: change });
      expect(answer).toMatchObject({ status: 409, body: { type: 'RelationConflict' } });
      expect(answer.body.message).toContain(Object.keys(change)[0]);
    }
    await bot.client.createTableRows({ table, rows: [{ a: 1 }] });
    await bot.client.updateTable({ table, tags: { x: '1' } });
    await bot.client.updateTable({ table, frozen: false });
    await bot.client.updateTable({ table, schema: { b: 1 } });
  });

  it('makes a column the key if its values are unique', async () => {
    const table = await newTable({ a: 1, b: 1 });
    const rows = Array.from({ length: 150 }, (_, i) => ({ a: i, b: i % 2 }));
    await bot.client.createTableRows({ table, rows: [...rows, {}, {}] });

    await expect(bot.client.updateTable({ table, keyColumn: 'b' })).rejects.toMatchObject({ type: 'InvalidPayload' });
    expect((await bot.client.getTable({ table })).table.keyColumn).toBeNull();
    expect((await bot.client.updateTable({ table, keyColumn: 'a' })).table.keyColumn).toBe('a');

    expect((await bot.client.createTableRows({ table, rows: [{ a: 149 }] })).errors).toHaveLength(1);
    expect((await bot.client.findTableRows({ table, filter: { a: 77 } })).rows).toMatchObject([{ id: 78 }]);
    await bot.client.updateTable({ table, keyColumn: null });
    expect((await bot.client.createTableRows({ table, rows: [{ a: 149 }] })).rows).toHaveLength(1);
  });

  it('returns 409 when the name is taken', async () => {
    const [table, other] = [await newTable({}), await newTable({})];

    await expect(bot.client.updateTable({ table, name: other })).rejects.toMatchObject({ type: 'AlreadyExists' });
  });

  it('keeps both columns when two callers each add one concurrently', async () => {
    const table = await newTable({ a: 1 });

    await Promise.all(['b', 'c', 'd', 'e'].map(name => bot.client.updateTable({ table, schema: { [name]: 1 } })));

    const { table: after } = await bot.client.getTable({ table });
    expect(Object.keys(after.schema.properties).sort()).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  it.each([
    ['a lower factor', { factor: 1 }],
    ['a name that no table can have', { name: 'x' }],
    ['a key that is not there', { keyColumn: 'nothing' }],
    ['too many columns', { schema: Object.fromEntries(Array.from({ length: 64 }, (_, i) => [`c${i}`, 1])) }],
    ['a column that another is computed from', { schema: { a: null } }],
  ])('returns 400 for %s', async (_, body) => {
    const computed = { type: 'number', 'x-zui': { computed: { action: 'code', code: 'row.a', dependencies: ['a'] } } };
    const table = await newTable({ a: 1, b: computed }, { factor: 2 });

    expect(await bot.callTables('PUT', `/${table}`, { body })).toMatchObject({
      status: 400,
      body: { type: 'InvalidPayload' },
    });
  });
});
