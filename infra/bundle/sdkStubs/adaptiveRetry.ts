/**
 * Stands in for the SDK's adaptive retries, an experiment that is only on where `AWS_RETRY_MODE` says so: 3 KB of every
 * bundle.
 */
export class AdaptiveRetryStrategy {
  constructor() {
    throw new Error('Adaptive retries are not part of this bundle: see infra/bundle.ts.');
  }
}
