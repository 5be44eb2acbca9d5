/** Removes what deleted files and bots leave behind. */
import { fileScopesPk, fileSk, knowledgeBasesPk, passageKey, uploadsPk } from '#shared/dynamodb/keys/files.ts';
import { splitPk } from '#shared/dynamodb/keys/table.ts';
import { tagNamesPk } from '#shared/dynamodb/keys/tags.ts';
import { botTotalsPk } from '#shared/dynamodb/keys/workspace.ts';
import { botListKeys, LAST } from '#shared/dynamodb/lists.ts';
import { clearListed, clearPartition, type Progress, removeAll } from '#shared/dynamodb/partitionCleanup.ts';
import { fileKind } from './fileLists.ts';

/** The ids of all files of a scope, by creation. */
export async function* listFileIds(botId: string, scope: string): AsyncGenerator<string> {
  const range = { direction: 'asc' as const, first: '', last: LAST };
  for await (const { item } of botListKeys(botId, `files@${scope}`, 'gsi1', range)) {
    if (item.sk === fileSk) yield splitPk(item.pk).id;
  }
}

export const removePassages = (
  botId: string,
  fileId: string,
  indexingId: string,
  numbers: readonly number[],
): Promise<void> => removeAll(numbers.map(number => passageKey(botId, fileId, indexingId, number)));

/** Removes the files, lists, tag names and knowledge bases of one scope. @throws OutOfTime */
export async function clearFiles(botId: string, scope: string, progress: Progress): Promise<void> {
  await clearListed(botId, `files@${scope}`, progress);
  await clearPartition(tagNamesPk(botId, fileKind(scope)), progress);
  await clearPartition(knowledgeBasesPk(botId, scope), progress);
}

/** The last of a bot's files: the names of their scopes, the timers of their uploads, and the totals that stopped further counting. @throws OutOfTime */
export async function clearFileTotals(botId: string, progress: Progress): Promise<void> {
  await clearPartition(fileScopesPk(botId), progress);
  await clearPartition(uploadsPk(botId), progress);
  await clearPartition(botTotalsPk(botId), progress);
}
