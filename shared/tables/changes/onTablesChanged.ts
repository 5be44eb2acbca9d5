/** Reacts to changes of tables, rows and jobs, and of workflows that compute cells. Idempotent. */

import { workflowSk } from '#shared/dynamodb/keys/chat.ts';
import type { StreamChange } from '#shared/dynamodb/streamChange.ts';
import { isJobChange, isRowChange, isTableChange } from '#shared/dynamodb/tables/changes.ts';
import { onJobCreated } from './onJobCreated.ts';
import { onRowsChanged } from './onRowsChanged.ts';
import { onTableChanged } from './onTableChanged.ts';
import { onWorkflowChanged } from './onWorkflowChanged.ts';

/** @param changes in the order of the stream; those of other items are ignored */
export async function onTablesChanged(changes: readonly StreamChange[]): Promise<void> {
  const inserted = changes.filter(({ event }) => event === 'INSERT');
  const changed = changes.filter(({ event }) => event !== 'INSERT');
  await Promise.all([
    onRowsChanged(changes.filter(isRowChange)),
    ...changed.filter(isTableChange).map(onTableChanged),
    ...inserted.filter(isJobChange).map(onJobCreated),
    ...changed.filter(({ sk, before }) => sk === workflowSk && before.cell !== undefined).map(onWorkflowChanged),
  ]);
}
