/**
 * Keys of tags.
 *
 * | access pattern                  | index | pk                       | sk                          |
 * |---------------------------------|-------|--------------------------|-----------------------------|
 * | records with a tag, by creation | table | <bot>#tag#<hash>#<shard> | <time>#<id>                 |
 * | was a tag value ever used?      | table | <bot>#tag#<hash>         | value                       |
 * | values of a tag                 | gsi1  | <bot>#tagValues#<shard>  | <kind>#<key> <value>#<hash> |
 * | names of the tags of files      | table | <bot>#tagNames#<kind>    | name#<name>                 |
 */

import { hashText, shardOf } from '#shared/core/ids.ts';
import { shardFor, shardsIn, shardsOf, WIDE } from '#shared/storage/dynamodb/partitioning/listShards.ts';
import { botListPkOf } from './lists.ts';
import { ANY_BOT, type Key, type Partitions } from './table.ts';

export const tagPartitions = {
  tags: [`${ANY_BOT}#tag#*`, `${ANY_BOT}#tagValues#*`, `${ANY_BOT}#tagNames#*`],
} as const satisfies Partitions;

const tagListPk = (botId: string, hash: string, shard: number) => `${botId}#tag#${hash}#${shard}`;

export interface TagList {
  botId: string;
  hash: string;
  /** Messages are sharded by conversation, so that one partition lists those of a conversation. */
  isOfMessages: boolean;
}

/** Sharded like the lists of a bot, because all records may have the same value. */
export const tagListPks = ({ botId, hash, isOfMessages }: TagList) =>
  (isOfMessages ? Array.from({ length: WIDE }, (_, shard) => shard) : shardsIn(botId)).map(shard =>
    tagListPk(botId, hash, shard),
  );

export const messageTagListPk = (botId: string, hash: string, conversationId: string) =>
  tagListPk(botId, hash, shardOf(conversationId, WIDE));

export const tagEntryKey = ({ botId, hash, isOfMessages }: TagList, shardBy: string, sortKey: string): Key => ({
  pk: tagListPk(botId, hash, isOfMessages ? shardOf(shardBy, WIDE) : shardFor(botId, shardBy)),
  sk: sortKey,
});

export const tagEntryKeys = ({ botId, hash, isOfMessages }: TagList, shardBy: string, sortKey: string): Key[] =>
  (isOfMessages ? [shardOf(shardBy, WIDE)] : shardsOf(botId, shardBy)).map(shard => ({
    pk: tagListPk(botId, hash, shard),
    sk: sortKey,
  }));

export const tagValueKey = (botId: string, hash: string): Key => ({ pk: `${botId}#tag#${hash}`, sk: 'value' });

/** Longer names are hashed: with an alias, a name has up to 2,000 bytes, and a sort key 1,024. */
const NAME_BYTES = 500;

export const tagValuesSk = (kind: string, key: string, valueStart: string) =>
  `${kind}#${Buffer.byteLength(key) <= NAME_BYTES ? key : `#${hashText(key)}`} ${valueStart}`;

export const tagValueListing = (botId: string, hash: string, kind: string, key: string, valueStart: string) => ({
  gsiPk: botListPkOf(botId, 'tagValues', hash),
  gsi1Sk: `${tagValuesSk(kind, key, valueStart)}#${hash}`,
});

export const tagNamesPk = (botId: string, kind: string) => `${botId}#tagNames#${kind}`;

export const tagNamePrefix = 'name#';

export const tagNameKey = (botId: string, kind: string, name: string): Key => ({
  pk: tagNamesPk(botId, kind),
  sk: `${tagNamePrefix}${name}`,
});
