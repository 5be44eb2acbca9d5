/** What the errors of Amazon Bedrock mean, whatever it was asked for. */
import { BedrockRuntimeServiceException } from '@aws-sdk/client-bedrock-runtime';
import { Throttled } from './throttled.ts';

/** Names of errors that pass by themselves; the SDK sends most of them again a few times. */
const PASSING = new Set([
  'ThrottlingException',
  'ServiceUnavailableException',
  'InternalServerException',
  'ModelNotReadyException',
  'ModelTimeoutException',
]);

/** @returns Throttled for an error that passes by itself, and any other as it is */
export const throttledIfPassing = (error: unknown, modelId: string): unknown =>
  error instanceof BedrockRuntimeServiceException && PASSING.has(error.name)
    ? new Throttled(`Bedrock's ${modelId}`, error)
    : error;
