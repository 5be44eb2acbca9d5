import type { JobHandler, JobRun, RunResult } from '#shared/domain/tables/jobs/jobRun.ts';
import { withOriginalNames } from '#shared/domain/tables/jobs/withOriginalNames.ts';
import { parseFilter } from '#shared/domain/tables/query/filter.ts';
import { requireTableToWrite } from '#shared/storage/dynamodb/tables/tables.ts';
import { deleteMatches } from './deleteMatches.ts';
import { DeletePlan } from './deletePlan.ts';

export const deleteJob: JobHandler = { work };

async function work(run: JobRun): Promise<RunResult> {
  const plan = run.plan(DeletePlan);
  for (let next: number | undefined = plan.from; next !== undefined; ) {
    const table = await requireTableToWrite(run.bot.id, run.job.tableId);
    // The original names prevent the filter from matching a renamed column.
    const columns = withOriginalNames(table, plan.columns);
    const filter = parseFilter(JSON.parse(plan.filter), columns);
    const source = { bot: run.bot, table: { ...table, columns } };
    const range: { from: number; to: number } = { from: next, to: plan.to };
    const end = await deleteMatches(source, filter, range, () => false);
    next = end.next;
    if (next === undefined) break;
    await run.save({ ...plan, from: next }, next / plan.to);
    if (!run.isTimeLeft()) return 'unfinished';
  }
  return {};
}
