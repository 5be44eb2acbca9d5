/** Replaces the SDK's adaptive retries, which only `AWS_RETRY_MODE` enables. Saves 3 KB per bundle. */
export class AdaptiveRetryStrategy {
  constructor() {
    throw new Error('Adaptive retries are not part of this bundle: see infra/bundle/lambdaPlugin.ts.');
  }
}
