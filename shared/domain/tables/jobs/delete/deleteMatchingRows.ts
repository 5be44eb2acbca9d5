import { clock } from '#shared/core/clock.ts';
import { viewJobBrief } from '#shared/domain/tables/jobs/jobView.ts';
import { parseFilter } from '#shared/domain/tables/query/filter.ts';
import type { RowSource } from '#shared/domain/tables/reading/source.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { newJob } from '#shared/storage/dynamodb/tables/jobs.ts';
import { deleteMatches } from './deleteMatches.ts';
import { deletePlan } from './deletePlan.ts';

/** Deletes as many matching rows as the call has time for, and the rest in a job. */
export async function deleteMatchingRows(
  source: RowSource,
  filter: Record<string, unknown>,
): Promise<{ deletedRows: number; job?: { id: string; status: string } }> {
  const { bot, table, lastId, deadlineMs } = source;
  const range = { from: 1, to: lastId };
  const parsed = parseFilter(filter, table.columns);
  const { deletedRows, next } = await deleteMatches(source, parsed, range, () => clock.now() < deadlineMs);
  if (next === undefined) return { deletedRows };
  const plan = deletePlan(filter, table.columns, { from: next, to: lastId });
  const { job, write: part } = newJob({ botId: bot.id, tableId: table.id }, { type: 'delete_rows', plan }, clock.now());
  await write([part]);
  return { deletedRows, job: viewJobBrief(job) };
}
