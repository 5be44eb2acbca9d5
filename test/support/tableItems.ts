/** Items of the table that no interface shows. */
import { BatchWriteCommand, paginateScan, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { appendEntry } from '#shared/dynamodb/chat/timeline.ts';
import { documents } from '#shared/dynamodb/client.ts';
import { conversationPk, timelinePrefix } from '#shared/dynamodb/keys/chat.ts';
import { environment } from '#shared/environment.ts';
import { newPosition } from '#shared/ids.ts';

/** The entries of a conversation's timeline, oldest first. @param conversationId the internal id */
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

/** Writes messages as `createMessage` would, 25 per call, for very long conversations. */
export async function seedMessages(botId: string, conversationId: string, messages: number): Promise<void> {
  const payload = { p: '{"type":"text","text":"seeded"}' };
  for (let i = 0; i < messages; i += 25) {
    const requests = Array.from({ length: Math.min(25, messages - i) }, () => {
      const entry = { kind: 'message' as const, position: newPosition(), userId: 'someone', generation: 0, payload };
      const part = appendEntry(botId, conversationId, entry);
      return { PutRequest: { Item: 'put' in part ? part.put.Item : undefined } };
    });
    await documents.send(new BatchWriteCommand({ RequestItems: { [environment.tableName]: requests } }));
  }
}

/** Every item whose partition key contains a text; all items without one. Only for a test's own table. */
export async function scanItems(inKey = ''): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  for await (const { Items = [] } of paginateScan({ client: documents }, { TableName: environment.tableName })) {
    items.push(...Items.filter(({ pk }) => pk.includes(inKey)));
  }
  return items;
}
