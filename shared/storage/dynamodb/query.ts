/** Reads of single items, of many items by key, and of all items of a query. */
import { BatchGetCommand, GetCommand, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { environment } from '#shared/core/environment.ts';
import { documents } from './client.ts';
import type { Key } from './keys/table.ts';

// biome-ignore lint/suspicious/noExplicitAny: each repository parses its own items
export type Item = Record<string, any>;

/** One item, read consistently. */
export async function readItem(key: Key): Promise<Item | undefined> {
  const { Item } = await documents.send(
    new GetCommand({ TableName: environment.tableName, Key: key, ConsistentRead: true }),
  );
  return Item;
}

const BATCH = 100;

/** Items by key, read consistently and returned in the order of the keys; undefined for a missing item. */
export const readItems = (keys: readonly Key[]) => readBatches(keys, true);

/** Like {@link readItems}, at half the price: writes of the last moments may be missing. */
export const readItemsEventually = (keys: readonly Key[]) => readBatches(keys, false);

async function readBatches(keys: readonly Key[], ConsistentRead: boolean): Promise<(Item | undefined)[]> {
  const found = new Map<string, Item>();
  const name = ({ pk, sk }: Key) => `${pk} ${sk}`;
  // BatchGetItem rejects duplicate keys.
  const wanted = [...new Map(keys.map(key => [name(key), key])).values()];
  for (let i = 0; i < wanted.length; i += BATCH) {
    let Keys: Key[] = wanted.slice(i, i + BATCH);
    while (Keys.length > 0) {
      const { Responses, UnprocessedKeys } = await documents.send(
        new BatchGetCommand({ RequestItems: { [environment.tableName]: { Keys, ConsistentRead } } }),
      );
      for (const item of Responses?.[environment.tableName] ?? []) found.set(name(item as Key), item);
      Keys = (UnprocessedKeys?.[environment.tableName]?.Keys ?? []) as Key[];
    }
  }
  return keys.map(key => found.get(name(key)));
}

/** One item, read eventually consistently at half the price: writes of the last moments may be missing. */
export async function readItemEventually(key: Key): Promise<Item | undefined> {
  const { Item } = await documents.send(new GetCommand({ TableName: environment.tableName, Key: key }));
  return Item;
}

/** One page of a query. */
export async function queryPage(query: Omit<QueryCommandInput, 'TableName'>): Promise<{ items: Item[]; next?: Item }> {
  const { Items = [], LastEvaluatedKey } = await documents.send(
    new QueryCommand({ TableName: environment.tableName, ...query }),
  );
  return { items: Items, ...(LastEvaluatedKey ? { next: LastEvaluatedKey } : {}) };
}

/** All items of a query, page by page. For queries whose size an operator or a schema bounds. */
export async function* queryAll(query: Omit<QueryCommandInput, 'TableName'>): AsyncGenerator<Item> {
  let after: Item | undefined = query.ExclusiveStartKey;
  do {
    const { items, next } = await queryPage({ ...query, ExclusiveStartKey: after });
    yield* items;
    after = next;
  } while (after);
}

/** The key condition for the items of a partition whose sort keys start with a prefix. */
export const startingWith = (pk: string, prefix: string) => ({
  KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
  ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
});
/** The key condition for the items of a partition from one sort key to another, both included. */
export const between = ({ pk, first, last }: { pk: string; first: string; last: string }) => ({
  KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
  ExpressionAttributeValues: { ':pk': pk, ':first': first, ':last': last },
});
/** The key condition for a whole partition. */
export const inPartition = (pk: string) => ({
  KeyConditionExpression: 'pk = :pk',
  ExpressionAttributeValues: { ':pk': pk },
});
