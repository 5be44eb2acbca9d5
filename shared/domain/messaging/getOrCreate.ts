/**
 * The get-or-create engine behind users, conversations, messages and workflows.
 *
 * The discriminating tags lead to one place, either an id computed from them or a claim item, so one read finds a
 * record that get-or-create created, and of a hundred concurrent callers one creates it. A record that received its
 * tags in another way is found through the tag index.
 */

import { ApiError } from '#shared/core/errors.ts';
import { END, type Range } from '#shared/storage/dynamodb/lists.ts';
import { listNarrowest, loadTagged, type TaggedKind, type Tags } from '#shared/storage/dynamodb/tags.ts';
import type { Write } from '#shared/storage/dynamodb/transaction.ts';

/** A record that exists, or that the writes create. */
export interface GetOrCreateResult<T> {
  record: T;
  isNew: boolean;
  writes: Write[];
}

export const foundRecord = <T>(record: T): GetOrCreateResult<T> => ({ record, isNew: false, writes: [] });

/** A place for the record; occupied by `record`, if that is set. */
interface Slot<Stored> {
  record?: Stored | undefined;
}

interface Steps<Stored, S extends Slot<Stored>, Result> {
  /** Records to check first, in order. */
  candidates: readonly (Stored | undefined)[];
  /** Records from the tag index, newest first; undefined when the index cannot contain a match. */
  tagged: AsyncIterable<Stored | undefined> | undefined;
  /** Places for a new record, tried in order until one is free or holds a match. */
  slots: Iterable<S> | AsyncIterable<S>;
  matches(record: Stored): boolean;
  found(record: Stored): GetOrCreateResult<Result> | Promise<GetOrCreateResult<Result>>;
  create(slot: S): Promise<GetOrCreateResult<Result>>;
}

/** Records with the tags that a call looks at: each costs a read, and a call by tags that all have would read all. */
const LOOKED_AT = 1_000;

/** @throws ApiError LimitExceeded when too many records have the tags without being a match */
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
  let lookedAt = 0;
  for await (const record of tagged ?? []) {
    if (record === undefined) continue;
    if (matches(record)) return found(record);
    if (++lookedAt === LOOKED_AT) throw tooManyTagged();
  }
  for await (const slot of slots) {
    if (slot.record === undefined) return create(slot);
    if (matches(slot.record)) return found(slot.record);
  }
  throw new Error('There is no slot for the record.');
}

const tooManyTagged = () => {
  const message = `${LOOKED_AT} records have these tags and are no match. Add a tag that fewer records have, and name it in discriminateByTags.`;
  return new ApiError('LimitExceeded', message, {
    metadata: { limitRecords: LOOKED_AT, issues: [{ path: 'discriminateByTags', message }] },
  });
};

/**
 * Slots under derived ids. A slot after the first is needed only when its record has changed its tags since.
 * @param first the slot of `idOf(0)`, which the caller has read
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
export const TAGGED_AT_ONCE = 25;

/** Records with all of some tags from the tag index, newest first. */
export async function* findTagged<T>(
  botId: string,
  kind: TaggedKind,
  tags: Tags,
  load: (ids: string[]) => Promise<(T | undefined)[]>,
): AsyncGenerator<T | undefined> {
  const entries = listNarrowest(botId, kind, tags, NEWEST_FIRST);
  for await (const { record } of loadTagged(entries, load, TAGGED_AT_ONCE)) yield record;
}
