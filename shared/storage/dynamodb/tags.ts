/**
 * Tags of conversations, users, messages, workflows and files: an entry for each tag of a record, in order of creation,
 * and one item for each tag value that was ever used.
 *
 * Both are written with the record, so they are always consistent with it, with two exceptions that readers handle: an
 * entry outlives its tag until the table's stream has it removed, so the record has the last word; and the item of a
 * value stays, marked as doubtful, when the last record with that value goes.
 */
import * as z from 'zod/mini';
import { encodeTime, hashText } from '#shared/core/ids.ts';
import { startOfBytes } from './keys/startOfBytes.ts';
import type { Key } from './keys/table.ts';
import {
  messageTagListPk,
  type TagList,
  tagEntryKey,
  tagEntryKeys,
  tagNameKey,
  tagNamePrefix,
  tagNamesPk,
  tagValueKey,
  tagValueListing,
  tagValuesSk,
} from './keys/tags.ts';
import { botList, type Direction, END, inChunks, partitionList, type Range, tagList } from './lists.ts';
import { type Item, readItem, readItems } from './query.ts';
import { tryWrite, unconditional, type Write, WriteConflict, write } from './transaction.ts';

export type Tags = Record<string, string>;
export const Tags = z.record(z.string(), z.string());

/** Tags that are derived from the record and cannot be set. */
export const derivedTags = (integration: string, tags: Record<string, string | undefined>): Tags =>
  Object.fromEntries(
    Object.entries(tags).flatMap(([name, value]) => (value === undefined ? [] : [[`${integration}:${name}`, value]])),
  );

/** Files are separated by owner (`fileRecords/scope.ts`). */
export type TaggedKind = 'conversation' | 'user' | 'message' | 'workflow' | FileKind;
export type FileKind = `file@${string}`;
const isFileKind = (kind: TaggedKind): kind is FileKind => kind.startsWith('file@');

/** A record with tags, as its entries see it. */
export interface Tagged {
  kind: TaggedKind;
  id: string;
  /** The sort key of its entries; see `timedSk`. */
  sortKey: string;
  /** Chooses the shard: the record's id, or a message's conversation. */
  shardBy: string;
}

const tagListOf = (botId: string, kind: TaggedKind, key: string, value: string): TagList => ({
  botId,
  hash: tagHash(kind, key, value),
  isOfMessages: kind === 'message',
});

export const tagHash = (kind: TaggedKind, key: string, value: string) => hashText('tag', kind, key, value);

/** The keys of the items that record whether these values were ever used. */
export const tagValueKeys = (botId: string, kind: TaggedKind, tags: Tags): Key[] =>
  Object.entries(tags).map(([key, value]) => tagValueKey(botId, tagHash(kind, key, value)));

/**
 * Writes the entries of a record's tags, at most 100 parts.
 * @param areKnown for each tag, whether its value was ever used, as just read from {@link tagValueKeys}; a change since
 * then is a {@link WriteConflict}, so a reader who saw that no record has a tag can rely on it
 */
export const putTags = (
  botId: string,
  { kind, id, sortKey, shardBy }: Tagged,
  tags: Tags,
  areKnown: boolean[],
): Write[] =>
  Object.entries(tags).flatMap(([key, value], i): Write[] => {
    const hash = tagHash(kind, key, value);
    return [
      {
        put: { Item: { ...tagEntryKey(tagListOf(botId, kind, key, value), shardBy, sortKey), id } },
        onRefused: unconditional,
      },
      ...(areKnown[i]
        ? []
        : [
            {
              put: {
                Item: {
                  ...tagValueKey(botId, hash),
                  ...tagValueListing(botId, hash, kind, key, startOfBytes(value, VALUE_BYTES)),
                  hash,
                  value,
                },
                ConditionExpression: 'attribute_not_exists(pk)',
              },
              onRefused: () => new WriteConflict(),
            },
            ...(isFileKind(kind) ? [putTagName(botId, kind, key)] : []),
          ]),
    ];
  });

/** Lists the name of a file tag. */
const putTagName = (botId: string, kind: FileKind, name: string): Write => ({
  put: { Item: { ...tagNameKey(botId, kind, name), name } },
  onRefused: unconditional,
});

/** Tag writes that join the record's own transaction, which takes 100 parts in all. */
const TOGETHER = 25;
const TRANSACTION_PARTS = 99;

/**
 * The writes that go with a record that gets tags. More than fit into the record's transaction are written right away:
 * an entry without its record does no harm.
 * @param areKnown as for {@link putTags}, if read already
 */
export async function tagWrites(botId: string, tagged: Tagged, tags: Tags, areKnown?: boolean[]): Promise<Write[]> {
  const writes = putTags(botId, tagged, tags, areKnown ?? (await areTagValuesKnown(botId, tagged.kind, tags)));
  if (writes.length <= TOGETHER) return writes;
  // Writing an entry twice does no harm.
  for (let i = 0; i < writes.length; i += TRANSACTION_PARTS) await write(writes.slice(i, i + TRANSACTION_PARTS));
  return [];
}

/** As much of a value as sorts it: a key has 1,024 bytes in all. */
const VALUE_BYTES = 350;

/**
 * The ids of the records with a tag, in order of creation; some may have lost it a moment ago.
 * @param conversationId of messages: those of one conversation, and of some others
 */
async function* listTagged(
  botId: string,
  kind: TaggedKind,
  [key, value]: [string, string],
  range: Range,
  conversationId?: string,
): AsyncGenerator<{ sortKey: string; id: string }> {
  const list = tagListOf(botId, kind, key, value);
  const entries =
    conversationId === undefined
      ? tagList(list, range)
      : partitionList(messageTagListPk(botId, list.hash, conversationId), '', range);
  for await (const { sortKey, item } of entries) yield { sortKey, id: item.id };
}

/** The records of whichever tag the fewest records have, judged by the start of each list. */
export async function* listNarrowest(
  botId: string,
  kind: TaggedKind,
  tags: Tags,
  range: Range,
  conversationId?: string,
): AsyncGenerator<{ sortKey: string; id: string }> {
  const lists = Object.entries(tags).map(tag => listTagged(botId, kind, tag, range, conversationId));
  if (lists.length === 1) return yield* lists[0]!;
  const starts = await Promise.all(
    lists.map(async list => {
      const seen: { sortKey: string; id: string }[] = [];
      while (seen.length < LOOKAHEAD) {
        const { value, done } = await list.next();
        if (done) break;
        seen.push(value);
      }
      return { list, seen };
    }),
  );
  const { list, seen } = starts.sort((a, b) => a.seen.length - b.seen.length)[0]!;
  yield* seen;
  yield* list;
}
const LOOKAHEAD = 25;

/** Messages with some tags, in one conversation or all. */
export async function* listTaggedMessages(
  botId: string,
  conversationId: string | undefined,
  tags: Tags,
  range: Range,
): AsyncGenerator<{ sortKey: string; conversationId: string; position: string }> {
  for await (const { sortKey } of listNarrowest(botId, 'message', tags, range, conversationId)) {
    const [position, of] = sortKey.split('#') as [string, string];
    if (conversationId === undefined || of === conversationId) yield { sortKey, conversationId: of, position };
  }
}

const EVERYTHING: Range = { direction: 'asc', first: '', last: END };

/**
 * Removes the entries of tags that a record lost, or of a record that is gone.
 * @param tagsNow reads the record's tags again
 */
export async function dropTags(
  botId: string,
  { kind, sortKey, shardBy, id }: Tagged,
  before: Tags,
  after: Tags,
  tagsNow: () => Promise<Tags>,
): Promise<void> {
  const gone = Object.entries(before).filter(([key, value]) => after[key] !== value);
  for (const [key, value] of gone) {
    const list = tagListOf(botId, kind, key, value);
    const entries = tagEntryKeys(list, shardBy, sortKey);
    await write(entries.map(Key => ({ remove: { Key }, onRefused: unconditional })));
    // The record may have got the tag back meanwhile. Losing it once more is a later change of the stream.
    if ((await tagsNow())[key] === value) {
      await write([{ put: { Item: { ...tagEntryKey(list, shardBy, sortKey), id } }, onRefused: unconditional }]);
    }
    await markDoubtful(tagValueKey(botId, list.hash));
    if (isFileKind(kind)) await markDoubtful(tagNameKey(botId, kind, key));
  }
}

async function markDoubtful(key: Key): Promise<void> {
  await tryWrite({
    update: {
      Key: key,
      UpdateExpression: 'SET isDoubtful = :yes',
      // Missing when the bot was deleted, or the tag never recorded.
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':yes': true },
    },
  });
}

/**
 * Forgets the text of a value that no record has any more. The item stays, so that nobody who read that the value was
 * used is wrong.
 * @returns whether it was forgotten
 */
export async function forgetTagValue(botId: string, { pk, sk, hash, gsi1Sk, value }: Item): Promise<boolean> {
  const isOfMessages = String(gsi1Sk).startsWith('message#');
  if (value === FORGOTTEN || (await isAnyTagged({ botId, hash, isOfMessages }))) return false;
  const name = String(gsi1Sk).slice(0, String(gsi1Sk).indexOf(' '));
  return tryWrite({
    update: {
      Key: { pk, sk },
      UpdateExpression: 'SET #value = :forgotten, gsi1Sk = :gsi1Sk',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeNames: { '#value': 'value' },
      ExpressionAttributeValues: { ':forgotten': FORGOTTEN, ':gsi1Sk': `${name} #${hash}` },
    },
  });
}
/** What is left of such a value; a tag has no empty one. */
const FORGOTTEN = '';

/** Sort after names and values of any characters. */
const BEHIND_ALL_NAMES = '\u{10ffff}'.repeat(51);
const BEHIND_ALL_VALUES = '\u{10ffff}'.repeat(101);

/**
 * The values of a tag, sorted; undefined for a value that no record has any more.
 * @param options `usedSinceMs` leaves out the values that only older records have
 */
export async function* listTagValues(
  botId: string,
  kind: TaggedKind,
  key: string,
  {
    direction,
    after,
    usedSinceMs,
  }: { direction: Direction; after: string | undefined; usedSinceMs?: number | undefined },
): AsyncGenerator<{ sortKey: string; record: string | undefined }> {
  const start = tagValuesSk(kind, key, '');
  const range = { direction, first: start, last: `${start}${BEHIND_ALL_VALUES}`, after };
  for await (const { sortKey, item } of botList(botId, 'tagValues', 'gsi1', range)) {
    const isSure = !item.isDoubtful && usedSinceMs === undefined;
    const isUsed =
      isSure || (await isAnyTagged({ botId, hash: item.hash, isOfMessages: kind === 'message' }, usedSinceMs));
    yield { sortKey, record: isUsed && item.value !== FORGOTTEN ? item.value : undefined };
  }
}

/** The names of file tags, sorted; undefined for a name that no file has any more. */
export async function* listTagNames(
  botId: string,
  kind: FileKind,
  after: string | undefined,
): AsyncGenerator<{ sortKey: string; record: string | undefined }> {
  const range: Range = { direction: 'asc', first: '', last: BEHIND_ALL_NAMES, after };
  for await (const { sortKey, item } of partitionList(tagNamesPk(botId, kind), tagNamePrefix, range)) {
    yield { sortKey, record: !item.isDoubtful || (await hasAnyValue(botId, kind, item.name)) ? item.name : undefined };
  }
}

async function hasAnyValue(botId: string, kind: FileKind, key: string): Promise<boolean> {
  for await (const { record } of listTagValues(botId, kind, key, { direction: 'asc', after: undefined })) {
    if (record !== undefined) return true;
  }
  return false;
}

/** Whether any file has a tag of this name. */
export const isTagNameUsed = async (botId: string, kind: FileKind, name: string): Promise<boolean> =>
  (await readItem(tagNameKey(botId, kind, name))) !== undefined && hasAnyValue(botId, kind, name);

/** Whether any record has this tag. */
export const isTagUsed = (botId: string, kind: TaggedKind, key: string, value: string): Promise<boolean> =>
  isAnyTagged(tagListOf(botId, kind, key, value));

async function isAnyTagged(list: TagList, sinceMs = 0): Promise<boolean> {
  const range = { ...EVERYTHING, first: sinceMs === 0 ? EVERYTHING.first : encodeTime(sinceMs) };
  for await (const _ of tagList(list, range)) return true;
  return false;
}

/** Whether each tag's value was ever used. */
async function areTagValuesKnown(botId: string, kind: TaggedKind, tags: Tags): Promise<boolean[]> {
  const keys = tagValueKeys(botId, kind, tags);
  return keys.length === 0 ? [] : (await readItems(keys)).map(item => item !== undefined);
}

/** Loads the records of tag entries in chunks. @param load records by id, undefined for a missing one */
export async function* loadTagged<T>(
  entries: AsyncIterable<{ sortKey: string; id: string }>,
  load: (ids: string[]) => Promise<(T | undefined)[]>,
  size: number,
): AsyncGenerator<{ sortKey: string; record: T | undefined }> {
  for await (const chunk of inChunks(entries, size)) {
    const records = await load(chunk.map(({ id }) => id));
    for (const [i, { sortKey }] of chunk.entries()) yield { sortKey, record: records[i] };
  }
}
