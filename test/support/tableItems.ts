/** Reads and writes internals directly in the table. */
import { BatchWriteCommand, paginateScan, QueryCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { environment } from '#shared/core/environment.ts';
import { newPosition } from '#shared/core/ids.ts';
import { appendEntry } from '#shared/storage/dynamodb/chat/timeline.ts';
import { documents } from '#shared/storage/dynamodb/engine/client.ts';
import { type Item, partitionQuery, queryAll } from '#shared/storage/dynamodb/engine/query.ts';
import { conversationPk, timelinePrefix } from '#shared/storage/dynamodb/keys/chat.ts';
import type { Key } from '#shared/storage/dynamodb/keys/table.ts';
import { isTableShared } from './platform.ts';

/**
 * Returns the entries of a conversation's timeline, oldest first.
 * @param conversationId the internal id
 */
export async function timelineOf(botId: string, conversationId: string): Promise<Record<string, unknown>[]> {
  const { Items = [] } = await documents.send(
    new QueryCommand({
      TableName: environment.tableName,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': conversationPk(botId, conversationId), ':prefix': timelinePrefix },
      ConsistentRead: true,
    }),
  );
  return Items;
}

/** Adds an attribute to an item, as a later release may. */
export const addAttribute = (key: Key, name: string, value: unknown) =>
  documents.send(
    new UpdateCommand({
      TableName: environment.tableName,
      Key: key,
      UpdateExpression: 'SET #name = :value',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeNames: { '#name': name },
      ExpressionAttributeValues: { ':value': value },
    }),
  );

/** Unused id of a user. */
export const SOMEONE = `user_${'0'.repeat(24)}`;

/** Writes messages as `createMessage` does, 25 per call, for conversations too long to create through the API. */
export async function seedMessages(botId: string, conversationId: string, messages: number): Promise<void> {
  const payload = { p: '{"type":"text","text":"seeded"}' };
  for (let i = 0; i < messages; i += 25) {
    const requests = Array.from({ length: Math.min(25, messages - i) }, () => {
      const entry = { kind: 'message' as const, position: newPosition(), userId: SOMEONE, generation: 0, payload };
      const part = appendEntry(botId, conversationId, entry);
      return { PutRequest: { Item: 'put' in part ? part.put.Item : undefined } };
    });
    await documents.send(new BatchWriteCommand({ RequestItems: { [environment.tableName]: requests } }));
  }
}

export async function partitionItems(pk: string): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of queryAll(partitionQuery(pk))) items.push(item);
  return items;
}

/**
 * Returns the items whose partition key contains a text, or all items. The table filters, because returning items
 * dominates the time of a scan.
 */
export async function scanItems(inKey?: string): Promise<Record<string, unknown>[]> {
  if (isTableShared())
    throw new Error('Scanning the table of many files delays all tests: call usePlatform() instead.');
  const filter =
    inKey === undefined
      ? {}
      : { FilterExpression: 'contains(pk, :inKey)', ExpressionAttributeValues: { ':inKey': inKey } };
  const items: Record<string, unknown>[] = [];
  const pages = paginateScan({ client: documents }, { TableName: environment.tableName, ...filter });
  for await (const { Items = [] } of pages) items.push(...Items);
  return items;
}
