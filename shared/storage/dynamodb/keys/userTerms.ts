/**
 * Keys of the terms by which users are found.
 *
 * | access pattern            | index | pk                      | sk            |
 * |---------------------------|-------|-------------------------|---------------|
 * | users by start of a term  | table | <bot>#userTerms#<shard> | <term>#<user> |
 */
import { shardOf } from '#shared/core/ids.ts';
import { ANY_BOT, type Key, type Partitions } from './table.ts';

export const userTermPartitions = { userTerms: [`${ANY_BOT}#userTerms#*`] } as const satisfies Partitions;

const TERM_SHARDS = 16;

const userTermsPk = (botId: string, shard: number) => `${botId}#userTerms#${shard}`;

/** Sharded by the first character, so that one query finds all terms with a common start. */
export const userTermsPkOf = (botId: string, term: string) => {
  const [first = ''] = term;
  return userTermsPk(botId, shardOf(first, TERM_SHARDS));
};

export const userTermsPks = (botId: string) =>
  Array.from({ length: TERM_SHARDS }, (_, shard) => userTermsPk(botId, shard));

export const userTermKey = (botId: string, term: string, userId: string): Key => ({
  pk: userTermsPkOf(botId, term),
  sk: `${term}#${userId}`,
});

/** A term may contain `#`, a user's id does not. */
export function splitUserTermSk(sk: string): { term: string; userId: string } {
  const at = sk.lastIndexOf('#');
  return { term: sk.slice(0, at), userId: sk.slice(at + 1) };
}
