/**
 * Budgets of the tables operations: the DynamoDB calls of a warm function. An operation without a budget does not compile
 * (docs/performance.md).
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { platformApi } from '#infra/gateway/apis.ts';
import type { PlatformOperation } from '#shared/api/platform/operation.ts';
import { newBot, settled, type TestBot, usePlatform } from '#test/support/platform.ts';
import { TABLES_REQUESTS, type TablesOperation } from '#test/support/requests/tables.ts';
import { callAsBot } from './callOperation.ts';
import { counted } from './counter.ts';

usePlatform();

/** A name that is not cached is looked up first; then the table is read with its counters. */
const TABLE = 2;

const BUDGETS: Record<TablesOperation, number> = {
  // The names, then up to a hundred tables per call.
  listTables: 2,
  getTable: TABLE,
  // The table, twice for a name that is not cached, and the transaction.
  getOrCreateTable: 3,
  createTable: 1,
  duplicateTable: TABLE + 3,
  exportTable: TABLE + 1,
  getTableJobs: TABLE + 1,
  // And the file.
  importTable: TABLE + 2,
  updateTable: TABLE + 1,
  renameTableColumn: TABLE + 1,
  // The table's counts, the bot's totals, and the transaction.
  deleteTable: TABLE + 3,
  getTableRow: TABLE + 1,
  // A small table has one part; then the matching rows.
  findTableRows: TABLE + 2,
  // The id and the row.
  createTableRows: TABLE + 2,
  deleteTableRows: TABLE + 1,
  // The row, and its next version.
  updateTableRows: TABLE + 2,
  // The rows with the value, its entry, the row, and its next version.
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
    // The row counter may conflict with the deletion of a table.
    await settled();

    const { calls, writes } = await counted(() =>
      callAsBot(operationNamed(name), bot, { path: `/tables${path}`, body }),
    );

    expect(calls).toBeLessThanOrEqual(BUDGETS[name]);
    if (operationNamed(name).table !== 'writes') expect(writes).toBe(0);
  });
});
