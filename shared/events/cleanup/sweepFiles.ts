import { dropIndexing } from '#shared/domain/files/dropIndexing.ts';
import { searchIndexOf } from '#shared/domain/files/searchIndex.ts';
import { clearFiles, clearFileTotals, listFileIds } from '#shared/storage/dynamodb/cleanup/files.ts';
import { OutOfTime, type Progress } from '#shared/storage/dynamodb/engine/partitionCleanup.ts';
import { listScopes } from '#shared/storage/dynamodb/files/fileScopes.ts';
import { listIndexings } from '#shared/storage/dynamodb/files/passages.ts';
import { removeIndexes } from './removeIndexes.ts';

/** Deletes the files of a deleted bot and its integrations. `sweepTenant` deletes their objects. @throws OutOfTime */
export async function sweepFiles(botId: string, isLast: boolean, progress: Progress): Promise<void> {
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
