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

/** Transient errors that can occur after the model has started. */
const AFTER_START = new Set(['InternalServerException', 'ModelTimeoutException']);

/** @returns a ThrottledError for a transient error, any other error unchanged */
export const asThrottled = (error: unknown, modelId: string): unknown =>
  error instanceof BedrockRuntimeServiceException && TRANSIENT.has(error.name)
    ? new ThrottledError(`Bedrock's ${modelId}`, error, { mayBeBilled: AFTER_START.has(error.name) })
    : error;
