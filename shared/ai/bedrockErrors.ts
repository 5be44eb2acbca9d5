import { BedrockRuntimeServiceException } from '@aws-sdk/client-bedrock-runtime';
import { ThrottledError } from './throttledError.ts';

/** Transient errors, after the SDK's retries. */
const TRANSIENT = new Set([
  'ThrottlingException',
  'ServiceUnavailableException',
  'InternalServerException',
  'ModelNotReadyException',
  'ModelTimeoutException',
]);

const AFTER_START = new Set(['InternalServerException', 'ModelTimeoutException']);

export const asThrottled = (error: unknown, modelId: string): unknown =>
  error instanceof BedrockRuntimeServiceException && TRANSIENT.has(error.name)
    ? new ThrottledError(`Bedrock's ${modelId}`, error, { mayBeBilled: AFTER_START.has(error.name) })
    : error;
