import { clock } from '#shared/core/clock.ts';
import { ApiError } from '#shared/core/errors.ts';
import { addDependents, isComputed } from '#shared/domain/tables/schema/computedColumns.ts';
import { isSearchable } from '#shared/domain/tables/search/rowIndex.ts';
import { WriteConflict, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import type { Column } from '#shared/storage/dynamodb/tables/column.ts';
import { jobPositionForVersion, newJob } from '#shared/storage/dynamodb/tables/jobs.ts';
import { requireTableWithIds, type Table } from '#shared/storage/dynamodb/tables/tables.ts';
import type { RefreshPlan } from './refreshPlan.ts';

/** Creates a job that recomputes and reindexes rows made stale by a table change. Idempotent: one job per change. */
export async function refreshRows(botId: string, before: Table, after: Table): Promise<void> {
  const columns = columnsToCompute(before, after);
  const isIndexed = isSearchable(after) && searchedColumns(before) !== searchedColumns(after);
  if (columns.length === 0 && !isIndexed) return;
  const lastId = await lastIdOf(botId, after.id);
  if (lastId === 0) return;
  const plan: RefreshPlan = { columns, isIndexed, lastId, after: 0 };
  const position = jobPositionForVersion(after.updatedAtMs, after.version);
  const { write: part } = newJob({ botId, tableId: after.id }, { type: 'refresh', plan, position }, clock.now());
  await write([part]).catch(error => {
    // The stream delivered this change before, so the job exists.
    if (!(error instanceof WriteConflict)) throw error;
  });
}

async function lastIdOf(botId: string, tableId: string): Promise<number> {
  try {
    return (await requireTableWithIds(botId, tableId)).lastId;
  } catch (error) {
    if (error instanceof ApiError && error.type === 'ResourceNotFound') return 0;
    throw error;
  }
}

const searchedColumns = ({ columns }: Table) =>
  columns
    .filter(({ searchable }) => searchable)
    .map(({ id }) => id)
    .join(' ');

function columnsToCompute(before: Table, after: Table): string[] {
  const computed = after.columns.filter(column => isComputed(after, column));
  const stale = new Set(computed.filter(column => isChanged(before, after, column)).map(({ id }) => id));
  addDependents(after, computed, stale);
  return [...stale];
}

function isChanged(before: Table, after: Table, column: Column): boolean {
  const old = before.columns.find(({ id }) => id === column.id);
  return !old || !isComputed(before, old) || howComputed(before, old) !== howComputed(after, column);
}

/** Compares dependencies by id, because a renamed column is the same column. */
const howComputed = (table: Table, { computed }: Column) => {
  const { enabled: _, dependencies, ...how } = computed!;
  const idOf = (name: string) => table.columns.find(column => column.name === name)?.id;
  return JSON.stringify([how.action, how.code, how.prompt, how.model, how.workflowId, dependencies?.map(idOf)]);
};
