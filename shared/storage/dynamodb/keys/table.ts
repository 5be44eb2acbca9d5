/**
 * The single table. This folder builds every key, one file per domain, and each file lists its access patterns
 * (docs/data-model.md).
 *
 * Keys start with the tenant (bot, integration, workspace or account), which isolates tenants structurally. The
 * exceptions are lookups that resolve to a tenant: webhooks, handles, the bootstrap record.
 */

export const TABLE_SHAPE = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Unix time in seconds. DynamoDB deletes the item some time later. */
  timeToLive: 'ttl',
  /**
   * Sparse, keys-only indexes for lists in another order: changes of other attributes cost no index writes. gsi3 to
   * gsi5 list files, for which five orders of one item are cheaper than a second item. gsi3 and gsi4 also list the
   * handoffs of a member, and gsi5 handoffs by their start.
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

/** Partition keys per domain, as patterns for an IAM policy. A partition belongs to one domain. */
export type Partitions = Record<string, readonly [string, ...string[]]>;

/** A bot's id, a UUID. Its fixed length prevents the rest of a key from matching. */
export const ANY_BOT = [8, 4, 4, 4, 12].map(length => '?'.repeat(length)).join('-');

export function splitPk(pk: string): { botId: string; id: string } {
  const at = pk.indexOf('#');
  return { botId: pk.slice(0, at), id: pk.slice(at + 1) };
}
