/** Public form of jobs: docs/api/tables.md#table-jobs. */
import * as z from 'zod/mini';
import { dateTime, iso } from '#shared/api/views.ts';
import { JOB_STATUSES, type TableJob } from '#shared/storage/dynamodb/tables/jobs.ts';

export const JobView = z.object({
  id: z.string(),
  botId: z.string(),
  tableId: z.string(),
  type: z.enum(['export', 'import', 'clear_column', 'clear_vectors', 'delete_rows', 'duplicate_table']),
  status: z.enum(JOB_STATUSES),
  progress: z.number(),
  inputFileId: z.nullable(z.string()),
  outputFileId: z.nullable(z.string()),
  createdAt: dateTime(),
  updatedAt: dateTime(),
});

export const viewJob = (job: TableJob): z.infer<typeof JobView> => ({
  id: job.id,
  botId: job.botId,
  tableId: job.tableId,
  type: job.type as z.infer<typeof JobView>['type'],
  status: job.status,
  progress: job.progress,
  inputFileId: job.inputFileId ?? null,
  outputFileId: job.outputFileId ?? null,
  createdAt: iso(job.createdAtMs),
  updatedAt: iso(job.updatedAtMs),
});

export const JobBrief = z.object({ id: z.string(), status: z.string() });
export const viewJobBrief = ({ id, status }: TableJob): z.infer<typeof JobBrief> => ({ id, status });
