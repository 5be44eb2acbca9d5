import { randomBytes } from 'node:crypto';
import { clock } from './clock.ts';

/** The ecosystem's error types and status codes. Clients fail on an unknown type, so details belong in `metadata`. */
export const STATUS_OF = {
  Unknown: 500,
  Internal: 500,
  Unauthorized: 401,
  Forbidden: 403,
  PayloadTooLarge: 413,
  InvalidPayload: 400,
  UnsupportedMediaType: 415,
  MethodNotFound: 405,
  ResourceNotFound: 404,
  InvalidJsonSchema: 400,
  InvalidDataFormat: 400,
  InvalidIdentifier: 400,
  RelationConflict: 409,
  ReferenceConstraint: 409,
  ResourceLockedConflict: 409,
  ResourceGone: 410,
  ReferenceNotFound: 400,
  InvalidQuery: 400,
  Runtime: 400,
  AlreadyExists: 409,
  RateLimited: 429,
  PaymentRequired: 402,
  QuotaExceeded: 403,
  LimitExceeded: 413,
  BreakingChanges: 400,
  OperationTimeout: 504,
} as const;

export type ErrorType = keyof typeof STATUS_OF;

/** Error with a wire type. Callers see the message of a 4xx, a timeout or a 503; other 5xx messages are only logged. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly type: ErrorType;
  readonly metadata: Record<string, unknown> | undefined;
  readonly status: number;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    type: ErrorType,
    message: string,
    options: {
      metadata?: Record<string, unknown>;
      cause?: unknown;
      status?: number;
      retryAfterSeconds?: number | undefined;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.type = type;
    this.metadata = options.metadata;
    this.status = options.status ?? STATUS_OF[type];
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

export const invalidPayload = (message: string, path?: string) =>
  new ApiError('InvalidPayload', message, path === undefined ? {} : { metadata: { issues: [{ path, message }] } });
/** Returns a 501 for a feature that requires a setting. Clients do not retry its type. */
export const notConfigured = (message: string, setting: string) =>
  new ApiError('MethodNotFound', message, { status: NOT_IMPLEMENTED, metadata: { setting } });

export const NOT_IMPLEMENTED = 501;

/** A dependency is unavailable. The message and `Retry-After` reach the caller. */
export const UNAVAILABLE = 503;

export const notFound = (what: string) => new ApiError('ResourceNotFound', `${what} was not found.`);

/** Returns `err_<yyyymmddhhmmss>x<8 hex digits>`, the ecosystem's form. */
export const newErrorId = (now = new Date(clock.now())) =>
  `err_${now.toISOString().replace(/\D/g, '').slice(0, 14)}x${randomBytes(4).toString('hex').toUpperCase()}`;

/** Returns the JSON body of an error response. Unexpected errors become an `Internal` without details. */
export function errorBody(error: unknown, id: string) {
  const known = error instanceof ApiError ? error : new ApiError('Internal', '');
  // A timeout reveals nothing and is actionable for the caller.
  const isInternal = (known.type === 'Internal' || known.type === 'Unknown') && known.status !== UNAVAILABLE;
  return {
    id,
    code: known.status,
    type: known.type,
    message: isInternal ? `Internal error. See ${id} in the log.` : known.message,
    ...(known.metadata && !isInternal ? { metadata: known.metadata } : {}),
  };
}
