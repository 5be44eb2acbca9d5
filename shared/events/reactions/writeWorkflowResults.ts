import { parseCellRef, writeWorkflowResult } from '#shared/domain/tables/compute/startWorkflow.ts';
import { findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { isFinished, parseWorkflow } from '#shared/storage/dynamodb/chat/workflows.ts';
import type { StreamChange } from '#shared/storage/dynamodb/engine/streamChange.ts';
import { findTableToWrite } from '#shared/storage/dynamodb/tables/tables.ts';

export async function writeWorkflowResults({ event, botId, before, after }: StreamChange): Promise<void> {
  if (event === 'INSERT' || before.cell === undefined) return;
  const isGone = event === 'REMOVE';
  const workflow = parseWorkflow(isGone ? before : after);
  // A workflow deleted after it finished has already written its result.
  if (!workflow?.cell || (isGone ? isFinished(workflow) : !isFinished(workflow))) return;
  const [bot, table] = await Promise.all([
    findBot(botId),
    findTableToWrite(botId, parseCellRef(workflow.cell).tableId),
  ]);
  if (!bot || bot.deletedAtMs !== undefined || !table) return;
  await writeWorkflowResult({ bot, table }, workflow, isGone);
}
