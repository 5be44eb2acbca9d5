/** Maps AWS errors, after the SDK's own retries, to API errors. */
import { ApiError, UNAVAILABLE } from '#shared/core/errors.ts';

/** An outage that outlasts the SDK's retries rarely ends within a second. */
const AWAY_SECONDS = 5;

/** @returns undefined for errors that a retry does not fix */
export function serviceErrorToApiError(error: unknown): ApiError | undefined {
  if (!isOfService(error)) return undefined;
  if (THROTTLES.has(error.name)) return new ApiError('RateLimited', 'Too many requests. Retry in a second.');
  return isAway(error)
    ? new ApiError(
        'Internal',
        'A dependency of the platform is unavailable. Retry after Retry-After; a POST with an Idempotency-Key takes effect once.',
        { status: UNAVAILABLE, cause: error, retryAfterSeconds: AWAY_SECONDS },
      )
    : undefined;
}

interface ServiceError extends Error {
  $metadata?: { httpStatusCode?: number };
  $fault?: 'client' | 'server';
  code?: string;
}

const isOfService = (error: unknown): error is ServiceError =>
  error instanceof Error && ('$metadata' in error || '$fault' in error || THROTTLES.has(error.name));

const THROTTLES = new Set([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'RequestLimitExceeded',
  'RequestThrottled',
  // From writes outside `write`, which retries it itself.
  'TransactionConflictException',
]);

const isAway = ({ name, code = '', $fault, $metadata }: ServiceError): boolean =>
  $fault === 'server' || ($metadata?.httpStatusCode ?? 0) >= 500 || TIMEOUTS.has(name) || CONNECTION_CODES.has(code);

const TIMEOUTS = new Set([
  'TimeoutError',
  'RequestTimeout',
  'RequestTimeoutException',
  // The transaction may still take effect.
  'TransactionInProgressException',
]);
const CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
]);
