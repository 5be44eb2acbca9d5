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

  it('names the computed columns whose code or prompt contains the former name', async () => {
    const computed = (how: object) => ({ type: 'string', 'x-zui': { computed: how } });
    const { table } = await bot.client.createTable({
      name: newTableName(),
      schema: {
        $a: 'x',
        code: computed({ action: 'code', code: 'row.$a + "!"' }),
        prompt: computed({ action: 'ai', prompt: 'Summarize $a.' }),
        others: computed({ action: 'code', code: 'row.$ab + row.b$a' }),
      },
    });
    const rename = async (name: string, newName: string) =>
      (await bot.callTables('PUT', `/${table.id}/column`, { body: { name, newName } })).body.warnings;

    expect(await rename('$a', '$a')).toBeUndefined();
    expect(await rename('$a', 'letter')).toEqual([
      'The code of column "code" contains the former name "$a". Change it with updateTable if it means the column.',
      'The prompt of column "prompt" contains the former name "$a". Change it with updateTable if it means the column.',
    ]);
    expect(await rename('letter', 'first')).toBeUndefined();
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
