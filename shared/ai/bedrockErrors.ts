/** Maps errors of Amazon Bedrock. */
import { BedrockRuntimeServiceException } from '@aws-sdk/client-bedrock-runtime';
import { ThrottledError } from './throttledError.ts';

/** Transient errors; the SDK has retried most of them a few times. */
const TRANSIENT = new Set([
  'ThrottlingException',
  'ServiceUnavailableException',
  'InternalServerException',
  'ModelNotReadyException',
  'ModelTimeoutException',
]);

/** @returns a ThrottledError for a transient error, any other error unchanged */
export const asThrottled = (error: unknown, modelId: string): unknown =>
  error instanceof BedrockRuntimeServiceException && TRANSIENT.has(error.name)
    ? new ThrottledError(`Bedrock's ${modelId}`, error)
    : error;
