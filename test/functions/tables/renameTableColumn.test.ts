import { beforeAll, describe, expect, it } from 'vitest';
import { newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { newTableName } from '#test/support/requests/tables.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

describe('PUT /tables/{table}/column', () => {
  it('keeps the values, the key, and the columns computed from it', async () => {
    const { table } = await bot.client.createTable({
      name: newTableName(),
      schema: {
        a: 'x',
        b: { type: 'string', 'x-zui': { computed: { action: 'code', code: '1', dependencies: ['a'] } } },
      },
      keyColumn: 'a',
    });
    await bot.client.createTableRows({ table: table.id, rows: [{ a: 'x' }] });

    const { table: after } = await bot.client.renameTableColumn({ table: table.id, name: 'a', newName: 'letter' });

    expect(Object.keys(after.schema.properties)).toEqual(['letter', 'b']);
    expect(after.keyColumn).toBe('letter');
    expect(after.schema.properties.b!['x-zui'].computed!.dependencies).toEqual(['letter']);
    const { rows } = await bot.client.findTableRows({ table: table.id, filter: { letter: 'x' } });
    expect(rows).toMatchObject([{ id: 1, letter: 'x' }]);
    expect((await bot.client.createTableRows({ table: table.id, rows: [{ letter: 'x' }] })).errors).toHaveLength(1);
  });

  it.each([
    ['a column that is not there', { name: 'nothing', newName: 'c' }, 404],
    ['a name that is taken', { name: 'a', newName: 'b' }, 409],
    ['a name that no column can have', { name: 'a', newName: 'a-b' }, 400],
    ['a name that every row has', { name: 'a', newName: 'id' }, 400],
  ])('rejects %s', async (_, body, status) => {
    const { table } = await bot.client.createTable({ name: newTableName(), schema: { a: 1, b: 1 } });

    expect((await bot.callTables('PUT', `/${table.id}/column`, { body })).status).toBe(status);
  });

  it('rejects a rename while the table is frozen', async () => {
    const { table } = await bot.client.createTable({ name: newTableName(), schema: { a: 1 }, frozen: true });

    await expect(bot.client.renameTableColumn({ table: table.id, name: 'a', newName: 'b' })).rejects.toMatchObject({
      type: 'RelationConflict',
    });
  });
});
