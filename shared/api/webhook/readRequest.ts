import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { WebhookRequest } from '#shared/api/operations/webhook.ts';
import { pathAfterRoute, pathParametersOf } from '#shared/api/pathParameters.ts';
import { OAUTH } from './findWebhook.ts';
import { isOAuthPath, withoutRoundTrips } from './oauth.ts';
import type { WebhookMiddleware } from './state.ts';

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
    event.call.request = requestOf(event, event.call.webhook.webhookId);
    event.body = null;
  },
});

function requestOf(event: APIGatewayProxyEvent, webhookId: string): WebhookRequest {
  const path = pathOf(event);
  return {
    method: event.httpMethod,
    path,
    query: queryOf(event, isOAuthPath(path) ? { state: webhookId } : {}),
    headers: headersOf(event),
    body: Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8'),
  };
}

function pathOf(event: APIGatewayProxyEvent): string {
  const rest = pathAfterRoute(event);
  if (pathParametersOf(event).webhookId === OAUTH) return `/${OAUTH}${rest}`;
  return rest === '' ? '/' : rest;
}

/** Encodes the query again, because the gateway decodes it. */
const queryOf = (
  { multiValueQueryStringParameters }: APIGatewayProxyEvent,
  replaced: Partial<Record<string, string>>,
): string =>
  new URLSearchParams(
    Object.entries(multiValueQueryStringParameters ?? {}).flatMap(([name, values]) =>
      (values ?? []).map((value): [string, string] => [name, replaced[name] ?? value]),
    ),
  ).toString();

function headersOf({ headers, multiValueHeaders }: APIGatewayProxyEvent): Record<string, string> {
  const all: Record<string, string[]> = {};
  for (const [name, value] of Object.entries(headers ?? {})) if (value !== undefined) all[name.toLowerCase()] = [value];
  for (const [name, values] of Object.entries(multiValueHeaders ?? {})) if (values) all[name.toLowerCase()] = values;
  return Object.fromEntries(
    Object.entries(all)
      .filter(([name]) => !HOP_BY_HOP.has(name))
      .map(([name, values]) => [name, name === 'cookie' ? withoutRoundTrips(values.join('; ')) : values.join(', ')])
      .filter(([name, value]) => name !== 'cookie' || value !== ''),
  );
}
