/** Echoes the origin, because credentials rule out `*` (docs/api/conventions.md#cors). */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { environment } from '#shared/core/environment.ts';
import { header, type Middleware } from './startCall.ts';

export const EXPOSED_HEADERS =
  'idempotent-replayed, etag, deprecation, link, ratelimit-limit, ratelimit-remaining, ratelimit-reset, retry-after';

export function corsHeaders(event: Pick<APIGatewayProxyEvent, 'headers'>): Record<string, string> {
  const origin = header(event, 'origin');
  const { allowedOrigins } = environment;
  if (!origin || (allowedOrigins && !allowedOrigins.includes(origin))) return { vary: 'Origin' };
  return {
    'access-control-allow-origin': origin,
    'access-control-allow-credentials': 'true',
    'access-control-expose-headers': EXPOSED_HEADERS,
    vary: 'Origin',
  };
}

export const allowOrigin = (): Middleware => {
  const add: Middleware['after'] = ({ event, response }) => {
    if (response && 'statusCode' in response) response.headers = { ...response.headers, ...corsHeaders(event) };
  };
  return { after: add, onError: add };
};
