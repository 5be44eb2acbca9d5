/** What follows from changes of tables, their rows and jobs, and of workflows that compute cells. It may run twice. */

import { workflowSk } from '#shared/dynamodb/keys/chat.ts';
import { rowPrefix, tableJobPrefix, tableSk } from '#shared/dynamodb/keys/tables.ts';
import type { StreamChange } from '#shared/dynamodb/streamChange.ts';
import { onJobCreated } from './onJobCreated.ts';
import { onRowsChanged } from './onRowsChanged.ts';
import { onTableChanged } from './onTableChanged.ts';
import { onWorkflowChanged } from './onWorkflowChanged.ts';

/** @param changes in the stream's order; those of other items are left to others */
export async function onTablesChanged(changes: readonly StreamChange[]): Promise<void> {
  const isGoingOn = ({ event }: StreamChange) => event !== 'INSERT';
  await Promise.all([
    onRowsChanged(changes.filter(({ sk }) => sk.startsWith(rowPrefix))),
    ...changes.filter(change => change.sk === tableSk && isGoingOn(change)).map(onTableChanged),
    ...changes.filter(change => change.sk.startsWith(tableJobPrefix) && !isGoingOn(change)).map(onJobCreated),
    ...changes
      .filter(change => change.sk === workflowSk && isGoingOn(change) && change.before.cell !== undefined)
      .map(onWorkflowChanged),
  ]);
}
