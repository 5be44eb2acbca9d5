import type { StreamChange } from '#shared/dynamodb/streamChange.ts';
import { onJobCreated } from './onJobCreated.ts';
import { onRowsChanged } from './onRowsChanged.ts';
import { onTableChanged } from './onTableChanged.ts';
import { onWorkflowChanged } from './onWorkflowChanged.ts';

/**
 * Reacts to changes of tables, rows and jobs, and of workflows that compute cells. Idempotent.
 * @param changes in the order of the stream; those of other items are ignored
 */
export async function onTablesChanged(changes: readonly StreamChange[]): Promise<void> {
  const of = (kind: StreamChange['kind']) => changes.filter(change => change.kind === kind);
  const isNew = ({ event }: StreamChange) => event === 'INSERT';
  await Promise.all([
    onRowsChanged(of('row')),
    ...of('tableJob').filter(isNew).map(onJobCreated),
    ...of('table')
      .filter(change => !isNew(change))
      .map(onTableChanged),
    ...of('workflow')
      .filter(change => !isNew(change) && change.before.cell !== undefined)
      .map(onWorkflowChanged),
  ]);
}
