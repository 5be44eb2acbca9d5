import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { tablesOperation } from '#shared/api/operations/platform.ts';
import { copyTable, putCopy } from '#shared/domain/tables/copyTable.ts';
import { duplicatePlan } from '#shared/domain/tables/jobs/duplicate/duplicatePlan.ts';
import { JobBrief, viewJobBrief } from '#shared/domain/tables/jobs/jobView.ts';
import { LOGGED_FROM_ROWS } from '#shared/domain/tables/rows/logged.ts';
import { requireRoomForRows } from '#shared/domain/tables/rows/rowQuota.ts';
import { factor, tableName } from '#shared/domain/tables/tableInputs.ts';
import { TableView, viewTable } from '#shared/domain/tables/tableView.ts';
import { newJob } from '#shared/storage/dynamodb/tables/jobs.ts';
import { requireTableWithCounts, requireTableWithIds } from '#shared/storage/dynamodb/tables/tables.ts';

export const duplicateTable = tablesOperation({
  name: 'duplicateTable',
  summary:
    'Copies a table. The copy is named `<name>CopyTable` unless `tableName` is given, is not frozen, and may have a higher factor. A job copies the rows with the same ids, unless `schemaOnly` is true.',
  scope: 'bot',
  method: 'POST',
  path: '/tables/{sourceTableId}/duplicate',
  table: 'writes',
  body: z.object({
    tableName: z.optional(tableName()),
    schemaOnly: z.optional(z.boolean()),
    factor: z.optional(factor()),
  }),
  output: z.object({ table: TableView, rows: z.number(), job: z.optional(JobBrief) }),
  statuses: [200],

  handle: async call => {
    const { bot, botId, input, nowMs } = call;
    const { table: source, lastId } = await requireTableWithIds(botId, input.sourceTableId);
    const copy = await copyTable(botId, source, input, nowMs);
    if (input.schemaOnly || lastId === 0) {
      return putCopy(call, ok({ table: viewTable(copy), rows: 0 }), { table: copy, lastId });
    }
    const { counts } = await requireTableWithCounts(botId, source.id);
    const table = { ...copy, loggedSinceMs: counts.rows < LOGGED_FROM_ROWS ? undefined : nowMs };
    await requireRoomForRows(bot, counts.rows * table.factor);
    const plan = duplicatePlan(source.id, lastId);
    const { job, write } = newJob({ botId, tableId: table.id }, { type: 'duplicate_table', plan }, nowMs);
    const answer = ok({ table: viewTable(table), rows: counts.rows, job: viewJobBrief(job) });
    return putCopy(call, answer, { table, lastId }, [write]);
  },
});
