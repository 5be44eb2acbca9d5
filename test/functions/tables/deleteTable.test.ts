import { beforeAll, describe, expect, it } from 'vitest';
import { newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { newTableName } from '#test/support/requests/tables.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

describe('DELETE /tables/{table}', () => {
  it('deletes a table and its rows, even if it is frozen', async () => {
    const { table } = await bot.client.createTable({ name: newTableName(), schema: { a: 1 }, frozen: true });
    await bot.client.createTableRows({ table: table.id, rows: [{ a: 1 }] });

    expect(await bot.client.deleteTable({ table: table.name })).toEqual({});

    for (const asked of [table.id, table.name]) {
      await expect(bot.client.getTable({ table: asked })).rejects.toMatchObject({ code: 404 });
      await expect(bot.client.findTableRows({ table: asked })).rejects.toMatchObject({ code: 404 });
      await expect(bot.client.createTableRows({ table: asked, rows: [{ a: 1 }] })).rejects.toMatchObject({ code: 404 });
      await expect(bot.client.deleteTable({ table: asked })).rejects.toMatchObject({ code: 404 });
    }
    expect((await bot.client.listTables({})).tables.filter(({ id }) => id === table.id)).toEqual([]);
  });
});
