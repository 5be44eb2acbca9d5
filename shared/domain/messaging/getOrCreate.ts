/**
 * Get-or-create for users, conversations, messages and workflows.
 *
 * The discriminating tags determine a slot: a derived id or a claim item. One read therefore finds a record that
 * get-or-create created, and concurrent callers create only one. Records that received their tags otherwise are found
 * through the tag index.
 */

import { ApiError } from '#shared/core/errors.ts';
import type { Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { END, type Range } from '#shared/storage/dynamodb/lists/lists.ts';
import { listNarrowest, loadTagged } from '#shared/storage/dynamodb/tags/tagLookup.ts';
import type { TaggedKind, Tags } from '#shared/storage/dynamodb/tags/tags.ts';

export interface GetOrCreateResult<T> {
  record: T;
  isNew: boolean;
  writes: Write[];
}

export const foundRecord = <T>(record: T): GetOrCreateResult<T> => ({ record, isNew: false, writes: [] });

interface Slot<Stored> {
  record?: Stored | undefined;
}

interface Steps<Stored, S extends Slot<Stored>, Result> {
  candidates: readonly (Stored | undefined)[];
  /** Records from the tag index, newest first; undefined if it cannot contain a match. */
  tagged: AsyncIterable<Stored | undefined> | undefined;
  /** Tried in order until one is free or contains a match. */
  slots: Iterable<S> | AsyncIterable<S>;
  matches(record: Stored): boolean;
  found(record: Stored): GetOrCreateResult<Result> | Promise<GetOrCreateResult<Result>>;
  create(slot: S): Promise<GetOrCreateResult<Result>>;
}

/** Limit on candidates from the tag index, because each costs a read. */
const CANDIDATES_LIMIT = 1_000;

/** @throws ApiError LimitExceeded if too many records have the tags but do not match */
export async function getOrCreate<Stored, S extends Slot<Stored>, Result>({
  candidates,
  tagged,
  slots,
  matches,
  found,
  create,
}: Steps<Stored, S, Result>): Promise<GetOrCreateResult<Result>> {
  const candidate = candidates.find(each => each !== undefined && matches(each));
  if (candidate !== undefined) return found(candidate);
  let candidateCount = 0;
  for await (const record of tagged ?? []) {
    if (record === undefined) continue;
    if (matches(record)) return found(record);
    if (++candidateCount === CANDIDATES_LIMIT) throw tooManyTagged();
  }
  for await (const slot of slots) {
    if (slot.record === undefined) return create(slot);
    if (matches(slot.record)) return found(slot.record);
  }
  throw new Error('No slot is free for the record.');
}

const tooManyTagged = () => {
  const message = `${CANDIDATES_LIMIT} records have these tags but do not match. Add a more selective tag to discriminateByTags.`;
  return new ApiError('LimitExceeded', message, {
    metadata: { limitRecords: CANDIDATES_LIMIT, issues: [{ path: 'discriminateByTags', message }] },
  });
};

/**
 * Yields slots with derived ids. Later slots are only needed if the record of an earlier one has changed its tags.
 * @param first the slot of `idOf(0)`, already read
 */
export async function* derivedSlots<S>(
  first: S,
  idOf: (n: number) => string,
  findSlot: (id: string) => Promise<S>,
): AsyncGenerator<S> {
  yield first;
  for (let n = 1; ; n++) yield await findSlot(idOf(n));
}

export const NEWEST_FIRST: Range = { direction: 'desc', first: '', last: END };
export const TAGGED_BATCH = 25;

export async function* findTagged<T>(
  botId: string,
  kind: TaggedKind,
  tags: Tags,
  load: (ids: string[]) => Promise<(T | undefined)[]>,
): AsyncGenerator<T | undefined> {
  const entries = listNarrowest(botId, kind, tags, NEWEST_FIRST);
  for await (const { record } of loadTagged(entries, load, TAGGED_BATCH)) yield record;
}
