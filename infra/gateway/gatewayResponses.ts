/** Error responses of the gateway itself, on AWS and locally, in the format of operations' errors. */
import { EXPOSED_HEADERS } from '#shared/api/steps/allowOrigin.ts';
import { type ErrorType, STATUS_OF } from '#shared/core/errors.ts';

export interface GatewayResponse {
  type: string;
  status: number;
  error: ErrorType;
  message: string;
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

/** One entry for each response type of API Gateway. The default types cover future types. */
export const GATEWAY_RESPONSES = {
  // API Gateway's type for an unknown route. Its default status is 403.
  unknownRoute: response('MISSING_AUTHENTICATION_TOKEN', 'ResourceNotFound', NO_ROUTE),
  // API Gateway parses the Authorization header as an AWS signature if no route matches, and rejects bearer tokens.
  noSignature: response('INVALID_SIGNATURE', 'ResourceNotFound', NO_ROUTE),
  expiredSignature: response('EXPIRED_TOKEN', 'ResourceNotFound', NO_ROUTE),
  notFound: response('RESOURCE_NOT_FOUND', 'ResourceNotFound', NO_ROUTE),
  tooLarge: response(
    'REQUEST_TOO_LARGE',
    'PayloadTooLarge',
    'The request is too large. Shorten its URL and headers, compress its body, or upload the body and name it in x-body-ref. For bp deploy, npm run relay in the folder of Parley does this: pass its address as --apiUrl.',
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
  // Requests over the firewall's rate limits. Its other rules return their own response (`infra/stack/firewall.ts`).
  firewall: {
    ...response('WAF_FILTERED', 'RateLimited', 'Too many requests from this address. Retry after a minute.'),
    retryAfterSeconds: 60,
  },
  denied: response('ACCESS_DENIED', 'Forbidden', 'Access is denied.'),
  // An operator may add an authorizer or a usage plan with API keys.
  unauthorized: response('UNAUTHORIZED', 'Unauthorized', 'The credentials are missing or not valid.'),
  apiKey: response('INVALID_API_KEY', 'Forbidden', 'The API key in the header x-api-key is missing or not valid.'),
  authorizerFailed: response('AUTHORIZER_FAILURE', 'Internal', FAILED),
  authorizerUnreachable: response('AUTHORIZER_CONFIGURATION_ERROR', 'Internal', FAILED),
  timeout: response('INTEGRATION_TIMEOUT', 'OperationTimeout', 'The operation timed out.'),
  // A crashed function. 502 would make clients repeat a POST: docs/api/conventions.md#retries.
  failed: response('INTEGRATION_FAILURE', 'Internal', FAILED),
  misconfigured: response('API_CONFIGURATION_ERROR', 'Internal', FAILED),
  other4xx: response('DEFAULT_4XX', 'InvalidPayload', 'The request was rejected. Check its method, path and headers.'),
  other5xx: response('DEFAULT_5XX', 'Internal', FAILED),
} as const satisfies Record<string, GatewayResponse>;

/** @param requestId `$context.requestId` on AWS, for searches of the access log */
export const gatewayResponseBody = ({ status, error, message }: GatewayResponse, requestId: string) =>
  JSON.stringify({ id: `err_${requestId}`, code: status, type: error, message });

/**
 * Returns the OpenAPI extension `x-amazon-apigateway-gateway-responses`. `AWS::ApiGateway::GatewayResponse` resources
 * do not work beside an inline document: an update that imports the document removes them (aws/aws-cdk#28652).
 * @param allowedOrigins undefined allows all. With several origins, browsers cannot read gateway responses, because a
 * mapping cannot select one.
 */
export const gatewayResponsesExtension = (allowedOrigins: readonly string[] | undefined) =>
  Object.fromEntries(
    Object.values<GatewayResponse>(GATEWAY_RESPONSES).map(response => [
      response.type,
      {
        statusCode: String(response.status),
        responseParameters: headerParameters({
          ...originHeaders(allowedOrigins),
          'Access-Control-Expose-Headers': `'${EXPOSED_HEADERS}'`,
          Vary: "'Origin'",
          ...(response.retryAfterSeconds ? { 'Retry-After': `'${response.retryAfterSeconds}'` } : {}),
        }),
        responseTemplates: { 'application/json': gatewayResponseBody(response, '$context.requestId') },
      },
    ]),
  );

/** Mappings are case-sensitive. Browsers use HTTP/2, where header names are in lower case. */
const CALLING_ORIGIN = 'method.request.header.origin';

function originHeaders(allowedOrigins: readonly string[] | undefined): Record<string, string> {
  if (allowedOrigins && allowedOrigins.length > 1) return {};
  return {
    'Access-Control-Allow-Origin': allowedOrigins ? `'${allowedOrigins[0]}'` : CALLING_ORIGIN,
    'Access-Control-Allow-Credentials': "'true'",
  };
}

const headerParameters = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [`gatewayresponse.header.${name}`, value]));
