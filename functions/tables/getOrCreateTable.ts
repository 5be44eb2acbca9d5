import * as z from 'zod/mini';
import { MEGABYTE } from '#shared/api/operation.ts';
import { tablesOperation } from '#shared/api/operations/platform.ts';
import { ApiError } from '#shared/core/errors.ts';
import { defineTable } from '#shared/domain/tables/defineTable.ts';
import { tableFields } from '#shared/domain/tables/tableInputs.ts';
import { TableView, viewTable } from '#shared/domain/tables/tableView.ts';
import { WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import { NO_ROWS, requireTableWithCounts } from '#shared/storage/dynamodb/tables/tables.ts';
import { putNewTable } from '#shared/storage/dynamodb/tables/tableWrites.ts';

export const getOrCreateTable = tablesOperation({
  name: 'getOrCreateTable',
  summary:
    'Returns the table with this name or id unchanged, or creates a table with this name. Concurrent calls create it once.',
  scope: 'bot',
  method: 'POST',
  path: '/tables/{table}',
  table: 'writes',
  payloadLimitBytes: MEGABYTE,
  body: z.object(tableFields),
  output: z.object({
    table: TableView,
    created: z.boolean(),
    rows: z.number(),
    stale: z.number(),
    indexing: z.number(),
  }),
  statuses: [200, 201],

  handle: async ({ botId, input, nowMs, commit }) => {
    try {
      const { table, counts } = await requireTableWithCounts(botId, input.table);
      return commit({ status: 200, body: { table: viewTable(table), created: false, ...counts } }, []);
    } catch (error) {
      if (!(error instanceof ApiError && error.type === 'ResourceNotFound')) throw error;
    }
    const table = defineTable(input.table, input, nowMs);
    try {
      const body = { table: viewTable(table), created: true, ...NO_ROWS };
      return await commit({ status: 201, body }, putNewTable(botId, table));
    } catch (error) {
      // A concurrent call created the table: retry to find it.
      if (error instanceof ApiError && error.type === 'AlreadyExists') throw new WriteConflict();
      throw error;
    }
  },
});
