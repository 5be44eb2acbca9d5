import type { Column } from '#shared/storage/dynamodb/tables/column.ts';
import type { Table } from '#shared/storage/dynamodb/tables/tables.ts';
import { JobFailure } from './jobRun.ts';

/** Restores the column names of the job's creation, so a rename does not change the job. */
export function withOriginalNames({ columns }: Pick<Table, 'columns'>, names: readonly [string, string][]): Column[] {
  const gone = names.find(([id]) => !columns.some(column => column.id === id));
  if (gone)
    throw new JobFailure(
      `The column "${gone[1]}" was deleted or changed its type during the job. Start the job again.`,
    );
  const byId = new Map(names);
  return columns.map(column => ({ ...column, name: byId.get(column.id) ?? column.name }));
}
