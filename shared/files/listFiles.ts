/** Lists of files: from whichever list leads to what is wanted most directly, and the rest filtered. */

import type { BotCall } from '#shared/api/platform/operation.ts';
import {
  type File,
  fileKind,
  findFiles,
  INDEXED_TAG,
  placesOf as orderPlacesOf,
} from '#shared/dynamodb/files/files.ts';
import { fileIdOfPlace } from '#shared/dynamodb/keys/files.ts';
import { timedSk } from '#shared/dynamodb/keys/lists.ts';
import {
  botListParts,
  type Direction,
  inChunks,
  LAST,
  mergeParts,
  type Part,
  pageOfList,
  type Range,
  tagListParts,
} from '#shared/dynamodb/lists.ts';
import { type ListEntry, sortInMemory } from '#shared/dynamodb/sortInMemory.ts';
import { tagHash } from '#shared/dynamodb/tags.ts';
import { type FileCall, mayRead, visibleScopes } from '#shared/fileRecords/scope.ts';
import { isFileId } from '#shared/ids.ts';

type SortField = 'key' | 'size' | 'createdAt' | 'updatedAt' | 'status';

/** By name: one of these values, or none of those. */
export type TagFilters = Record<string, { in: string[] } | { not: string[] }>;

export interface FileFilters {
  sortField?: SortField | undefined;
  sortDirection?: Direction | undefined;
  tags?: TagFilters | undefined;
  ids?: string[] | undefined;
  indexed?: boolean | undefined;
}

/** Records that are read together. */
const TOGETHER = 25;
/** A page of the files that the caller may see, newest first unless asked otherwise. */
export async function listFiles(
  call: FileCall & Pick<BotCall<unknown>, 'pageStart'>,
  filters: FileFilters,
  pageSize: number,
): Promise<{ records: File[]; next?: string }> {
  const { sortField = 'createdAt', sortDirection = 'desc' } = filters;
  const range = { direction: sortDirection, first: '', last: LAST, after: call.pageStart };
  return pageOfList(filtered(call, filters, await nearest(call, filters, sortField, range)), pageSize, bytesOf);
}

/** Metadata and tags are all that may be big. */
const bytesOf = ({ metadata, tags }: File) => metadata.length + JSON.stringify(tags).length;

/** The ids of all files that a caller may see and that have some tags, in order of creation. */
export async function* listIds(call: FileCall, tags: TagFilters, range: Range): AsyncGenerator<{ id: string }> {
  const parts = tagParts(call, tags) ?? orderParts(call, 'createdAt');
  yield* placesOf(parts, range);
}

/** The list that leads to what is wanted, in the order that is wanted. */
async function nearest(
  call: FileCall,
  { ids, tags = {}, indexed }: FileFilters,
  sortField: SortField,
  range: Range,
): Promise<AsyncIterable<ListEntry<File>>> {
  const { botId } = call;
  const load = (some: string[]) => findFiles(botId, some);
  const placeIn = (file: File) => placeOf(sortField, file);
  const all: Range = { ...range, direction: 'asc', after: undefined };
  if (ids) return (await sortInMemory(toAsync(ids.filter(isFileId)), load, placeIn, range))!;

  const parts = tagParts(call, indexed ? { ...tags, [INDEXED_TAG]: { in: ['true'] } } : tags);
  if (parts && sortField === 'createdAt') return loaded(botId, placesOf(parts, range));
  // Entries of tags are in order of creation: as long as they are few, they are sorted here.
  const few = parts && (await sortInMemory(placesOf(parts, all), load, placeIn, range));
  return few ?? loaded(botId, placesOf(orderParts(call, sortField), range));
}

/** A list of the caller's in some order. */
function orderParts(call: FileCall, sortField: SortField): Part[] {
  const isTimed = sortField === 'createdAt' || sortField === 'updatedAt';
  const index = { createdAt: 'gsi1', updatedAt: 'gsi2', size: 'gsi1', status: 'gsi2', key: undefined } as const;
  return visibleScopes(call).flatMap(scope =>
    botListParts(call.botId, isTimed ? `files@${scope}` : `fileOrders@${scope}`, index[sortField]),
  );
}

/** The place that `keys.ts` gives a file in such a list. */
const placeOf = (sortField: SortField, file: File): string => {
  switch (sortField) {
    case 'createdAt':
      return timedSk(file.createdAtMs, file.id);
    case 'updatedAt':
      return timedSk(file.updatedAtMs, file.id);
    default:
      return orderPlacesOf(file)[sortField];
  }
};

/** The entries of the tag of which fewest values are wanted; undefined where none is wanted by its value. */
function tagParts(call: FileCall, tags: TagFilters): Part[] | undefined {
  const wanted = Object.entries(tags)
    .flatMap(([name, filter]) => ('in' in filter ? [{ name, values: filter.in }] : []))
    // Least of all the one that all indexed files have.
    .sort(
      (a, b) => Number(a.name === INDEXED_TAG) - Number(b.name === INDEXED_TAG) || a.values.length - b.values.length,
    );
  const [narrowest] = wanted;
  return (
    narrowest &&
    visibleScopes(call).flatMap(scope =>
      narrowest.values.flatMap(value => tagListParts(call.botId, tagHash(fileKind(scope), narrowest.name, value))),
    )
  );
}

/** What stands in several parts stands there at the same place. */
async function* placesOf(parts: readonly Part[], range: Range): AsyncGenerator<{ sortKey: string; id: string }> {
  let last: string | undefined;
  for await (const { sortKey } of mergeParts(parts, range)) {
    if (sortKey !== last) yield { sortKey, id: fileIdOfPlace(sortKey) };
    last = sortKey;
  }
}

async function* loaded(
  botId: string,
  entries: AsyncIterable<{ sortKey: string; id: string }>,
): AsyncGenerator<ListEntry<File>> {
  for await (const chunk of inChunks(entries, TOGETHER)) {
    const files = await findFiles(
      botId,
      chunk.map(({ id }) => id),
    );
    for (const [i, { sortKey }] of chunk.entries()) yield { sortKey, record: files[i] };
  }
}

async function* toAsync(ids: readonly string[]) {
  for (const id of ids) yield { id };
}

async function* filtered(
  call: FileCall,
  { tags = {}, indexed }: FileFilters,
  source: AsyncIterable<ListEntry<File>>,
): AsyncGenerator<ListEntry<File>> {
  for await (const { sortKey, record } of source) {
    const isWanted =
      record !== undefined &&
      mayRead(call, record) &&
      hasTags(record, tags) &&
      (indexed === undefined || record.index === indexed);
    yield { sortKey, record: isWanted ? record : undefined };
  }
}

/** Whether a file passes all filters of tags. */
export const hasTags = (file: Pick<File, 'tags'>, filters: TagFilters): boolean =>
  Object.entries(filters).every(([name, filter]) => {
    const value = Object.hasOwn(file.tags, name) ? file.tags[name] : undefined;
    return 'in' in filter ? value !== undefined && filter.in.includes(value) : !filter.not.includes(value ?? '');
  });
