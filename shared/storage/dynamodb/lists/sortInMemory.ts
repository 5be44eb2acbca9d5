import { inChunks, isBehind, type Range } from './lists.ts';

export interface ListEntry<T> {
  sortKey: string;
  record: T | undefined;
}

/** Each page reads all records again. */
const LIMIT = 1_000;
const CHUNK = 100;

/** Sorts a list's records in another order. Returns undefined for more than {@link LIMIT}. */
export async function sortInMemory<T extends { id: string }>(
  ids: AsyncIterable<{ id: string }>,
  load: (ids: string[]) => Promise<(T | undefined)[]>,
  sortKeyOf: (record: T) => string,
  { direction, first, last, after }: Range,
): Promise<AsyncIterable<ListEntry<T>> | undefined> {
  const found = new Map<string, T>();
  let count = 0;
  for await (const chunk of inChunks(ids, CHUNK)) {
    count += chunk.length;
    if (count > LIMIT) return undefined;
    for (const record of await load(chunk.map(({ id }) => id))) if (record) found.set(record.id, record);
  }
  const isAfter = (a: string, b: string) => (direction === 'asc' ? isBehind(a, b) : isBehind(b, a));
  const entries = [...found.values()]
    .map(record => ({ sortKey: sortKeyOf(record), record }))
    .filter(({ sortKey }) => !isBehind(first, sortKey) && !isBehind(sortKey, last))
    .filter(({ sortKey }) => after === undefined || isAfter(sortKey, after))
    .sort((a, b) => (isAfter(a.sortKey, b.sortKey) ? 1 : -1));
  return toAsync(entries);
}

export async function* concat<T>(first: AsyncIterable<T> | undefined, second: AsyncIterable<T>): AsyncGenerator<T> {
  if (first) yield* first;
  yield* second;
}

async function* toAsync<T>(values: readonly T[]) {
  yield* values;
}
