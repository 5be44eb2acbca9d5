import { BatchGetCommand, GetCommand, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import { environment } from '#shared/core/environment.ts';
import type { Key } from '#shared/storage/dynamodb/keys/table.ts';
import { documents } from './client.ts';

// biome-ignore lint/suspicious/noExplicitAny: each repository parses its own items
export type Item = Record<string, any>;

/** Strongly consistent. */
export async function readItem(key: Key): Promise<Item | undefined> {
  const { Item } = await documents.send(
    new GetCommand({ TableName: environment.tableName, Key: key, ConsistentRead: true }),
  );
  return Item;
}

const BATCH = 100;

/** Strongly consistent, in the order of the keys. */
export const readItems = (keys: readonly Key[]) => readBatches(keys, true);

/** Eventually consistent, at half the price. */
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

/** Eventually consistent, at half the price. */
export async function readItemEventually(key: Key): Promise<Item | undefined> {
  const { Item } = await documents.send(new GetCommand({ TableName: environment.tableName, Key: key }));
  return Item;
}

export async function queryPage(query: Omit<QueryCommandInput, 'TableName'>): Promise<{ items: Item[]; next?: Item }> {
  const { Items = [], LastEvaluatedKey } = await documents.send(
    new QueryCommand({ TableName: environment.tableName, ...query }),
  );
  return { items: Items, ...(LastEvaluatedKey ? { next: LastEvaluatedKey } : {}) };
}

/** The result must be bounded. */
export async function* queryAll(query: Omit<QueryCommandInput, 'TableName'>): AsyncGenerator<Item> {
  let after: Item | undefined = query.ExclusiveStartKey;
  do {
    const { items, next } = await queryPage({ ...query, ExclusiveStartKey: after });
    yield* items;
    after = next;
  } while (after);
}

export const prefixQuery = (pk: string, prefix: string) => ({
  KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
  ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
});
export const between = ({ pk, first, last }: { pk: string; first: string; last: string }) => ({
  KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
  ExpressionAttributeValues: { ':pk': pk, ':first': first, ':last': last },
});
export const partitionQuery = (pk: string) => ({
  KeyConditionExpression: 'pk = :pk',
  ExpressionAttributeValues: { ':pk': pk },
});
