/**
 * Failures, and the one shape in which they leave: `{ id, code, type, message, metadata? }` (FACTS 1.1). The clients
 * rebuild their error class from `type` and fail on a type they don't know, so this list is closed: detail goes
 * into `metadata`.
 */
import { randomBytes } from 'node:crypto';

/** The field's error types and their status codes. */
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

/** A failure that the caller is told about. The message of a 4xx or a timeout leaves as it is; that of another 5xx stays in the log. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly type: ErrorType;
  readonly metadata: Record<string, unknown> | undefined;

  constructor(type: ErrorType, message: string, options: { metadata?: Record<string, unknown>; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.type = type;
    this.metadata = options.metadata;
  }

  get status() {
    return STATUS_OF[this.type];
  }
}

export const invalidPayload = (message: string, path?: string) =>
  new ApiError('InvalidPayload', message, path === undefined ? {} : { metadata: { issues: [{ path, message }] } });
export const notFound = (what: string) => new ApiError('ResourceNotFound', `${what} was not found.`);

/** `err_<yyyymmddhhmmss>x<8 hex digits>`, the form the ecosystem's clients and people search for. */
export const newErrorId = (now = new Date()) =>
  `err_${now.toISOString().replace(/\D/g, '').slice(0, 14)}x${randomBytes(4).toString('hex').toUpperCase()}`;

/** The JSON body of an error answer. Whatever is not an {@link ApiError} leaves as `Internal` and says nothing. */
export function errorBody(error: unknown, id: string) {
  const known = error instanceof ApiError ? error : new ApiError('Internal', '');
  // That something took too long is no secret, and the caller can do something about it.
  const isOurs = known.status >= 500 && known.type !== 'OperationTimeout';
  return {
    id,
    code: known.status,
    type: known.type,
    message: isOurs ? `Something failed on our side. Quote ${id} to find it in the log.` : known.message,
    ...(known.metadata && !isOurs ? { metadata: known.metadata } : {}),
  };
}
