import { shardOf } from '#shared/ids.ts';
import { botListPkOf } from './lists.ts';
import type { Key } from './table.ts';

export const TAG_SHARDS = 16;

/** Records with a tag are split like the lists of a bot: a value may be that of all of them. */
export const tagListPk = (botId: string, hash: string, shard: number) => `${botId}#tag#${hash}#${shard}`;

export const tagEntryKey = (botId: string, hash: string, shardBy: string, sortKey: string): Key => ({
  pk: tagListPk(botId, hash, shardOf(shardBy, TAG_SHARDS)),
  sk: sortKey,
});

export const tagValueKey = (botId: string, hash: string): Key => ({ pk: `${botId}#tag#${hash}`, sk: 'value' });

/** A tag's name may have anything in it but a space. */
export const tagValuesSk = (kind: string, key: string, valueStart: string) => `${kind}#${key} ${valueStart}`;

/** @param valueStart of the value, as much as fits into a key, so that values are in order */
export const tagValueListing = (botId: string, hash: string, kind: string, key: string, valueStart: string) => ({
  gsiPk: botListPkOf(botId, 'tagValues', hash),
  gsi1Sk: `${tagValuesSk(kind, key, valueStart)}#${hash}`,
});

export const tagNamesPk = (botId: string, kind: string) => `${botId}#tagNames#${kind}`;

/** A prefix, so that no tag is called like the key of a record. */
export const tagNamePrefix = 'name#';

export const tagNameKey = (botId: string, kind: string, name: string): Key => ({
  pk: tagNamesPk(botId, kind),
  sk: `${tagNamePrefix}${name}`,
});
