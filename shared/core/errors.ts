/**
 * Errors and their wire shape `{ id, code, type, message, metadata? }` (docs/compatibility.md#errors). The clients
 * rebuild their error class from `type` and fail on an unknown one, so the list of types is closed: details go into
 * `metadata`.
 */

import { randomBytes } from 'node:crypto';
import { clock } from './clock.ts';

/** The ecosystem's error types and their status codes. */
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

/**
 * An error with a wire type. The message of a 4xx, a timeout or a 503 reaches the caller; that of any other 5xx is only
 * logged.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly type: ErrorType;
  readonly metadata: Record<string, unknown> | undefined;
  readonly status: number;
  /** The header `Retry-After`: when a repeated request may succeed. */
  readonly retryAfterSeconds: number | undefined;

  /** @param options.status where it differs from the type's: see {@link notConfigured} */
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
/**
 * What this installation was not set up for: a 501, whose type no client repeats.
 * @param setting what would enable it
 */
export const notConfigured = (message: string, setting: string) =>
  new ApiError('MethodNotFound', message, { status: NOT_IMPLEMENTED, metadata: { setting } });

/** No failure of the platform, although it is a 5xx. */
export const NOT_IMPLEMENTED = 501;

/** A service is away. Callers learn when to come again, since it is nothing that they did. */
export const UNAVAILABLE = 503;

export const notFound = (what: string) => new ApiError('ResourceNotFound', `${what} was not found.`);

/** `err_<yyyymmddhhmmss>x<8 hex digits>`, the ecosystem's form. */
export const newErrorId = (now = new Date(clock.now())) =>
  `err_${now.toISOString().replace(/\D/g, '').slice(0, 14)}x${randomBytes(4).toString('hex').toUpperCase()}`;

/** The JSON body of an error answer. Anything but an {@link ApiError} becomes an `Internal` without details. */
export function errorBody(error: unknown, id: string) {
  const known = error instanceof ApiError ? error : new ApiError('Internal', '');
  // A timeout reveals nothing, and the caller can act on it.
  const isInternal = (known.type === 'Internal' || known.type === 'Unknown') && known.status !== UNAVAILABLE;
  return {
    id,
    code: known.status,
    type: known.type,
    message: isInternal ? `Internal error. The log has the details under ${id}.` : known.message,
    ...(known.metadata && !isInternal ? { metadata: known.metadata } : {}),
  };
}
