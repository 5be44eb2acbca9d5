/**
 * An entry per tag of a record, and an item per value that was ever used, are written with the record. Entries are
 * deleted later, so the record is authoritative. Items of unused values are kept as doubtful.
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

export const derivedTags = (integration: string, tags: Record<string, string | undefined>): Tags =>
  Object.fromEntries(
    Object.entries(tags).flatMap(([name, value]) => (value === undefined ? [] : [[`${integration}:${name}`, value]])),
  );

/** Files are separated by owner (`fileRecords/scope.ts`). */
export type TaggedKind = 'conversation' | 'user' | 'message' | 'workflow' | FileKind;
export type FileKind = `file@${string}`;
const isFileKind = (kind: TaggedKind): kind is FileKind => kind.startsWith('file@');

export interface Tagged {
  kind: TaggedKind;
  id: string;
  sortKey: string;
  /** Determines the shard: the record's id, or a message's conversation. */
  shardBy: string;
}

const tagListOf = (botId: string, kind: TaggedKind, key: string, value: string): TagList => ({
  botId,
  hash: tagHash(kind, key, value),
  isOfMessages: kind === 'message',
});

export const tagHash = (kind: TaggedKind, key: string, value: string) => hashText('tag', kind, key, value);

export const tagValueKeys = (botId: string, kind: TaggedKind, tags: Tags): Key[] =>
  Object.entries(tags).map(([key, value]) => tagValueKey(botId, tagHash(kind, key, value)));

/** Returns at most 100 writes. Fails with {@link WriteConflict} if `areKnown` (values ever used) is outdated. */
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

const putTagName = (botId: string, kind: FileKind, name: string): Write => ({
  put: { Item: { ...tagNameKey(botId, kind, name), name } },
  onRefused: unconditional,
});

/** Limit of tag writes in the record's own transaction of 100. */
const TOGETHER = 25;
const TRANSACTION_PARTS = 99;

/** Returns the tag writes of a record. Too many are written immediately: an entry without a record is harmless. */
export async function tagWrites(botId: string, tagged: Tagged, tags: Tags, areKnown?: boolean[]): Promise<Write[]> {
  const writes = putTags(botId, tagged, tags, areKnown ?? (await areTagValuesKnown(botId, tagged.kind, tags)));
  if (writes.length <= TOGETHER) return writes;
  // Entries may be written twice.
  for (let i = 0; i < writes.length; i += TRANSACTION_PARTS) await write(writes.slice(i, i + TRANSACTION_PARTS));
  return [];
}

/** Prefix that sorts a value, because a key has at most 1,024 bytes. */
const VALUE_BYTES = 350;

/** Lists records by creation. `conversationId` limits messages to those of one shard. */
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

/** Lists records of the rarest tag, judged by the start of each list. */
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

/** Deletes entries of removed tags, or of a deleted record. @param tagsNow reads the record's tags again */
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
    // The tag may have been added again. Its next removal is a later change of the stream.
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
      // Missing if the bot was deleted or the tag was never recorded.
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':yes': true },
    },
  });
}

/** Forgets the text of an unused value, and returns whether it did. Keeps the item for concurrent readers. */
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
/** Placeholder of a forgotten value. Tags cannot be empty. */
const FORGOTTEN = '';

const BEHIND_ALL_NAMES = '\u{10ffff}'.repeat(51);
const BEHIND_ALL_VALUES = '\u{10ffff}'.repeat(101);

/** Lists sorted values, undefined for unused ones. `usedSinceMs` excludes values that only older records have. */
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

export const isTagNameUsed = async (botId: string, kind: FileKind, name: string): Promise<boolean> =>
  (await readItem(tagNameKey(botId, kind, name))) !== undefined && hasAnyValue(botId, kind, name);

export const isTagUsed = (botId: string, kind: TaggedKind, key: string, value: string): Promise<boolean> =>
  isAnyTagged(tagListOf(botId, kind, key, value));

async function isAnyTagged(list: TagList, sinceMs = 0): Promise<boolean> {
  const range = { ...EVERYTHING, first: sinceMs === 0 ? EVERYTHING.first : encodeTime(sinceMs) };
  for await (const _ of tagList(list, range)) return true;
  return false;
}

async function areTagValuesKnown(botId: string, kind: TaggedKind, tags: Tags): Promise<boolean[]> {
  const keys = tagValueKeys(botId, kind, tags);
  return keys.length === 0 ? [] : (await readItems(keys)).map(item => item !== undefined);
}

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
