/**
 * Tags of conversations, users, messages and workflows, as they are found again: an entry for each tag of a record, in
 * order of creation, and one item for each value that was ever used.
 *
 * Both are written with the record. So what is read here is what is there, with two exceptions that readers deal with: an
 * entry outlives its tag for the moment until the table's stream has it removed, so the record has the last word; and the
 * item of a value stays, marked to be looked at, when the last record with it goes.
 */
import * as z from 'zod/mini';
import type { Key } from '#shared/dynamodb/keys/table.ts';
import {
  TAG_SHARDS,
  tagEntryKey,
  tagNameKey,
  tagNamePrefix,
  tagNamesPk,
  tagValueKey,
  tagValueListing,
  tagValuesSk,
} from '#shared/dynamodb/keys/tags.ts';
import { hashText, shardOf } from '#shared/ids.ts';
import { botList, type Direction, END, inChunks, partitionList, type Range, tagList } from './lists.ts';
import { readItem, readItems } from './query.ts';
import { unconditional, type Write, WriteConflict, write } from './transaction.ts';

export type Tags = Record<string, string>;
export const Tags = z.record(z.string(), z.string());

/** Tags that follow from the record, and cannot be set. */
export const derivedTags = (integration: string, tags: Record<string, string | undefined>): Tags =>
  Object.fromEntries(
    Object.entries(tags).flatMap(([name, value]) => (value === undefined ? [] : [[`${integration}:${name}`, value]])),
  );

/** Files are told apart by whose they are: see `files/scope.ts`. */
export type TaggedKind = 'conversation' | 'user' | 'message' | 'workflow' | FileKind;
export type FileKind = `file@${string}`;
const isFileKind = (kind: TaggedKind): kind is FileKind => kind.startsWith('file@');

/** A record that has tags, as far as the entries need to know it. */
export interface Tagged {
  kind: TaggedKind;
  id: string;
  /** Its place among all with the same tag; see `timedSk`. */
  sortKey: string;
  /** Decides in which part of the list it stands: its id, or of a message its conversation's. */
  shardBy: string;
}

export const tagHash = (kind: TaggedKind, key: string, value: string) => hashText('tag', kind, key, value);

/** The items that say whether these values were ever used. */
export const tagValueKeys = (botId: string, kind: TaggedKind, tags: Tags): Key[] =>
  Object.entries(tags).map(([key, value]) => tagValueKey(botId, tagHash(kind, key, value)));

/**
 * The entries of a record's tags, at most 100 writes.
 * @param areKnown for each tag whether its value was ever used, as just read from {@link tagValueKeys}. Should that have
 * changed since, the write is a {@link WriteConflict}: whoever saw that nobody has a tag is then right about it.
 */
const putTags = (botId: string, { kind, id, sortKey, shardBy }: Tagged, tags: Tags, areKnown: boolean[]): Write[] =>
  Object.entries(tags).flatMap(([key, value], i): Write[] => {
    const hash = tagHash(kind, key, value);
    return [
      { put: { Item: { ...tagEntryKey(botId, hash, shardBy, sortKey), id } }, onRefused: unconditional },
      ...(areKnown[i]
        ? []
        : [
            {
              put: {
                Item: {
                  ...tagValueKey(botId, hash),
                  ...tagValueListing(botId, hash, kind, key, startOf(value)),
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

/** Of files the names of tags are listed too. */
const putTagName = (botId: string, kind: FileKind, name: string): Write => ({
  put: { Item: { ...tagNameKey(botId, kind, name), name } },
  onRefused: unconditional,
});

/** How many writes of tags go into the transaction that writes their record: it takes 100, and may have others of these. */
const TOGETHER = 25;
const MOST = 99;

/**
 * What goes with a record that gets tags, read and as far as it does not fit in written beforehand: an entry without its
 * record does no harm.
 * @param areKnown as for {@link putTags}, where that has been read
 */
export async function tagWrites(botId: string, tagged: Tagged, tags: Tags, areKnown?: boolean[]): Promise<Write[]> {
  const writes = putTags(botId, tagged, tags, areKnown ?? (await areTagValuesKnown(botId, tagged.kind, tags)));
  if (writes.length <= TOGETHER) return writes;
  // A transaction takes a hundred. What is written twice does no harm.
  for (let i = 0; i < writes.length; i += MOST) await write(writes.slice(i, i + MOST));
  return [];
}

/** Of a value as much as fits into a key, whatever its characters, and none of them halved. */
const startOf = (value: string) => value.slice(0, 200).replace(/[\uD800-\uDBFF]$/, '');

/** The ids of the records with a tag, in order of creation; some may have lost it a moment ago. */
async function* listTagged(
  botId: string,
  kind: TaggedKind,
  [key, value]: [string, string],
  range: Range,
  /** Only those of the same part of the list as this. */
  shardBy?: string,
): AsyncGenerator<{ sortKey: string; id: string }> {
  const shards = shardBy === undefined ? undefined : [shardOf(shardBy, TAG_SHARDS)];
  for await (const { sortKey, item } of tagList(botId, tagHash(kind, key, value), range, shards)) {
    yield { sortKey, id: item.id };
  }
}

/** Of several tags' records, those of the tag that fewest seem to have. */
export async function* listNarrowest(
  botId: string,
  kind: TaggedKind,
  tags: Tags,
  range: Range,
  shardBy?: string,
): AsyncGenerator<{ sortKey: string; id: string }> {
  const lists = Object.entries(tags).map(tag => listTagged(botId, kind, tag, range, shardBy));
  if (lists.length === 1) return yield* lists[0]!;
  const starts = await Promise.all(
    lists.map(async list => {
      const seen: { sortKey: string; id: string }[] = [];
      while (seen.length < START) {
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
/** How far into each list it looks. */
const START = 25;

/** Places of messages with some tags, in one conversation or all. */
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

/** All of them, whichever they are. */
const EVERYTHING: Range = { direction: 'asc', first: '', last: END };

/** Takes entries away whose record lost the tag, or is gone. @param tagsNow the record's tags, read again */
export async function dropTags(
  botId: string,
  { kind, sortKey, shardBy, id }: Tagged,
  before: Tags,
  after: Tags,
  tagsNow: () => Promise<Tags>,
): Promise<void> {
  const gone = Object.entries(before).filter(([key, value]) => after[key] !== value);
  for (const [key, value] of gone) {
    const hash = tagHash(kind, key, value);
    const entry = tagEntryKey(botId, hash, shardBy, sortKey);
    await write([{ remove: { Key: entry }, onRefused: unconditional }]);
    // It may have got the tag again meanwhile. If it loses it once more, that is told as well, and after this.
    if ((await tagsNow())[key] === value) await write([{ put: { Item: { ...entry, id } }, onRefused: unconditional }]);
    await markDoubtful(tagValueKey(botId, hash));
    if (isFileKind(kind)) await markDoubtful(tagNameKey(botId, kind, key));
  }
}

async function markDoubtful(key: Key): Promise<void> {
  try {
    await write([
      {
        update: {
          Key: key,
          UpdateExpression: 'SET isDoubtful = :yes',
          ConditionExpression: 'attribute_exists(pk)',
          ExpressionAttributeValues: { ':yes': true },
        },
        onRefused: () => new WriteConflict(),
      },
    ]);
  } catch (error) {
    // It is not there: gone with its bot, or the tag was never written down.
    if (!(error instanceof WriteConflict)) throw error;
  }
}

/** Even if they have nothing but the last of all characters. */
const BEHIND_ALL_NAMES = '\u{10ffff}'.repeat(51);
const BEHIND_ALL_VALUES = '\u{10ffff}'.repeat(101);

/** The values that a tag has, sorted, and where each stands in the list. */
export async function* listTagValues(
  botId: string,
  kind: TaggedKind,
  key: string,
  { direction, after }: { direction: Direction; after: string | undefined },
): AsyncGenerator<{ sortKey: string; record: string | undefined }> {
  const start = tagValuesSk(kind, key, '');
  const range = { direction, first: start, last: `${start}${BEHIND_ALL_VALUES}`, after };
  for await (const { sortKey, item } of botList(botId, 'tagValues', 'gsi1', range)) {
    const isUsed = !item.isDoubtful || (await isAnyTagged(botId, item.hash));
    yield { sortKey, record: isUsed ? item.value : undefined };
  }
}

/** The names of the tags that files have, sorted. */
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
  isAnyTagged(botId, tagHash(kind, key, value));

async function isAnyTagged(botId: string, hash: string): Promise<boolean> {
  for await (const _ of tagList(botId, hash, EVERYTHING)) return true;
  return false;
}

/** Which tags' values were ever used, in the order of the tags. */
async function areTagValuesKnown(botId: string, kind: TaggedKind, tags: Tags): Promise<boolean[]> {
  const keys = tagValueKeys(botId, kind, tags);
  return keys.length === 0 ? [] : (await readItems(keys)).map(item => item !== undefined);
}

/** Records with a tag, read several at a time. @param load their items by id, undefined where there is none */
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
