/** Silences the AWS SDK. Functions write their own log lines. */
import type { SQSClientConfig } from '@aws-sdk/client-sqs';

const ignore = () => {};

/**
 * Logger without `info` and `error`. For a logger with these methods, the SDK makes a redacted copy of each request and
 * response, even for its default logger, which discards them.
 */
export const sdkLogger = { debug: ignore, warn: ignore } as unknown as NonNullable<SQSClientConfig['logger']>;
