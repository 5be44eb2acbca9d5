/** The floor of throughput: the two DynamoDB calls of createMessage, with the same items. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { Key } from '#shared/storage/dynamodb/keys/table.ts';

const documents = DynamoDBDocumentClient.from(new DynamoDBClient({}), {
  marshallOptions: { removeUndefinedValues: true },
});

/** Reads one item consistently, then writes another that must not exist. */
export async function getAndPut(key: Key, item: Key & Record<string, unknown>): Promise<void> {
  const { TABLE_NAME: TableName } = process.env;
  await documents.send(new GetCommand({ TableName, Key: key, ConsistentRead: true }));
  await documents.send(new PutCommand({ TableName, Item: item, ConditionExpression: 'attribute_not_exists(pk)' }));
}
