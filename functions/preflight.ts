import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { corsHeaders } from '#shared/api/steps/allowOrigin.ts';
import { header } from '#shared/api/steps/startCall.ts';

/** The browser's cache time of the response. Chrome limits it to two hours. */
const MAX_AGE_SECONDS = 7200;

/**
 * Responds to CORS preflight requests on every path. Allows any requested header, because newer clients send additional
 * headers (docs/api/conventions.md#cors).
 */
export const preflight = async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => ({
  statusCode: 200,
  headers: {
    ...corsHeaders(event),
    'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
    'access-control-allow-headers':
      header(event, 'access-control-request-headers') ?? 'content-type, content-encoding, x-user-key, idempotency-key',
    'access-control-max-age': String(MAX_AGE_SECONDS),
    'content-length': '0',
  },
  body: '',
});
