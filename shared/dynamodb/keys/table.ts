/** The table's shape; the CDK table and the local table are both built from it. */
export const TABLE_SHAPE = {
  partitionKey: 'pk',
  sortKey: 'sk',
  /** Seconds since 1970; DynamoDB removes the item some time after. */
  timeToLive: 'ttl',
  indexes: {
    /** Sparse: only items that carry both attributes. Whatever is listed in an order other than its own key's. */
    gsi1: { partitionKey: 'gsiPk', sortKey: 'gsi1Sk' },
    /** The same lists, by another order. */
    gsi2: { partitionKey: 'gsiPk', sortKey: 'gsi2Sk' },
  },
} as const;

export type Key = { pk: string; sk: string };

/** Splits the partition of a conversation or user back into tenant and id. */
export function splitPk(pk: string): { botId: string; id: string } {
  const at = pk.indexOf('#');
  return { botId: pk.slice(0, at), id: pk.slice(at + 1) };
}
