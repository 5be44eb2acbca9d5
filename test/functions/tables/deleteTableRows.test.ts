/** Deletions too large for one call are tested in `test/functions/events/runTableJob.test.ts`. */
import { beforeAll, describe, expect, it } from 'vitest';
import { CROWD, crowds, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { newTableName } from '#test/support/requests/tables.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

const newTable = async (count: number) => {
  const { table } = await bot.client.createTable({ name: newTableName(), schema: { n: 1 } });
  await bot.client.createTableRows({ table: table.name, rows: Array.from({ length: count }, (_, n) => ({ n })) });
  return table.name;
};
const idsOf = async (table: string) => (await bot.client.findTableRows({ table })).rows.map(({ id }) => id);

describe('POST /tables/{table}/rows/delete', () => {
  it('deletes by ids, and counts the rows that existed', async () => {
    const table = await newTable(5);

    expect(await bot.client.deleteTableRows({ table, ids: [2, 4, 4, 99] })).toEqual({ deletedRows: 2 });

    expect(await idsOf(table)).toEqual([1, 3, 5]);
  });

  it('deletes by a filter', async () => {
    const table = await newTable(5);

    expect(await bot.client.deleteTableRows({ table, filter: { n: { $gte: 2 } } })).toEqual({ deletedRows: 3 });

    expect(await idsOf(table)).toEqual([1, 2]);
  });

  it('deletes all rows', async () => {
    const table = await newTable(30);

    expect(await bot.client.deleteTableRows({ table, deleteAllRows: true })).toEqual({ deletedRows: 30 });

    expect(await idsOf(table)).toEqual([]);
  });

  it('counts each row once when callers delete it concurrently', async () => {
    const table = await newTable(40);
    const ids = Array.from({ length: 40 }, (_, i) => i + 1);

    const answers = await crowds(Math.min(10, CROWD), () => bot.client.deleteTableRows({ table, ids }));

    expect(answers.reduce((sum, { deletedRows }) => sum + deletedRows, 0)).toBe(40);
  });

  it.each([
    [{}, 'filter'],
    [{ $and: [{}] }, 'filter.$and.0'],
    [{ $or: [{ n: 1 }, {}] }, 'filter.$or.1'],
    [{ $not: { $not: {} } }, 'filter.$not.$not'],
    [{ n: { $gte: 0 }, $and: [{ n: 0 }, { $or: [{}] }] }, 'filter.$and.1.$or.0'],
  ])('returns 400 for the filter %j, which a client sends for undefined values', async (filter, path) => {
    const table = await newTable(1);

    const { status, body } = await bot.callTables('POST', `/${table}/rows/delete`, { body: { filter } });

    expect({ status, issues: body.metadata.issues }).toMatchObject({ status: 400, issues: [{ path }] });
    expect(body.message).toContain('deleteAllRows: true');
    expect(await idsOf(table)).toEqual([1]);
  });

  it.each([
    ['nothing', {}],
    ['ids and a filter', { ids: [1], filter: { n: 0 } }],
    ['a list without filters', { filter: { $and: [] } }],
    ['ids and all', { ids: [1], deleteAllRows: true }],
    ['no ids', { ids: [] }],
    ['deleteAllRows: false', { deleteAllRows: false }],
    ['an unknown column', { filter: { nothing: 1 } }],
  ])('returns 400 for %s, and deletes nothing', async (_, body) => {
    const table = await newTable(1);

    expect(await bot.callTables('POST', `/${table}/rows/delete`, { body })).toMatchObject({
      status: 400,
      body: { type: 'InvalidPayload' },
    });
    expect(await idsOf(table)).toEqual([1]);
  });
});
