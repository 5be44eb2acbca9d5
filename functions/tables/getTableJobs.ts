import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { tablesOperation } from '#shared/api/operations/platform.ts';
import { JobView, viewJob } from '#shared/domain/tables/jobs/jobView.ts';
import { listJobs } from '#shared/storage/dynamodb/tables/jobs.ts';
import { requireTable } from '#shared/storage/dynamodb/tables/tables.ts';

export const getTableJobs = tablesOperation({
  name: 'getTableJobs',
  summary: 'Lists the latest 100 jobs of a table, newest first. Finished jobs are kept for 30 days.',
  scope: 'bot',
  method: 'GET',
  path: '/tables/{table}/jobs',
  table: 'reads',
  output: z.object({ jobs: z.array(JobView) }),
  statuses: [200],

  handle: async ({ botId, input }) => {
    const table = await requireTable(botId, input.table);
    return ok({ jobs: (await listJobs(botId, table.id)).map(viewJob) });
  },
});
