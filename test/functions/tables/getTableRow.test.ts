import { beforeAll, describe, expect, it } from 'vitest';
import { newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { newTableName } from '#test/support/requests/tables.ts';

useSharedPlatform();

let bot: TestBot;
let table: string;
beforeAll(async () => {
  bot = await newBot();
  table = (await bot.client.createTable({ name: newTableName(), schema: { a: 1 } })).table.name;
  await bot.client.createTableRows({ table, rows: [{ a: 5 }] });
});

describe('GET /tables/{table}/row', () => {
  it('returns the row', async () => {
    expect((await bot.client.getTableRow({ table, id: 1 })).row).toMatchObject({ id: 1, a: 5 });
  });

  it.each([
    ['?id=2', 404],
    ['?id=0', 404],
    ['?id=2147483647', 404],
    ['?id=99999999999', 400],
    ['?id=x', 400],
    ['?id=-1', 400],
    ['', 400],
  ])('responds to %s with the status %i', async (query, status) => {
    expect((await bot.callTables('GET', `/${table}/row${query}`)).status).toBe(status);
  });
});
