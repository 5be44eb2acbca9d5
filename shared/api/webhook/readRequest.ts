import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { WebhookRequest } from '#shared/api/operations/webhook.ts';
import { pathAfterRoute, pathParametersOf } from '#shared/api/pathParameters.ts';
import { own } from '#shared/core/own.ts';
import { INTEGRATION, splitShared } from './findShared.ts';
import { OAUTH } from './findWebhook.ts';
import { isOAuthPath, withoutRoundTrips } from './oauthRoundTrips.ts';
import type { WebhookMiddleware } from './webhookState.ts';

/** Headers of the connection to the gateway (RFC 9110, 7.6.1). */
export const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export const readRequest = (): WebhookMiddleware => ({
  before: ({ event }) => {
    event.call.request = requestOf(event, event.call.webhook?.webhookId);
    event.body = null;
  },
});

function requestOf(event: APIGatewayProxyEvent, webhookId: string | undefined): WebhookRequest {
  const path = pathOf(event);
  return {
    method: event.httpMethod,
    path,
    query: queryOf(event, webhookId !== undefined && isOAuthPath(path) ? { state: webhookId } : {}),
    headers: headersOf(event),
    body: Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8'),
  };
}

function pathOf(event: APIGatewayProxyEvent): string {
  const { webhookId: named } = pathParametersOf(event);
  const rest = named === INTEGRATION ? splitShared(pathAfterRoute(event)).rest : pathAfterRoute(event);
  if (named === OAUTH) return `/${OAUTH}${rest}`;
  return rest === '' ? '/' : rest;
}

/** Encodes the query again, because API Gateway passes on only decoded parameters (docs/api/webhook.md#query). */
const queryOf = (
  { multiValueQueryStringParameters }: APIGatewayProxyEvent,
  replaced: Readonly<Record<string, string>>,
): string =>
  Object.entries(multiValueQueryStringParameters ?? {})
    .flatMap(([name, values]) => (values ?? []).map(value => [name, own(replaced, name) ?? value]))
    .map(pair => pair.map(encoded).join('='))
    .join('&');

/**
 * Encodes all but the unreserved characters of RFC 3986. `encodeURIComponent` leaves five other characters unencoded.
 */
const encoded = (text = '') =>
  encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );

function headersOf({ headers, multiValueHeaders }: APIGatewayProxyEvent): Record<string, string> {
  const all = new Map<string, string[]>();
  for (const [name, value] of Object.entries(headers ?? {}))
    if (value !== undefined) all.set(name.toLowerCase(), [value]);
  for (const [name, values] of Object.entries(multiValueHeaders ?? {})) if (values) all.set(name.toLowerCase(), values);
  return Object.fromEntries(
    [...all]
      .filter(([name]) => !HOP_BY_HOP.has(name))
      .map(([name, values]) => [name, name === 'cookie' ? withoutRoundTrips(values.join('; ')) : values.join(', ')])
      .filter(([name, value]) => name !== 'cookie' || value !== ''),
  );
}
