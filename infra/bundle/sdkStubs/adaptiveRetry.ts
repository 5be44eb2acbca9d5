/** Replaces the SDK's experimental adaptive retries, which only `AWS_RETRY_MODE` turns on: 3 KB of every bundle. */
export class AdaptiveRetryStrategy {
  constructor() {
    throw new Error('Adaptive retries are not part of this bundle: see infra/bundle/lambdaPlugin.ts.');
  }
}
