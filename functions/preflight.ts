import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { corsHeaders } from '#shared/api/steps/allowOrigin.ts';
import { header } from '#shared/api/steps/startCall.ts';

/** How long a browser remembers the answer; Chrome keeps none longer. */
const REMEMBERED_SECONDS = 7200;

/**
 * Answers a browser that asks whether it may call (OPTIONS), without a key. No operation of the contract: it stands behind
 * every path, and whatever headers the browser means to send are allowed, because newer clients send new ones.
 */
export const preflight = async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => ({
  statusCode: 200,
  headers: {
    ...corsHeaders(event),
    'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE, OPTIONS',
    'access-control-allow-headers':
      header(event, 'access-control-request-headers') ?? 'content-type, content-encoding, x-user-key, idempotency-key',
    'access-control-max-age': String(REMEMBERED_SECONDS),
    'content-length': '0',
  },
  body: '',
});
