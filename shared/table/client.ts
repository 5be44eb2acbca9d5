/** The one connection to the table. The SDK reads region, credentials and a local endpoint from the environment. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

export const documents = DynamoDBDocumentClient.from(new DynamoDBClient({ maxAttempts: 4 }), {
  marshallOptions: { removeUndefinedValues: true },
});
