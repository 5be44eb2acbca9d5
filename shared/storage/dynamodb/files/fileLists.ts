/** Lists of files by scope. The file's item is the entry, except for tags, whose entries the stream deletes. */

import { unconditional, type Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import {
  fileIdOfSortKey,
  fileListing,
  fileSortKeys,
  type SortedFile,
  sharedFileKey,
} from '#shared/storage/dynamodb/keys/files.ts';
import { timedSk } from '#shared/storage/dynamodb/keys/lists.ts';
import {
  botListParts,
  distinct,
  LAST,
  mergeParts,
  type Part,
  type Range,
  rangeUntil,
  tagListParts,
} from '#shared/storage/dynamodb/lists/lists.ts';
import { type FileKind, type Tagged, type Tags, tagHash, tagWrites } from '#shared/storage/dynamodb/tags/tags.ts';
import { type File, isShared, SHARED_SCOPE, scopesOf } from './file.ts';

export type FileSortField = 'key' | 'size' | 'createdAt' | 'updatedAt' | 'status';

const INDEXES = { createdAt: 'gsi1', updatedAt: 'gsi2', key: 'gsi3', size: 'gsi4', status: 'gsi5' } as const;

export const fileListParts = (botId: string, scopes: readonly string[], field: FileSortField): Part[] =>
  scopes.flatMap(scope => botListParts(botId, `files@${scope}`, INDEXES[field]));

export async function* overdueUploads(botId: string, scope: string, untilMs: number): AsyncGenerator<string> {
  const parts = botListParts(botId, `files@${scope}`, INDEXES.status, 'upload_pending#');
  for await (const { id } of fileEntries(parts, rangeUntil(untilMs))) yield id;
}

export const taggedFileParts = (
  botId: string,
  scopes: readonly string[],
  tag: string,
  values: readonly string[],
): Part[] =>
  scopes.flatMap(scope =>
    values.flatMap(value => tagListParts({ botId, hash: tagHash(fileKind(scope), tag, value), isOfMessages: false })),
  );

const EVERYTHING: Range = { direction: 'asc', first: '', last: LAST };

/** Merges parts without duplicates. A file has the same sort key in each part. */
export async function* fileEntries(
  parts: readonly Part[],
  range: Range,
): AsyncGenerator<{ sortKey: string; id: string }> {
  for await (const { sortKey } of distinct(mergeParts(parts, range))) {
    yield { sortKey, id: fileIdOfSortKey(sortKey) };
  }
}

export const fileSortKey = (field: FileSortField, file: File): string => fileSortKeys(sorted(file))[field];

/** Pending uploads count with their announced size, because then most entries never move. */
const sorted = (file: File): SortedFile => ({
  ...file,
  sizeBytes: file.content?.size ?? file.pending?.size ?? 0,
  pendingUntilMs: file.status === 'upload_pending' ? file.pending?.untilMs : undefined,
});

export const listingOf = (botId: string, file: File) => fileListing(botId, file.scope, sorted(file));

export function moveSharedEntry(botId: string, before: File | undefined, after: File | undefined): Write[] {
  const [entryBefore, entry] = [before, after].map(file => file && sharedEntry(botId, file));
  if (entry) {
    const isSame = JSON.stringify(entry) === JSON.stringify(entryBefore);
    return isSame ? [] : [{ put: { Item: entry }, onRefused: unconditional }];
  }
  if (!entryBefore) return [];
  const { pk, sk } = entryBefore;
  return [{ remove: { Key: { pk, sk } }, onRefused: unconditional }];
}

const sharedEntry = (botId: string, file: File) =>
  isShared(file) ? { ...sharedFileKey(botId, file.id), ...fileListing(botId, SHARED_SCOPE, sorted(file)) } : undefined;

/** Internal tag that lists indexed files. Callers' tags cannot have this name. */
export const INDEXED_TAG = ' index';

export const fileKind = (scope: string): FileKind => `file@${scope}`;

export const taggedFile = (scope: string, { id, createdAtMs }: Pick<File, 'id' | 'createdAtMs'>): Tagged => ({
  kind: fileKind(scope),
  id,
  sortKey: timedSk(createdAtMs, id),
  shardBy: id,
});

export const tagsIn = (scope: string, file: Pick<File, 'scope' | 'policies' | 'tags' | 'index'> | undefined): Tags =>
  file && scopesOf(file).includes(scope) ? { ...file.tags, ...(file.index ? { [INDEXED_TAG]: 'true' } : {}) } : {};

export async function putTagEntries(botId: string, before: File | undefined, file: File): Promise<Write[]> {
  const writes = await Promise.all(
    scopesOf(file).map(scope => {
      const known = tagsIn(scope, before);
      const added = Object.entries(tagsIn(scope, file)).filter(([key, value]) => known[key] !== value);
      return added.length === 0 ? [] : tagWrites(botId, taggedFile(scope, file), Object.fromEntries(added));
    }),
  );
  return writes.flat();
}

export async function hasFiles(botId: string, scope: string): Promise<boolean> {
  for await (const _ of fileEntries(fileListParts(botId, [scope], 'createdAt'), EVERYTHING)) return true;
  return false;
}
