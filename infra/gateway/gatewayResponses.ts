/** How the gateway's own refusals look: like those of the operations. Used by the cloud's gateway and the local one. */
import { type ErrorType, STATUS_OF } from '#shared/errors.ts';

export interface GatewayResponse {
  /** API Gateway's name for the occasion. */
  type: string;
  status: number;
  error: ErrorType;
  message: string;
}

const response = (
  type: string,
  error: ErrorType,
  message: string,
  status: number = STATUS_OF[error],
): GatewayResponse => ({
  type,
  status,
  error,
  message,
});

export const GATEWAY_RESPONSES = {
  // API Gateway calls an unknown route so, and would answer 403.
  unknownRoute: response('MISSING_AUTHENTICATION_TOKEN', 'ResourceNotFound', 'There is no such route.'),
  notFound: response('RESOURCE_NOT_FOUND', 'ResourceNotFound', 'There is no such route.'),
  tooLarge: response(
    'REQUEST_TOO_LARGE',
    'PayloadTooLarge',
    'The request is bigger than one can be. Send it compressed, or upload its body (x-body-ref).',
  ),
  mediaType: response('UNSUPPORTED_MEDIA_TYPE', 'UnsupportedMediaType', 'This media type is not supported.'),
  badBody: response('BAD_REQUEST_BODY', 'InvalidPayload', 'The body is not valid.'),
  badParameters: response('BAD_REQUEST_PARAMETERS', 'InvalidPayload', 'The parameters are not valid.'),
  throttled: response('THROTTLED', 'RateLimited', 'Too many requests. Try again in a second.'),
  quota: response('QUOTA_EXCEEDED', 'RateLimited', 'The quota of requests is used up.'),
  firewall: response('WAF_FILTERED', 'Forbidden', 'The firewall refused this request.'),
  denied: response('ACCESS_DENIED', 'Forbidden', 'Access is denied.'),
  timeout: response('INTEGRATION_TIMEOUT', 'OperationTimeout', 'The operation took too long.'),
  // A function that died. Never 502: the clients repeat POSTs on it (FACTS 1.1).
  failed: response('INTEGRATION_FAILURE', 'Internal', 'Something failed on our side.'),
  other4xx: response('DEFAULT_4XX', 'InvalidPayload', 'The request was refused.'),
  other5xx: response('DEFAULT_5XX', 'Internal', 'Something failed on our side.'),
} as const satisfies Record<string, GatewayResponse>;

/** The body as JSON; `requestId` may be API Gateway's `$context.requestId`, which is in its access log. */
export const gatewayResponseBody = ({ status, error, message }: GatewayResponse, requestId: string) =>
  JSON.stringify({ id: `err_${requestId}`, code: status, type: error, message });
