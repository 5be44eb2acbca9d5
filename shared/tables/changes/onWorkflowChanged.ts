/** What follows when a workflow ends that computes a cell of a table: see `tables/compute/startWorkflow.ts`. */

import { isFinished, parseWorkflow } from '#shared/dynamodb/chat/workflows.ts';
import { splitPk } from '#shared/dynamodb/keys/table.ts';
import type { StreamChange } from '#shared/dynamodb/streamChange.ts';
import { findTable } from '#shared/dynamodb/tables/tables.ts';
import { findBot } from '#shared/dynamodb/workspace/bots.ts';
import { writeWorkflowResult, parseCellRef } from '#shared/tables/compute/startWorkflow.ts';

export async function onWorkflowChanged({ event, pk, before, after }: StreamChange): Promise<void> {
  const { botId } = splitPk(pk);
  const isGone = event === 'REMOVE';
  const workflow = parseWorkflow(withBytes(isGone ? before : after));
  // One that ended before has told already what came of it.
  if (!workflow?.cell || (isGone ? isFinished(workflow) : !isFinished(workflow))) return;
  const [bot, table] = await Promise.all([findBot(botId), findTable(botId, parseCellRef(workflow.cell).tableId)]);
  if (!bot || bot.deletedAtMs !== undefined || !table) return;
  await writeWorkflowResult({ bot, table }, workflow, isGone);
}

/** The stream has bytes in base 64. */
const withBytes = (item: Record<string, unknown>) =>
  typeof item.z === 'string' ? { ...item, z: Buffer.from(item.z, 'base64') } : item;
