/**
 * An entry per tag of a record, and an item per value that was ever used, are written with the record. Entries are
 * deleted later, so the record is authoritative. Items of values that are no longer used are kept without their text.
 */
import * as z from 'zod/mini';
import { hashText } from '#shared/core/ids.ts';
import { readItems } from '#shared/storage/dynamodb/engine/query.ts';
import {
  tryWrite,
  unconditional,
  type Write,
  WriteConflict,
  write,
} from '#shared/storage/dynamodb/engine/transaction.ts';
import { startOfBytes } from '#shared/storage/dynamodb/keys/startOfBytes.ts';
import type { Key } from '#shared/storage/dynamodb/keys/table.ts';
import {
  type TagList,
  tagEntryKey,
  tagEntryKeys,
  tagNameKey,
  tagValueKey,
  tagValueListing,
} from '#shared/storage/dynamodb/keys/tags.ts';

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
  shardBy: string;
}

export const tagListOf = (botId: string, kind: TaggedKind, key: string, value: string): TagList => ({
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

async function areTagValuesKnown(botId: string, kind: TaggedKind, tags: Tags): Promise<boolean[]> {
  const keys = tagValueKeys(botId, kind, tags);
  return keys.length === 0 ? [] : (await readItems(keys)).map(item => item !== undefined);
}
