/** What errors of AWS mean for a caller. They arrive here after the SDK's own retries. */
import { ApiError, UNAVAILABLE } from '#shared/core/errors.ts';

/** Services that are away for longer than the SDK's retries rarely return within a second. */
const AWAY_SECONDS = 5;

/** @returns undefined for anything that a retry would not mend */
export function meaningOfServiceError(error: unknown): ApiError | undefined {
  if (!isOfService(error)) return undefined;
  if (THROTTLES.has(error.name)) return new ApiError('RateLimited', 'Too many requests. Retry in a second.');
  return isAway(error)
    ? new ApiError(
        'Internal',
        'A service that the platform depends on is unavailable. Retry after the time in Retry-After; a POST with an Idempotency-Key takes effect once.',
        { status: UNAVAILABLE, cause: error, retryAfterSeconds: AWAY_SECONDS },
      )
    : undefined;
}

interface ServiceError extends Error {
  $metadata?: { httpStatusCode?: number };
  $fault?: 'client' | 'server';
  code?: string;
}

/** The SDK's own errors, and those of its connections, to which it adds its metadata. */
const isOfService = (error: unknown): error is ServiceError =>
  error instanceof Error && ('$metadata' in error || '$fault' in error || THROTTLES.has(error.name));

const THROTTLES = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
  'RequestThrottled',
  // Of a write outside of `write`, which repeats these itself.
  'TransactionConflictException',
  'TransactionInProgressException',
]);

const isAway = ({ name, code = '', $fault, $metadata }: ServiceError): boolean =>
  $fault === 'server' || ($metadata?.httpStatusCode ?? 0) >= 500 || TIMEOUTS.has(name) || CONNECTION_CODES.has(code);

const TIMEOUTS = new Set(['TimeoutError', 'RequestTimeout', 'RequestTimeoutException']);
const CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]);
