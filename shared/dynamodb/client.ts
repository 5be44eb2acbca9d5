/** The connection to the table. The SDK reads region, credentials and a local endpoint from the environment. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { sdkLogger } from '#shared/sdkLogger.ts';
import { withoutHalfPairs } from './halfPairs.ts';

/** DynamoDB answers within milliseconds. A call that takes seconds is lost, and is retried while the caller still waits. */
export const client = new DynamoDBClient({
  maxAttempts: 4,
  requestHandler: { connectionTimeout: 5_000, requestTimeout: 6_000, throwOnRequestTimeout: true },
  logger: sdkLogger,
});

/**
 * DynamoDB stores UTF-8, which has no half of a surrogate pair: a text that was cut amid an emoji, as of a failure or of what deployed code
 * printed. It is stored with U+FFFD in its place rather than refused.
 */
client.middlewareStack.add(
  next => args => {
    const request = args.request as { body?: unknown };
    if (request.body instanceof Uint8Array) request.body = withoutHalfPairs(request.body);
    return next(args);
  },
  // Before the length of the body is taken.
  { step: 'build', priority: 'high', name: 'wellFormed', override: true },
);

export const documents = DynamoDBDocumentClient.from(client, {
  marshallOptions: {
    removeUndefinedValues: true,
    // Callers may name a tag `constructor`, by which the SDK tells plain objects from class instances.
    convertClassInstanceToMap: true,
  },
});
