/**
 * The floor of a function: one PutItem through lib-dynamodb, without validation or authentication. `bundles.ts` builds
 * it with ordinary settings and with the platform's.
 */
import { randomUUID } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';

export const documents = DynamoDBDocumentClient.from(new DynamoDBClient({}));

export const handler = async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
  const { conversationId, payload } = JSON.parse(event.body!);
  const message = { id: randomUUID(), createdAt: new Date().toISOString(), conversationId, payload };
  await documents.send(
    new PutCommand({
      TableName: process.env.TABLE_NAME,
      Item: { pk: conversationId, sk: message.id, ...message },
    }),
  );
  return {
    statusCode: 201,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message }),
  };
};
