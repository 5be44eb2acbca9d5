import { type Progress, removeAll } from '#shared/storage/dynamodb/engine/partitionCleanup.ts';
import { fileSk, passageKey } from '#shared/storage/dynamodb/keys/files.ts';
import { splitPk } from '#shared/storage/dynamodb/keys/table.ts';
import { botListKeys, LAST } from '#shared/storage/dynamodb/lists/lists.ts';
import { clearSections } from './clearSections.ts';

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

export const clearFiles = (botId: string, progress: Progress): Promise<void> =>
  clearSections('bot', botId, ['files', 'tagNames', 'knowledgeBases'], progress);

/** Deletes scope names, upload timers, and the totals that stop counting. @throws OutOfTime */
export const clearFileTotals = (botId: string, progress: Progress): Promise<void> =>
  clearSections('bot', botId, ['fileScopes', 'uploads', 'totals'], progress);
