/** Reading, where it takes more than one call of the SDK. */
import { BatchGetCommand, GetCommand, QueryCommand, type QueryCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Key } from '#shared/dynamodb/keys/table.ts';
import { environment } from '#shared/environment.ts';
import { documents } from './client.ts';

// biome-ignore lint/suspicious/noExplicitAny: an item is parsed by the repository that knows what it is
export type Item = Record<string, any>;

/** One item as it is after every write that was answered. */
export async function readItem(key: Key): Promise<Item | undefined> {
  const { Item } = await documents.send(
    new GetCommand({ TableName: environment.tableName, Key: key, ConsistentRead: true }),
  );
  return Item;
}

const BATCH = 100;

/** Items in the order of their keys, as they are after every write that was answered; undefined where there is none. */
export async function readItems(keys: readonly Key[]): Promise<(Item | undefined)[]> {
  const found = new Map<string, Item>();
  const name = ({ pk, sk }: Key) => `${pk} ${sk}`;
  // DynamoDB refuses to be asked for one twice.
  const wanted = [...new Map(keys.map(key => [name(key), key])).values()];
  for (let i = 0; i < wanted.length; i += BATCH) {
    let Keys: Key[] = wanted.slice(i, i + BATCH);
    while (Keys.length > 0) {
      const { Responses, UnprocessedKeys } = await documents.send(
        new BatchGetCommand({ RequestItems: { [environment.tableName]: { Keys, ConsistentRead: true } } }),
      );
      for (const item of Responses?.[environment.tableName] ?? []) found.set(name(item as Key), item);
      Keys = (UnprocessedKeys?.[environment.tableName]?.Keys ?? []) as Key[];
    }
  }
  return keys.map(key => found.get(name(key)));
}

/** All items of a query, a page of DynamoDB's at a time. Only where their number is bounded by what an operator does. */
export async function* queryAll(query: Omit<QueryCommandInput, 'TableName'>): AsyncGenerator<Item> {
  let after: Item | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await documents.send(
      new QueryCommand({ TableName: environment.tableName, ...query, ExclusiveStartKey: after }),
    );
    yield* Items;
    after = LastEvaluatedKey;
  } while (after);
}

/** The condition of a query for what of a partition starts alike. */
export const startingWith = (pk: string, prefix: string) => ({
  KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
  ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
});
