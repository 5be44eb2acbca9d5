import { indexingFailed } from '#shared/domain/fileRecords/status.ts';
import { findBot } from '#shared/storage/dynamodb/bots/bots.ts';
import type { FileDeadline } from '#shared/storage/dynamodb/chat/timerSubjects.ts';
import type { Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { advanceFile, findFile, removeFile } from '#shared/storage/dynamodb/files/files.ts';

/** Ends a file or its indexing. Returns no writes if the deadline was postponed or met. */
export async function endFile(botId: string, fileId: string, deadline: FileDeadline, nowMs: number): Promise<Write[]> {
  const [bot, file] = await Promise.all([findBot(botId), findFile(botId, fileId)]);
  if (!file || !bot || bot.deletedAtMs !== undefined) return [];
  const isOver = (dueMs: number | undefined) => dueMs !== undefined && dueMs <= nowMs;
  switch (deadline) {
    case 'expiry':
      return isOver(file.expiresAtMs) ? removeFile(bot, file, nowMs) : [];
    case 'indexing': {
      if (!isOver(file.indexing?.untilMs)) return [];
      const reason = 'Indexing took too long. Upload the file again, or split it into smaller ones.';
      return (await advanceFile(bot, file, indexingFailed(file, reason), nowMs)).writes;
    }
  }
}
