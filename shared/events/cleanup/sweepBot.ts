import { clock } from '#shared/core/clock.ts';
import { dropIndexing } from '#shared/domain/files/dropIndexing.ts';
import { searchIndexOf } from '#shared/domain/files/searchIndex.ts';
import { findBot, removeEndedBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { clearChat } from '#shared/storage/dynamodb/cleanup/chat.ts';
import { clearSections } from '#shared/storage/dynamodb/cleanup/clearSections.ts';
import { clearFiles, clearFileTotals, listFileIds } from '#shared/storage/dynamodb/cleanup/files.ts';
import { clearBotItems, clearLog } from '#shared/storage/dynamodb/cleanup/workspace.ts';
import { OutOfTime, type Progress } from '#shared/storage/dynamodb/engine/partitionCleanup.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { listScopes } from '#shared/storage/dynamodb/files/fileScopes.ts';
import { listIndexings } from '#shared/storage/dynamodb/files/passages.ts';
import { putAudit, SYSTEM_ACTOR } from '#shared/storage/dynamodb/workspace/audit.ts';
import { findWorkspace } from '#shared/storage/dynamodb/workspace/workspaces.ts';
import { removeIndexes } from './removeIndexes.ts';
import { sweepTables } from './sweepTable.ts';
import { sweepTenant } from './sweepTenant.ts';

/** Deletes all data of a deleted bot, and its own item in the last pass. @throws OutOfTime */
export async function sweepBot(botId: string, isLast: boolean, progress: Progress): Promise<void> {
  await clearChat(botId, progress);
  // Before the files, whose sweep removes the mark that stops counting.
  await sweepTables(botId, isLast, progress);
  await sweepFiles(botId, isLast, progress);
  await clearSections('bot', botId, ['tags'], progress);
  await clearLog(botId, progress);
  await sweepTenant(botId, progress);
  await clearBotItems(botId, progress);
  if (isLast) await removeBot(botId);
}

/** Deletes the files of a deleted bot and its integrations. `sweepTenant` deletes their objects. @throws OutOfTime */
async function sweepFiles(botId: string, isLast: boolean, progress: Progress): Promise<void> {
  for (const scope of await listScopes(botId)) {
    // Before the files, because a file's postings are found through its passages.
    for await (const fileId of listFileIds(botId, scope)) {
      for (const indexingId of await listIndexings(botId, fileId)) {
        progress.removed += await dropIndexing({ botId, fileId, indexingId }, progress.isTimeLeft);
      }
      if (!progress.isTimeLeft()) throw new OutOfTime();
    }
  }
  await clearFiles(botId, progress);
  await removeIndexes(model => searchIndexOf(botId, model));
  if (isLast) await clearFileTotals(botId, progress);
}

async function removeBot(botId: string): Promise<void> {
  const bot = await findBot(botId);
  if (bot?.deletedAtMs === undefined) return;
  const isAudited = (await findWorkspace(bot.workspaceId)) !== undefined;
  const entry = {
    action: 'DELETE_BOT',
    resourceId: botId,
    resourceName: bot.name,
    value: 'all data removed',
  } as const;
  await write([
    removeEndedBot(botId),
    ...(isAudited ? [putAudit(bot.workspaceId, SYSTEM_ACTOR, entry, clock.now())] : []),
  ]);
}
