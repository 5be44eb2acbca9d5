import { beforeAll, describe, expect, it } from 'vitest';
import { CROWD, crowds, eventually, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { newTableName } from '#test/support/requests/tables.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

describe('POST /tables/{table}', () => {
  it('creates the table, and returns it unchanged when repeated', async () => {
    const table = newTableName();
    const first = await bot.client.getOrCreateTable({ table, schema: { a: 1 } });
    await bot.client.createTableRows({ table, rows: [{ a: 1 }] });

    expect(first).toMatchObject({ created: true, rows: 0, stale: 0, indexing: 0, table: { name: table } });
    await eventually(async () =>
      expect(await bot.client.getOrCreateTable({ table, schema: { other: 1 } })).toEqual({
        ...first,
        created: false,
        rows: 1,
      }),
    );
  });

  it('creates one table for concurrent calls', async () => {
    const table = newTableName();

    const ends = await crowds(CROWD, () => bot.client.getOrCreateTable({ table, schema: { a: 1 } }));

    expect(ends.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(ends.map(end => end.table.id)).size).toBe(1);
  });

  it('returns 400 for an invalid name', async () => {
    const answer = await bot.callTables('POST', '/people', { body: { schema: {} } });

    expect(answer).toMatchObject({ status: 400, body: { type: 'InvalidPayload' } });
  });
});
