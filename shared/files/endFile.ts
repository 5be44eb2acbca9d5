/** What happens to a file when a time has come: its expiry, or the end of an upload or indexing that did not end itself. */

import { changeFile, findFile, removeFile } from '#shared/dynamodb/files/files.ts';
import { fileIndexingSk, fileSk, fileUploadSk } from '#shared/dynamodb/keys/files.ts';
import { splitPk } from '#shared/dynamodb/keys/table.ts';
import type { Write } from '#shared/dynamodb/transaction.ts';
import { findBot } from '#shared/dynamodb/workspace/bots.ts';
import { indexingFailed } from '#shared/fileRecords/status.ts';
import { endUpload } from './receiveObject.ts';

const DUE = [fileSk, fileUploadSk, fileIndexingSk];
export const isFileTimer = ({ sk }: { sk: string }) => DUE.includes(sk);

/** @returns nothing where it was set anew or is done already */
export async function endFile(botId: string, { pk, sk }: { pk: string; sk: string }, nowMs: number): Promise<Write[]> {
  const [bot, file] = await Promise.all([findBot(botId), findFile(botId, splitPk(pk).id)]);
  if (!file || !bot || bot.deletedAtMs !== undefined) return [];
  const isOver = (dueMs: number | undefined) => dueMs !== undefined && dueMs <= nowMs;
  const writes = await (async () => {
    if (sk === fileSk) return isOver(file.expiresAtMs) ? removeFile(bot, file, nowMs) : [];
    if (sk === fileUploadSk) return isOver(file.pending?.untilMs) ? endUpload(bot, file, nowMs) : [];
    if (!isOver(file.indexing?.untilMs)) return [];
    const reason = 'Indexing took too long. Upload the file again, or split it into smaller ones.';
    return (await changeFile(bot, file, indexingFailed(file, reason), nowMs)).writes;
  })();
  // The item that says when is taken by whoever asks.
  return writes.filter(
    write => !('remove' in write && write.remove.Key.pk === pk && write.remove.Key.sk === `due#${sk}`),
  );
}
