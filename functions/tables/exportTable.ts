import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { tablesOperation } from '#shared/api/operations/platform.ts';
import { queryBoolean } from '#shared/api/platform/queryInputs.ts';
import { EXPORT_FORMATS, exportPlan } from '#shared/domain/tables/jobs/export/exportPlan.ts';
import { JobView, viewJob } from '#shared/domain/tables/jobs/jobView.ts';
import { newJob } from '#shared/storage/dynamodb/tables/jobs.ts';
import { requireTableWithIds } from '#shared/storage/dynamodb/tables/tables.ts';

export const exportTable = tablesOperation({
  name: 'exportTable',
  summary:
    'Starts a job that exports the rows of a table to a file of the bot: as `csv` (the default), or as `json` with the schema, which `importTable` accepts. JSON is compressed with gzip unless `compress` is false, CSV only if it is true. In CSV, text that a spreadsheet would run as a formula is prefixed with an apostrophe, unless `raw` is true. `outputFileId` of the job identifies the file.',
  scope: 'bot',
  method: 'GET',
  path: '/tables/{table}/export',
  table: 'writes',
  query: z.object({
    format: z.optional(z.enum(EXPORT_FORMATS)),
    compress: z.optional(queryBoolean()),
    raw: z.optional(queryBoolean()),
  }),
  output: z.object({ job: JobView }),
  statuses: [200],

  handle: async ({ botId, input, nowMs, commit }) => {
    const { format = 'csv', compress = format === 'json', raw: isRaw = false } = input;
    const { table, lastId } = await requireTableWithIds(botId, input.table);
    const plan = exportPlan({ format, isCompressed: compress, isRaw, lastId });
    const { job, write } = newJob({ botId, tableId: table.id }, { type: 'export', plan }, nowMs);
    return commit(ok({ job: viewJob(job) }), [write]);
  },
});
