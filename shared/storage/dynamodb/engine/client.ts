import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { sdkLogger } from '#shared/core/sdkLogger.ts';

/**
 * DynamoDB responds within milliseconds. A call without a response for several seconds is lost. It is retried before
 * the caller times out.
 */
export const client = new DynamoDBClient({
  maxAttempts: 4,
  requestHandler: { connectionTimeout: 5_000, requestTimeout: 6_000, throwOnRequestTimeout: true },
  logger: sdkLogger,
});

/** Lone surrogates as `JSON.stringify` escapes them. Excludes literal text with an escaped backslash. */
const HALF_PAIR = /(?<!\\)((?:\\\\)*)\\ud[89a-f][\da-f]{2}/g;

export function withoutHalfPairs(json: Uint8Array): Uint8Array {
  const bytes = Buffer.from(json.buffer, json.byteOffset, json.byteLength);
  return bytes.includes('\\ud') ? Buffer.from(bytes.toString().replace(HALF_PAIR, '$1\ufffd')) : json;
}

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
