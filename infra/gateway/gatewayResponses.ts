/** The gateway's own refusals, on AWS and on one machine, in the wire shape of the operations' errors. */
import { type ErrorType, STATUS_OF } from '#shared/errors.ts';

export interface GatewayResponse {
  /** API Gateway's response type. */
  type: string;
  status: number;
  error: ErrorType;
  message: string;
  /** Sent as `Retry-After`. */
  retryAfterSeconds?: number;
}

const response = (type: string, error: ErrorType, message: string): GatewayResponse => ({
  type,
  status: STATUS_OF[error],
  error,
  message,
});

const NO_ROUTE = 'There is no such route. Check the method and the path.';
const FAILED = 'Something failed on our side.';

export const GATEWAY_RESPONSES = {
  // API Gateway's type for an unknown route, to which it would answer 403.
  unknownRoute: response('MISSING_AUTHENTICATION_TOKEN', 'ResourceNotFound', NO_ROUTE),
  notFound: response('RESOURCE_NOT_FOUND', 'ResourceNotFound', NO_ROUTE),
  tooLarge: response(
    'REQUEST_TOO_LARGE',
    'PayloadTooLarge',
    'The request is too large. Shorten its URL and headers, compress its body, or upload the body and name it in x-body-ref.',
  ),
  mediaType: response('UNSUPPORTED_MEDIA_TYPE', 'UnsupportedMediaType', 'The media type is not supported.'),
  badBody: response('BAD_REQUEST_BODY', 'InvalidPayload', 'The body is invalid.'),
  badParameters: response('BAD_REQUEST_PARAMETERS', 'InvalidPayload', 'The path or query parameters are invalid.'),
  throttled: {
    ...response('THROTTLED', 'RateLimited', 'Too many requests. Retry after a second.'),
    retryAfterSeconds: 1,
  },
  // A usage plan, which an operator may add, counts by the day or longer.
  quota: {
    ...response('QUOTA_EXCEEDED', 'RateLimited', 'The request quota is exhausted. Retry after an hour.'),
    retryAfterSeconds: 3_600,
  },
  firewall: response('WAF_FILTERED', 'Forbidden', 'The firewall rejected the request.'),
  denied: response('ACCESS_DENIED', 'Forbidden', 'Access is denied.'),
  timeout: response('INTEGRATION_TIMEOUT', 'OperationTimeout', 'The operation timed out.'),
  // A crashed function. Never 502, on which the clients repeat a POST: see docs/compatibility.md#retries.
  failed: response('INTEGRATION_FAILURE', 'Internal', FAILED),
  other4xx: response('DEFAULT_4XX', 'InvalidPayload', 'The request was rejected.'),
  other5xx: response('DEFAULT_5XX', 'Internal', FAILED),
} as const satisfies Record<string, GatewayResponse>;

/** @param requestId on AWS `$context.requestId`, by which the access log is searched */
export const gatewayResponseBody = ({ status, error, message }: GatewayResponse, requestId: string) =>
  JSON.stringify({ id: `err_${requestId}`, code: status, type: error, message });
