/** The logger of the AWS SDK's clients, which log nothing: a function logs what it did itself. */
import type { SQSClientConfig } from '@aws-sdk/client-sqs';

const ignore = () => {};

/**
 * The SDK makes a redacted copy of each request and answer for any logger with `info`, and of each refused request for one with `error`, also
 * for its own default, which drops them.
 */
export const sdkLogger = { debug: ignore, warn: ignore } as unknown as NonNullable<SQSClientConfig['logger']>;
