import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { sdkLogger } from '#shared/core/sdkLogger.ts';
import { withoutHalfPairs } from './halfPairs.ts';

/** DynamoDB responds within milliseconds. A call of several seconds is lost, and is retried in time for the caller. */
export const client = new DynamoDBClient({
  maxAttempts: 4,
  requestHandler: { connectionTimeout: 5_000, requestTimeout: 6_000, throwOnRequestTimeout: true },
  logger: sdkLogger,
});

/** Replaces lone surrogates with U+FFFD, because DynamoDB rejects them. Truncating text can split an emoji. */
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
    // A tag may be named `constructor`, which the SDK uses to detect class instances.
    convertClassInstanceToMap: true,
  },
});
