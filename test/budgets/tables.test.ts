/**
 * What each operation of the tables interface may ask of DynamoDB when it is warm (FACTS, *Budgets*). An operation without
 * a budget does not compile.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { platformApi } from '#infra/gateway/apis.ts';
import type { PlatformOperation } from '#shared/api/platform/operation.ts';
import { newBot, settled, type TestBot, usePlatform } from '#test/support/platform.ts';
import { TABLES_REQUESTS, type TablesOperation } from '#test/support/requests/tables.ts';
import { callAsBot } from './callOperation.ts';
import { counted } from './counter.ts';

usePlatform();

/** A name that is not remembered is looked up; then comes the table, with what else is kept of it. */
const TABLE = 2;

const BUDGETS: Record<TablesOperation, number> = {
  // The names, then the tables themselves with one call for a hundred.
  listTables: 2,
  getTable: TABLE,
  // Whether it is there, twice for one that is not remembered; and the transaction.
  getOrCreateTable: 3,
  createTable: 1,
  duplicateTable: TABLE + 3,
  exportTable: TABLE + 1,
  getTableJobs: TABLE + 1,
  // The file, too.
  importTable: TABLE + 2,
  updateTable: TABLE + 1,
  renameTableColumn: TABLE + 1,
  // What was counted of it, for the table and for the bot; and the transaction.
  deleteTable: TABLE + 3,
  getTableRow: TABLE + 1,
  // A small table stands in one part; then the rows that match.
  findTableRows: TABLE + 2,
  // Its id, and the row.
  createTableRows: TABLE + 2,
  deleteTableRows: TABLE + 1,
  // The row as it is, and as it will be.
  updateTableRows: TABLE + 2,
  // Rows with the value, its entry, the row as it is, and as it will be.
  upsertTableRows: TABLE + 4,
};

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

const operationNamed = (name: TablesOperation) =>
  (platformApi.operations as PlatformOperation[]).find(each => each.group === 'tables' && each.name === name)!;

describe('a warm call', () => {
  it.each(Object.keys(BUDGETS) as TablesOperation[])('of %s stays within its budget', async name => {
    const { path, body } = await TABLES_REQUESTS[name]({ client: bot.client });
    await callAsBot(operationNamed('listTables'), bot, { path: '/tables' });
    // Whoever counts its rows may be in the way of who deletes a table.
    await settled();

    const { calls, writes } = await counted(() =>
      callAsBot(operationNamed(name), bot, { path: `/tables${path}`, body }),
    );

    expect(calls).toBeLessThanOrEqual(BUDGETS[name]);
    if (operationNamed(name).table !== 'writes') expect(writes).toBe(0);
  });
});
