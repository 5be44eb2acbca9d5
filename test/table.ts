/** A look into the table, for what no interface shows. */
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { environment } from '../shared/environment.ts';
import { documents } from '../shared/table/client.ts';
import { conversationPk, timelinePrefix } from '../shared/table/keys.ts';

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
