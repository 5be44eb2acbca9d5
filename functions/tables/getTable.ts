import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { tablesOperation } from '#shared/api/operations/platform.ts';
import { TableView, viewTable } from '#shared/domain/tables/tableView.ts';
import { requireTableWithCounts } from '#shared/storage/dynamodb/tables/tables.ts';

export const getTable = tablesOperation({
  name: 'getTable',
  summary:
    'Returns a table by name or id, with the number of its rows, and of those still to be computed or indexed for search. The counts are exact, a moment after rows change.',
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
