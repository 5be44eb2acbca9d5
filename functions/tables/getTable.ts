import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { tablesOperation } from '#shared/api/operations/platform.ts';
import { TableView, viewTable } from '#shared/domain/tables/tableView.ts';
import { requireTableWithCounts } from '#shared/storage/dynamodb/tables/tables.ts';

export const getTable = tablesOperation({
  name: 'getTable',
  summary:
    'Returns a table by name or id, with the number of its rows, rows pending computation, and rows pending indexing. The counts lag briefly behind changes of rows.',
  scope: 'bot',
  method: 'GET',
  path: '/tables/{table}',
  table: 'reads',
  output: z.object({ table: TableView, rows: z.number(), stale: z.number(), indexing: z.number() }),
  statuses: [200],

  handle: async ({ botId, input }) => {
    const { table, counts } = await requireTableWithCounts(botId, input.table);
    return ok({ table: viewTable(table), rows: counts.rows, stale: counts.stale, indexing: counts.indexing });
  },
});
