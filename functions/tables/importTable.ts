import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { tablesOperation } from '#shared/api/operations/platform.ts';
import { invalidPayload } from '#shared/core/errors.ts';
import { text } from '#shared/core/text.ts';
import { finalizeUpload } from '#shared/domain/fileRecords/awaitUpload.ts';
import { requireOwnFile } from '#shared/domain/fileRecords/scope.ts';
import { importPlan } from '#shared/domain/tables/jobs/import/importPlan.ts';
import { JobView, viewJob } from '#shared/domain/tables/jobs/jobView.ts';
import { newJob } from '#shared/storage/dynamodb/tables/jobs.ts';
import { requireTable } from '#shared/storage/dynamodb/tables/tables.ts';

export const importTable = tablesOperation({
  name: 'importTable',
  summary:
    'Starts a job that imports the rows of a file into a table: CSV with a header line, or JSON (an array, one object per line, or the output of `exportTable`), optionally compressed with gzip. Each valid row is added once. `outputFileId` of the job identifies a file that lists the errors of the other rows, such as a duplicate value of the key column.',
  scope: 'bot',
  method: 'POST',
  path: '/tables/{table}/import',
  table: 'writes',
  partitions: { writes: ['files', 'tags', 'botTotals', 'gauges'], appends: ['usage'] },
  objects: { reads: ['files', 'uploads'], writes: ['files'] },
  body: z.object({ fileId: text(1000).check(z.minLength(1)) }),
  output: z.object({ job: JobView }),
  statuses: [200],

  handle: async call => {
    const { botId, input, nowMs, commit } = call;
    const table = await requireTable(botId, input.table);
    const file = await finalizeUpload(call.bot, await requireOwnFile(call, input.fileId), nowMs);
    if (!file.content) throw invalidPayload('The file has no content yet. Upload it to its uploadUrl first.', 'fileId');
    const plan = importPlan({ key: file.key, ...file.content }, table);
    const fields = { type: 'import' as const, inputFileId: file.id, plan };
    const { job, write } = newJob({ botId, tableId: table.id }, fields, nowMs);
    return commit(ok({ job: viewJob(job) }), [write]);
  },
});
