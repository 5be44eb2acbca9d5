/**
 * The lists of a bot's files: per scope by creation, update, key, size and status, and by tag. Entries are written in the
 * transaction of their file; only those of lost tags are removed later, by the table's stream.
 */
import {
  fileIdOfSortKey,
  fileListing,
  fileOrderItem,
  fileOrderKeys,
  fileSortKeys,
  sharedFileKey,
} from '#shared/dynamodb/keys/files.ts';
import { timedSk } from '#shared/dynamodb/keys/lists.ts';
import type { Key } from '#shared/dynamodb/keys/table.ts';
import {
  botListParts,
  distinct,
  LAST,
  mergeParts,
  type Part,
  type Range,
  tagListParts,
} from '#shared/dynamodb/lists.ts';
import { type FileKind, type Tagged, type Tags, tagHash, tagWrites } from '#shared/dynamodb/tags.ts';
import { unconditional, type Write } from '#shared/dynamodb/transaction.ts';
import { type File, scopesOf } from './file.ts';

export type FileSortField = 'key' | 'size' | 'createdAt' | 'updatedAt' | 'status';

const INDEXES = { createdAt: 'gsi1', updatedAt: 'gsi2', size: 'gsi1', status: 'gsi2', key: undefined } as const;

/** The partitions that list the files of some scopes by a field. */
export const fileListParts = (botId: string, scopes: readonly string[], field: FileSortField): Part[] =>
  scopes.flatMap(scope => {
    const list = field === 'createdAt' || field === 'updatedAt' ? 'files' : 'fileOrders';
    return botListParts(botId, `${list}@${scope}`, INDEXES[field]);
  });

/** The partitions that list, by creation, the files of some scopes that have one of these values of a tag. */
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

/** The entries of several parts as one list. A file in more than one part has the same sort key in each and comes once. */
export async function* fileEntries(
  parts: readonly Part[],
  range: Range,
): AsyncGenerator<{ sortKey: string; id: string }> {
  for await (const { sortKey } of distinct(mergeParts(parts, range))) {
    yield { sortKey, id: fileIdOfSortKey(sortKey) };
  }
}

/** A file's sort key in the list by a field. */
export function fileSortKey(field: FileSortField, file: File): string {
  switch (field) {
    case 'createdAt':
      return timedSk(file.createdAtMs, file.id);
    case 'updatedAt':
      return timedSk(file.updatedAtMs, file.id);
    default:
      return orderSortKeys(file)[field];
  }
}

const orderSortKeys = (file: File) => fileSortKeys({ ...file, size: file.content?.size ?? 0 });

/** The list entries of a file. In its owner's lists by creation and update, the file's own item is the entry. */
const listEntries = (botId: string, file: File) =>
  scopesOf(file).flatMap(scope => [
    fileOrderItem(botId, scope, file.id, orderSortKeys(file)),
    ...(scope === file.scope ? [] : [{ ...sharedFileKey(botId, file.id), ...fileListing(botId, scope, file) }]),
  ]);

/** Wherever the list entries of a file may lie. */
const listEntryKeys = (botId: string, file: File): Key[] =>
  scopesOf(file).flatMap(scope => [
    ...fileOrderKeys(botId, scope, file.id, orderSortKeys(file)),
    ...(scope === file.scope ? [] : [sharedFileKey(botId, file.id)]),
  ]);

/** Puts the list entries of a file, and removes those that its previous version had. */
export function moveListEntries(botId: string, before: File | undefined, after: File | undefined): Write[] {
  const entries = after ? listEntries(botId, after) : [];
  const kept = new Set(entries.map(nameOf));
  const replaced = (before ? listEntryKeys(botId, before) : []).filter(key => !kept.has(nameOf(key)));
  return [
    ...entries.map(Item => ({ put: { Item }, onRefused: unconditional })),
    ...replaced.map(Key => ({ remove: { Key }, onRefused: unconditional })),
  ];
}
const nameOf = ({ pk, sk }: Key) => `${pk} ${sk}`;

/** A tag of every indexed file, which lists them. No caller's tag can have this name. */
export const INDEXED_TAG = ' index';

export const fileKind = (scope: string): FileKind => `file@${scope}`;

export const taggedFile = (scope: string, { id, createdAtMs }: Pick<File, 'id' | 'createdAtMs'>): Tagged => ({
  kind: fileKind(scope),
  id,
  sortKey: timedSk(createdAtMs, id),
  shardBy: id,
});

/** The tags that list a file in a scope; none if the scope does not contain it. */
export const tagsIn = (scope: string, file: Pick<File, 'scope' | 'policies' | 'tags' | 'index'> | undefined): Tags =>
  file && scopesOf(file).includes(scope) ? { ...file.tags, ...(file.index ? { [INDEXED_TAG]: 'true' } : {}) } : {};

/** Puts the entries of the tags that a file gains. */
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

/** Whether a scope has any file. */
export async function hasFiles(botId: string, scope: string): Promise<boolean> {
  for await (const _ of fileEntries(fileListParts(botId, [scope], 'createdAt'), EVERYTHING)) return true;
  return false;
}
