import { clock } from '#shared/core/clock.ts';
import { invalidPayload } from '#shared/core/errors.ts';
import { viewJobBrief } from '#shared/domain/tables/jobs/jobView.ts';
import { parseFilter } from '#shared/domain/tables/query/filter.ts';
import type { RowSource } from '#shared/domain/tables/reading/source.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { newJob } from '#shared/storage/dynamodb/tables/jobs.ts';
import { deleteMatches } from './deleteMatches.ts';
import { deletePlan } from './deletePlan.ts';

/**
 * Deletes as many matching rows as the call has time for, and the rest in a job.
 * @param filter absent for all rows
 * @throws ApiError InvalidPayload if a part of the filter has no condition. Clients drop `undefined`, so
 * `{ userId: undefined }` arrives as `{}`, which matches every row.
 */
export async function deleteMatchingRows(
  source: RowSource,
  filter: Record<string, unknown> | undefined,
): Promise<{ deletedRows: number; job?: { id: string; status: string } }> {
  const { bot, table, lastId, deadlineMs } = source;
  const range = { from: 1, to: lastId };
  const conditions = filter ?? {};
  const parsed = parseFilter(conditions, table.columns);
  if (filter && parsed.emptyPart !== undefined) throw withoutCondition(parsed.emptyPart);
  const { deletedRows, next } = await deleteMatches(source, parsed, range, () => clock.now() < deadlineMs);
  if (next === undefined) return { deletedRows };
  const plan = deletePlan(conditions, table.columns, { from: next, to: lastId });
  const { job, write: part } = newJob({ botId: bot.id, tableId: table.id }, { type: 'delete_rows', plan }, clock.now());
  await write([part]);
  return { deletedRows, job: viewJobBrief(job) };
}

const withoutCondition = (path: string) =>
  invalidPayload(
    'This part of the filter has no condition, so it would match every row. Clients omit undefined values: check those of the filter. To delete all rows, send deleteAllRows: true instead.',
    path,
  );
