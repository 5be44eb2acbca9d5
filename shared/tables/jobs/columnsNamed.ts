/** Columns as they were called when a job began. */

import type { Column } from '#shared/dynamodb/tables/column.ts';
import type { Table } from '#shared/dynamodb/tables/tables.ts';
import { JobFailure } from './jobRun.ts';

/** @param names by id and name @throws JobFailure when one of them is gone */
export function withOriginalNames({ columns }: Pick<Table, 'columns'>, names: readonly [string, string][]): Column[] {
  const gone = names.find(([id]) => !columns.some(column => column.id === id));
  if (gone)
    throw new JobFailure(`The column "${gone[1]}" was removed, or became of another type, before the job was done.`);
  const byId = new Map(names);
  return columns.map(column => ({ ...column, name: byId.get(column.id) ?? column.name }));
}
