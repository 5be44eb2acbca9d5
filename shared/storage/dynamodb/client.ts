/** The connection to the table. The SDK reads region, credentials and a local endpoint from the environment. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { sdkLogger } from '#shared/core/sdkLogger.ts';
import { withoutHalfPairs } from './halfPairs.ts';

/**
 * DynamoDB answers within milliseconds. A call that takes seconds is lost, and is retried while the caller still waits.
 */
export const client = new DynamoDBClient({
  maxAttempts: 4,
  requestHandler: { connectionTimeout: 5_000, requestTimeout: 6_000, throwOnRequestTimeout: true },
  logger: sdkLogger,
});

/**
 * Replaces lone surrogates with U+FFFD. Truncating text can split an emoji, and DynamoDB rejects the resulting JSON.
 * Without the replacement, a truncated failure reason or log line could never be stored.
 */
client.middlewareStack.add(
  next => args => {
    const request = args.request as { body?: unknown };
    if (request.body instanceof Uint8Array) request.body = withoutHalfPairs(request.body);
    return next(args);
  },
  // Runs before the SDK sets Content-Length.
  { step: 'build', priority: 'high', name: 'wellFormed', override: true },
);

export const documents = DynamoDBDocumentClient.from(client, {
  marshallOptions: {
    removeUndefinedValues: true,
    // Callers may name a tag `constructor`, by which the SDK tells plain objects from class instances.
    convertClassInstanceToMap: true,
  },
});
