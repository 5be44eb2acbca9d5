import type { SQSClientConfig } from '@aws-sdk/client-sqs';

const ignore = () => {};

/** Silent logger. If a logger has `info` or `error`, the SDK makes a redacted copy of each request and response. */
export const sdkLogger = { debug: ignore, warn: ignore } as unknown as NonNullable<SQSClientConfig['logger']>;
