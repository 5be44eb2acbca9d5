/**
 * The one table. Every key is made in this folder, one file per domain; each opens with its access patterns, and the
 * same tables stand in docs/data-model.md with examples. Nothing outside `shared/storage/dynamodb` spells a key.
 *
 * Keys start with the tenant (bot, integration, workspace or account), so reaching across tenants is not a missing
 * check but a missing item. The exceptions lead to a tenant: webhooks, handles, the bootstrap record.
 */

/** The table's shape; the CDK table and the local table are both built from it. */
export const TABLE_SHAPE = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Seconds since 1970; DynamoDB deletes the item some time after. */
  timeToLive: 'ttl',
  /**
   * Sparse indexes over the same partitions, for lists in another order than the items' own keys. They hold keys only:
   * a change of anything else in an item costs nothing in its indexes, and items are read when a page shows them. The
   * last three list files only: five orders of one item cost less than a second item that holds some of them.
   */
  indexes: {
    gsi1: { partitionKey: 'gsiPk', sortKey: 'gsi1Sk' },
    gsi2: { partitionKey: 'gsiPk', sortKey: 'gsi2Sk' },
    gsi3: { partitionKey: 'gsiPk', sortKey: 'gsi3Sk' },
    gsi4: { partitionKey: 'gsiPk', sortKey: 'gsi4Sk' },
    gsi5: { partitionKey: 'gsiPk', sortKey: 'gsi5Sk' },
  },
} as const;

export type Key = { pk: string; sk: string };

/**
 * The partition keys of each domain, as the patterns of an IAM policy: `*` is any text, `?` any character. A partition
 * belongs to one domain, so that a function's role can tell what it may reach from what it may not. The domains are put
 * together in `partitions.ts`.
 */
export type Partitions = Record<string, readonly [string, ...string[]]>;

/** A bot's id, a UUID. Of a fixed length, so that nothing in the rest of a key is taken for a part of it. */
export const ANY_BOT = [8, 4, 4, 4, 12].map(length => '?'.repeat(length)).join('-');

/** Splits a partition key into the tenant and what follows it. */
export function splitPk(pk: string): { botId: string; id: string } {
  const at = pk.indexOf('#');
  return { botId: pk.slice(0, at), id: pk.slice(at + 1) };
}
