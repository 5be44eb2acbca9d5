import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { tablesOperation } from '#shared/api/operations/platform.ts';
import { removeCounts } from '#shared/storage/dynamodb/tables/rowCounts.ts';
import { requireTable } from '#shared/storage/dynamodb/tables/tables.ts';
import { removeTable } from '#shared/storage/dynamodb/tables/tableWrites.ts';

export const deleteTable = tablesOperation({
  name: 'deleteTable',
  summary: 'Deletes a table and its rows, immediately for all callers, even if it is frozen.',
  scope: 'bot',
  method: 'DELETE',
  path: '/tables/{table}',
  isIrreversible: true,
  table: 'writes',
  partitions: { writes: ['botTotals'], appends: ['gauges', 'usage'] },
  output: z.object({}),
  statuses: [200],

  handle: async ({ bot, botId, input, nowMs, commit }) => {
    const table = await requireTable(botId, input.table);
    return commit(ok({}), [...removeTable(botId, table), ...(await removeCounts(bot, table.id, nowMs))]);
  },
});
