import { beforeAll, describe, expect, it } from 'vitest';
import { eventually, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { newTableName } from '#test/support/requests/tables.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

describe('GET /tables/{table}', () => {
  it('finds a table by name and by id, with the counts of its rows', async () => {
    const { table } = await bot.client.createTable({ name: newTableName(), schema: { a: 1 } });
    await bot.client.createTableRows({ table: table.id, rows: [{ a: 1 }, { a: 2 }, { a: 3 }] });
    await bot.client.deleteTableRows({ table: table.id, ids: [2] });

    await eventually(async () => {
      const byName = await bot.client.getTable({ table: table.name });
      expect(byName).toEqual({ table, rows: 2, stale: 0, indexing: 0 });
      expect(await bot.client.getTable({ table: table.id })).toEqual(byName);
    });
  });

  it('returns 404 for an unknown table, and for one of another bot', async () => {
    const stranger = await newBot();
    const { table } = await stranger.client.createTable({ name: newTableName(), schema: {} });

    for (const name of ['nothingTable', table.name, table.id]) {
      await expect(bot.client.getTable({ table: name })).rejects.toMatchObject({ code: 404 });
    }
  });

  it('finds the new table of a name after the old one was deleted or renamed', async () => {
    const name = newTableName();
    const { table: first } = await bot.client.createTable({ name, schema: { a: 1 } });
    await bot.client.createTableRows({ table: name, rows: [{ a: 1 }] });
    await bot.client.deleteTable({ table: name });
    const { table: second } = await bot.client.createTable({ name, schema: { b: 1 } });
    expect((await bot.client.getTable({ table: name })).table.id).toBe(second.id);
    expect((await bot.client.findTableRows({ table: name })).rows).toEqual([]);

    const other = newTableName();
    await bot.client.updateTable({ table: name, name: other });
    const { table: third } = await bot.client.createTable({ name, schema: { c: 1 } });

    expect((await bot.client.getTable({ table: name })).table.id).toBe(third.id);
    expect((await bot.client.getTable({ table: other })).table.id).toBe(second.id);
    await expect(bot.client.getTable({ table: first.id })).rejects.toMatchObject({ code: 404 });
  });
});
