/** Sorting what a list leads to by something that the list is not sorted by, as long as it is not too much. */
import { inChunks, isBehind, type Range } from './lists.ts';

/** A record in a list, and its place in the order of the list; undefined where it is not wanted or gone. */
export interface Placed<T> {
  sortKey: string;
  record: T | undefined;
}

/** More than so many are not sorted: each page reads them all. */
const LIMIT = 1_000;
const TOGETHER = 100;

/** @returns the records within the range, in its order; undefined when they are too many */
export async function sortInMemory<T extends { id: string }>(
  entries: AsyncIterable<{ id: string }>,
  load: (ids: string[]) => Promise<(T | undefined)[]>,
  placeOf: (record: T) => string,
  { direction, first, last, after }: Range,
): Promise<AsyncIterable<Placed<T>> | undefined> {
  const found = new Map<string, T>();
  let count = 0;
  for await (const chunk of inChunks(entries, TOGETHER)) {
    count += chunk.length;
    if (count > LIMIT) return undefined;
    for (const record of await load(chunk.map(({ id }) => id))) if (record) found.set(record.id, record);
  }
  const isAfter = (a: string, b: string) => (direction === 'asc' ? isBehind(a, b) : isBehind(b, a));
  const placed = [...found.values()]
    .map(record => ({ sortKey: placeOf(record), record }))
    .filter(({ sortKey }) => !isBehind(first, sortKey) && !isBehind(sortKey, last))
    .filter(({ sortKey }) => after === undefined || isAfter(sortKey, after))
    .sort((a, b) => (isAfter(a.sortKey, b.sortKey) ? 1 : -1));
  return toAsync(placed);
}

/** One list behind the other. What is in both is gathered once. */
export async function* concat<T>(first: AsyncIterable<T> | undefined, second: AsyncIterable<T>): AsyncGenerator<T> {
  if (first) yield* first;
  yield* second;
}

async function* toAsync<T>(values: readonly T[]) {
  yield* values;
}
