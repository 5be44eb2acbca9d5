/** The job is tested in `test/functions/events/runTableJob.test.ts`. */
import { beforeAll, describe, expect, it } from 'vitest';
import { eventually, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { newTableName } from '#test/support/requests/tables.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

const newTable = async (more: object = {}) => {
  const { table } = await bot.client.createTable({ name: newTableName(), schema: { k: 'x', n: 1 }, ...more });
  await bot.client.createTableRows({ table: table.name, rows: [{ k: 'a', n: 1 }, { k: 'b', n: 2 }, { k: 'c' }] });
  await bot.client.deleteTableRows({ table: table.name, ids: [2] });
  return table;
};

describe('POST /tables/{sourceTableId}/duplicate', () => {
  it('copies the table and its rows, with the same row ids', async () => {
    const source = await newTable({ keyColumn: 'k', frozen: true, factor: 2, tags: { x: '1' } });
    const tableName = newTableName();

    const { table } = await bot.client.duplicateTable({ sourceTableId: source.id, tableName });

    expect(table).toMatchObject({ name: tableName, schema: source.schema, keyColumn: 'k', factor: 2, frozen: false });
    await eventually(async () => {
      const { rows } = await bot.client.findTableRows({ table: tableName });
      expect(rows).toMatchObject([
        { id: 1, k: 'a', n: 1 },
        { id: 3, k: 'c', n: null },
      ]);
    });
    const { rows, errors } = await bot.client.createTableRows({ table: tableName, rows: [{ k: 'd' }, { k: 'a' }] });
    expect(rows[0]!.id).toBeGreaterThan(3);
    expect(errors).toHaveLength(1);
    expect((await bot.client.findTableRows({ table: source.id })).rows).toHaveLength(2);
  });

  it('copies only the schema', async () => {
    const source = await newTable();

    const answer = await bot.client.duplicateTable({ sourceTableId: source.name, schemaOnly: true, factor: 3 });

    expect(answer).toMatchObject({ rows: 0, table: { schema: source.schema, factor: 3 } });
    expect(answer.job).toBeUndefined();
    expect((await bot.client.findTableRows({ table: answer.table.name })).rows).toEqual([]);
  });

  it('rejects a taken name, a lower factor, and an unknown table', async () => {
    const source = await newTable({ factor: 2 });
    const send = (path: string, body: object) => bot.callTables('POST', `/${path}/duplicate`, { body });

    expect((await send(source.id, { tableName: source.name })).status).toBe(409);
    expect((await send(source.id, { tableName: 'x' })).status).toBe(400);
    expect((await send(source.id, { factor: 1 })).status).toBe(400);
    expect((await send('nothingTable', {})).status).toBe(404);
  });
});
