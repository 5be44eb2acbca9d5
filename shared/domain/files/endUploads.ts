import { mapConcurrently } from '#shared/core/concurrency.ts';
import { uploadFailed } from '#shared/domain/fileRecords/status.ts';
import type { BotRef } from '#shared/storage/dynamodb/bots/botRef.ts';
import { findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import { retryConflicts, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { SHARED_SCOPE } from '#shared/storage/dynamodb/files/file.ts';
import { overdueUploads } from '#shared/storage/dynamodb/files/fileLists.ts';
import { listScopes } from '#shared/storage/dynamodb/files/fileScopes.ts';
import { advanceFile, findFile } from '#shared/storage/dynamodb/files/files.ts';
import { receiveObject } from './receiveObject.ts';

const TOGETHER = 200;
const AT_ONCE = 16;

export async function endUploads(botId: string, nowMs: number): Promise<boolean> {
  const bot = await findBot(botId);
  if (!bot || bot.deletedAtMs !== undefined) return true;
  const overdue: string[] = [];
  // Shared files are also listed by owner.
  const scopes = (await listScopes(botId)).filter(scope => scope !== SHARED_SCOPE);
  for (const scope of scopes) {
    for await (const fileId of overdueUploads(botId, scope, nowMs)) {
      overdue.push(fileId);
      if (overdue.length === TOGETHER) break;
    }
    if (overdue.length === TOGETHER) break;
  }
  await mapConcurrently(overdue, AT_ONCE, fileId => endUpload(bot, fileId, nowMs));
  return overdue.length < TOGETHER;
}

/** Fails an upload, unless its object exists and the event was lost. */
const endUpload = (bot: BotRef, fileId: string, nowMs: number): Promise<void> =>
  retryConflicts(async () => {
    const file = await findFile(bot.id, fileId);
    if (!file?.pending || file.pending.untilMs > nowMs) return;
    if ((await receiveObject(file.pending.object, nowMs)) !== 'missing') return;
    const reason = 'Nothing was uploaded before the upload URL expired.';
    await write((await advanceFile(bot, file, uploadFailed(file, reason), nowMs)).writes);
  });
