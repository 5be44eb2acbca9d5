/** Removes all files of a bot that was deleted, whoever they belong to. Their objects go with the bot's. */
import { chooseEmbedder } from '#shared/ai/chooseEmbedder.ts';
import { chooseVectorStore } from '#shared/ai/chooseVectorStore.ts';
import { fileKind, listScopes } from '#shared/dynamodb/files/files.ts';
import { listIndexings } from '#shared/dynamodb/files/passages.ts';
import { fileScopesPk, fileSk, knowledgeBasesPk } from '#shared/dynamodb/keys/files.ts';
import { tagNamesPk } from '#shared/dynamodb/keys/tags.ts';
import { botTotalsPk } from '#shared/dynamodb/keys/workspace.ts';
import { botList, LAST } from '#shared/dynamodb/lists.ts';
import { clearListed, clearPartition, OutOfTime, type Progress } from '#shared/dynamodb/partitionCleanup.ts';
import { searchIndexOf } from '#shared/files/searchIndex.ts';
import { dropIndexing } from '#shared/files/dropIndexing.ts';

const ALL = { direction: 'asc', first: '', last: LAST } as const;

/** @param isLast nobody writes any more. @throws OutOfTime */
export async function sweepFiles(botId: string, isLast: boolean, progress: Progress): Promise<void> {
  for (const scope of await listScopes(botId)) {
    for await (const { item } of botList(botId, `files@${scope}`, 'gsi1', ALL)) {
      if (item.sk !== fileSk) continue;
      // Which words it has stands in its passages.
      const fileId = String(item.id);
      for (const indexingId of await listIndexings(botId, fileId)) {
        const indexing = { botId, fileId, indexingId };
        progress.removed += await dropIndexing(indexing, progress.isTimeLeft);
      }
      if (!progress.isTimeLeft()) throw new OutOfTime();
    }
    await clearListed(botId, `files@${scope}`, progress);
    await clearListed(botId, `fileOrders@${scope}`, progress);
    await clearPartition(tagNamesPk(botId, fileKind(scope)), progress);
    await clearPartition(knowledgeBasesPk(botId, scope), progress);
  }
  const [embedder, store] = await Promise.all([chooseEmbedder(), chooseVectorStore()]);
  await store.removeIndex(searchIndexOf(botId, embedder));
  if (!isLast) return;
  await clearPartition(fileScopesPk(botId), progress);
  // Until now it said that nothing more is to be counted.
  await clearPartition(botTotalsPk(botId), progress);
}
