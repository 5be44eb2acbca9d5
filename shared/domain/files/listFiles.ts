import type { BotCall } from '#shared/api/operations/platform.ts';
import { invalidPayload } from '#shared/core/errors.ts';
import { isFileId } from '#shared/core/ids.ts';
import { type FileCall, mayRead, visibleScopes } from '#shared/domain/fileRecords/scope.ts';
import type { File } from '#shared/storage/dynamodb/files/file.ts';
import {
  type FileSortField,
  fileEntries,
  fileListParts,
  fileSortKey,
  INDEXED_TAG,
  taggedFileParts,
} from '#shared/storage/dynamodb/files/fileLists.ts';
import { findFiles } from '#shared/storage/dynamodb/files/files.ts';
import { type Direction, LAST, type Part, pageOfList, type Range } from '#shared/storage/dynamodb/lists/lists.ts';
import { type ListEntry, sortInMemory } from '#shared/storage/dynamodb/lists/sortInMemory.ts';
import { loadTagged } from '#shared/storage/dynamodb/tags/tagLookup.ts';
import { matchesTags, type TagFilters } from './tagFilters.ts';

export interface FileFilters {
  sortField?: FileSortField | undefined;
  sortDirection?: Direction | undefined;
  keyPrefix?: string | undefined;
  tags?: TagFilters | undefined;
  ids?: string[] | undefined;
  indexed?: boolean | undefined;
}

const CHUNK = 25;
/** Sorts after every continuation of a prefix, and fits into a sort key with it. */
const AFTER = '\u{10ffff}'.repeat(20);

/** Returns a page of the files that the caller may see, newest first by default. */
export async function listFiles(
  call: FileCall & Pick<BotCall<unknown>, 'pageStart'>,
  filters: FileFilters,
  pageSize: number,
): Promise<{ records: File[]; next?: string }> {
  const { keyPrefix, sortDirection = 'desc' } = filters;
  const { sortField = keyPrefix === undefined ? 'createdAt' : 'key' } = filters;
  if (keyPrefix !== undefined && sortField !== 'key') {
    throw invalidPayload('Files with keyPrefix are sorted by key. Omit sortField, or set it to key.', 'sortField');
  }
  const bounds =
    keyPrefix === undefined ? { first: '', last: LAST } : { first: keyPrefix, last: `${keyPrefix}${AFTER}` };
  const range = { direction: sortDirection, ...bounds, after: call.pageStart };
  const source = await mostSelective(call, filters, sortField, range);
  return pageOfList(filtered(call, filters, source), pageSize, bytesOf);
}

const bytesOf = ({ metadata, tags }: File) => metadata.length + JSON.stringify(tags).length;

export function listIds(call: FileCall, tags: TagFilters, range: Range): AsyncGenerator<{ id: string }> {
  const parts = tagParts(call, tags) ?? fileListParts(call.botId, visibleScopes(call), 'createdAt');
  return fileEntries(parts, range);
}

async function mostSelective(
  call: FileCall,
  { ids, tags = {}, indexed }: FileFilters,
  sortField: FileSortField,
  range: Range,
): Promise<AsyncIterable<ListEntry<File>>> {
  const { botId } = call;
  const load = (some: string[]) => findFiles(botId, some);
  const sortKey = (file: File) => fileSortKey(sortField, file);
  const all: Range = { ...range, direction: 'asc', after: undefined };
  if (ids) return (await sortInMemory(toAsync(ids.filter(isFileId)), load, sortKey, range))!;

  const parts = tagParts(call, indexed ? { ...tags, [INDEXED_TAG]: { in: ['true'] } } : tags);
  if (parts && sortField === 'createdAt') return loadTagged(fileEntries(parts, range), load, CHUNK);
  // Tag entries are sorted by creation, so a small number is sorted in memory.
  const few = parts && (await sortInMemory(fileEntries(parts, all), load, sortKey, range));
  const whole = fileListParts(botId, visibleScopes(call), sortField);
  return few ?? loadTagged(fileEntries(whole, range), load, CHUNK);
}

/** Returns the entries of the tag with the fewest accepted values, if any. */
function tagParts(call: FileCall, tags: TagFilters): Part[] | undefined {
  const [narrowest] = Object.entries(tags)
    .flatMap(([name, filter]) => ('in' in filter ? [{ name, values: filter.in }] : []))
    // The tag of all indexed files is the least selective.
    .sort(
      (a, b) => Number(a.name === INDEXED_TAG) - Number(b.name === INDEXED_TAG) || a.values.length - b.values.length,
    );
  return narrowest && taggedFileParts(call.botId, visibleScopes(call), narrowest.name, narrowest.values);
}

async function* toAsync(ids: readonly string[]) {
  for (const id of ids) yield { id };
}

async function* filtered(
  call: FileCall,
  { tags = {}, indexed, keyPrefix = '' }: FileFilters,
  source: AsyncIterable<ListEntry<File>>,
): AsyncGenerator<ListEntry<File>> {
  for await (const { sortKey, record } of source) {
    const matches =
      record?.key.startsWith(keyPrefix) === true &&
      mayRead(call, record) &&
      matchesTags(record, tags) &&
      (indexed === undefined || record.index === indexed);
    yield { sortKey, record: matches ? record : undefined };
  }
}
