/** What follows from changes of tables, their rows and jobs, and of workflows that compute cells. It may run twice. */
import { rowPrefix, tableJobPrefix, tableSk, workflowSk } from '#shared/dynamodb/keys.ts';
import type { Change } from '#shared/dynamodb/streamChange.ts';
import { followJob } from './onJobCreated.ts';
import { followRows } from './onRowsChanged.ts';
import { followTable } from './onTableChanged.ts';
import { followWorkflow } from './onWorkflowChanged.ts';

/** @param changes in the stream's order; those of other items are left to others */
export async function followTables(changes: readonly Change[]): Promise<void> {
  const isGoingOn = ({ event }: Change) => event !== 'INSERT';
  await Promise.all([
    followRows(changes.filter(({ sk }) => sk.startsWith(rowPrefix))),
    ...changes.filter(change => change.sk === tableSk && isGoingOn(change)).map(followTable),
    ...changes.filter(change => change.sk.startsWith(tableJobPrefix) && !isGoingOn(change)).map(followJob),
    ...changes
      .filter(change => change.sk === workflowSk && isGoingOn(change) && change.before.cell !== undefined)
      .map(followWorkflow),
  ]);
}
