/** The one connection to the table. The SDK reads region, credentials and a local endpoint from the environment. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** DynamoDB answers within milliseconds: what takes seconds got lost, and is sent again while the caller still waits. */
export const client = new DynamoDBClient({
  maxAttempts: 4,
  requestHandler: { connectionTimeout: 5_000, requestTimeout: 6_000, throwOnRequestTimeout: true },
});

export const documents = DynamoDBDocumentClient.from(client, {
  marshallOptions: {
    removeUndefinedValues: true,
    // What callers name themselves may be called `constructor`, by which the SDK tells objects from instances.
    convertClassInstanceToMap: true,
  },
});
