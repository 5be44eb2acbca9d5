/**
 * Call budgets of the tables group: the DynamoDB calls of each operation when it is warm. An operation without a budget
 * does not compile.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { platformApi } from '#infra/gateway/apis.ts';
import type { PlatformOperation } from '#shared/api/operations/platform.ts';
import { newBot, settled, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { TABLES_REQUESTS, type TablesOperation } from '#test/support/requests/tables.ts';
import { callAsBot } from './callOperation.ts';
import { counted } from './counter.ts';

useSharedPlatform();

/** Resolves an uncached name, then reads the table with its counts. */
const TABLE = 2;

const BUDGETS: Record<TablesOperation, number> = {
  // Reads the names, and then the tables, a hundred per call.
  listTables: 2,
  getTable: TABLE,
  // Looks up an uncached name twice, and writes once.
  getOrCreateTable: 3,
  createTable: 1,
  duplicateTable: TABLE + 3,
  exportTable: TABLE + 1,
  getTableJobs: TABLE + 1,
  // Reads the file, too.
  importTable: TABLE + 2,
  updateTable: TABLE + 1,
  renameTableColumn: TABLE + 1,
  // Reads the caller and the counts of the table and the bot, and writes once.
  deleteTable: TABLE + 4,
  getTableRow: TABLE + 1,
  // Reads the single shard of a small table, and then the matching rows.
  findTableRows: TABLE + 2,
  // Reserves the row's id and writes the row.
  createTableRows: TABLE + 2,
  deleteTableRows: TABLE + 1,
  // Reads the current row and writes the new one.
  updateTableRows: TABLE + 2,
  // Reads rows with the value, the key entry and the current row, and writes the new one.
  upsertTableRows: TABLE + 4,
};

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

const operationNamed = (name: TablesOperation) =>
  (platformApi.operations as PlatformOperation[]).find(each => each.group === 'tables' && each.name === name)!;

describe('a warm call', () => {
  it.each(Object.keys(BUDGETS) as TablesOperation[])('stays within the budget of %s', async name => {
    const { path, body } = await TABLES_REQUESTS[name]({ client: bot.client });
    await callAsBot(operationNamed('listTables'), bot, { path: '/tables' });
    // The consumer that counts rows can conflict with the deletion of the table.
    await settled();

    const { calls, writes } = await counted(() =>
      callAsBot(operationNamed(name), bot, { path: `/tables${path}`, body }),
    );

    expect(calls).toBeLessThanOrEqual(BUDGETS[name]);
    if (operationNamed(name).table !== 'writes') expect(writes).toBe(0);
  });
});
