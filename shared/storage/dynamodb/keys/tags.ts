/**
 * Keys of tags.
 *
 * | access pattern                   | index | pk                          | sk                                  |
 * |----------------------------------|-------|-----------------------------|-------------------------------------|
 * | records with a tag, by creation  | table | <bot>#tag#<hash>#<shard>    | <time>#<id>                         |
 * | was a tag value ever used?       | table | <bot>#tag#<hash>            | value                               |
 * | values of a tag                  | gsi1  | <bot>#tagValues#<shard>     | <kind>#<key> <value>#<hash>         |
 * | names of the tags of files       | table | <bot>#tagNames#<kind>       | name#<name>                         |
 */

import { hashText, shardOf } from '#shared/core/ids.ts';
import { shardFor, shardsIn, shardsOf, WIDE } from '#shared/storage/dynamodb/listShards.ts';
import { botListPkOf } from './lists.ts';
import { ANY_BOT, type Key, type Partitions } from './table.ts';

export const tagPartitions = {
  tags: [`${ANY_BOT}#tag#*`, `${ANY_BOT}#tagValues#*`, `${ANY_BOT}#tagNames#*`],
} as const satisfies Partitions;

const tagListPk = (botId: string, hash: string, shard: number) => `${botId}#tag#${hash}#${shard}`;

/** The partitions that list the records with a tag. */
export interface TagList {
  botId: string;
  hash: string;
  /**
   * Entries of messages are always spread, by conversation, so that those of a conversation are found in one partition.
   */
  isOfMessages: boolean;
}

/** All records may have the same value: spread like the lists of a bot. */
export const tagListPks = ({ botId, hash, isOfMessages }: TagList) =>
  (isOfMessages ? Array.from({ length: WIDE }, (_, shard) => shard) : shardsIn(botId)).map(shard =>
    tagListPk(botId, hash, shard),
  );

/** The partition of the messages of a conversation. */
export const messageTagListPk = (botId: string, hash: string, conversationId: string) =>
  tagListPk(botId, hash, shardOf(conversationId, WIDE));

/** Where a new entry goes. @param shardBy the record's id, or a message's conversation */
export const tagEntryKey = ({ botId, hash, isOfMessages }: TagList, shardBy: string, sortKey: string): Key => ({
  pk: tagListPk(botId, hash, isOfMessages ? shardOf(shardBy, WIDE) : shardFor(botId, shardBy)),
  sk: sortKey,
});

/** Wherever an entry may lie. */
export const tagEntryKeys = ({ botId, hash, isOfMessages }: TagList, shardBy: string, sortKey: string): Key[] =>
  (isOfMessages ? [shardOf(shardBy, WIDE)] : shardsOf(botId, shardBy)).map(shard => ({
    pk: tagListPk(botId, hash, shard),
    sk: sortKey,
  }));

export const tagValueKey = (botId: string, hash: string): Key => ({ pk: `${botId}#tag#${hash}`, sk: 'value' });

/** A longer name of a tag is hashed: with an alias before it, it may have 2,000 bytes, and a sort key 1,024. */
const NAME_BYTES = 500;

/** The name of a tag never contains a space. */
export const tagValuesSk = (kind: string, key: string, valueStart: string) =>
  `${kind}#${Buffer.byteLength(key) <= NAME_BYTES ? key : `#${hashText(key)}`} ${valueStart}`;

/** @param valueStart as much of the value as fits into a key, which sorts the values */
export const tagValueListing = (botId: string, hash: string, kind: string, key: string, valueStart: string) => ({
  gsiPk: botListPkOf(botId, 'tagValues', hash),
  gsi1Sk: `${tagValuesSk(kind, key, valueStart)}#${hash}`,
});

export const tagNamesPk = (botId: string, kind: string) => `${botId}#tagNames#${kind}`;

/** Keeps the names of tags apart from the sort keys of records. */
export const tagNamePrefix = 'name#';

export const tagNameKey = (botId: string, kind: string, name: string): Key => ({
  pk: tagNamesPk(botId, kind),
  sk: `${tagNamePrefix}${name}`,
});
