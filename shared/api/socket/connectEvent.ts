/**
 * Translates the event of `$connect` into the request that the chains of the other APIs process. WebSocket APIs have no
 * paths, so the distribution has moved those of the path into the query (`infra/stack/chatRouting.js`).
 */
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { gatewayVariable } from '#shared/api/operation.ts';
import { header } from '#shared/api/steps/startCall.ts';
import { parseSubprotocols } from './subprotocol.ts';

/** The part of an event of `$connect` that is read. */
export type ConnectEvent = Pick<APIGatewayProxyEvent, 'headers' | 'queryStringParameters' | 'requestContext'>;

/** A listener names a webhook and a conversation, with a user key. */
export function listenerEvent(event: ConnectEvent): APIGatewayProxyEvent {
  const { webhookId = '', conversationId = '', 'x-user-key': keyInUrl, ...query } = event.queryStringParameters ?? {};
  const { isOwn, credential } = parseSubprotocols(header(event, 'sec-websocket-protocol'));
  const userKey = (isOwn ? credential : keyInUrl) ?? header(event, 'x-user-key');
  return requestOf(event, {
    resource: `/{webhookId}/conversations/{${gatewayVariable(0)}}/listen`,
    path: `/${encodeURIComponent(webhookId)}/conversations/${encodeURIComponent(conversationId)}/listen`,
    headers: { 'x-user-key': userKey },
    query: { ...query, isResumable: String(isOwn) },
  });
}

/** A watcher names a bot, with a token in the subprotocol. */
export const watcherEvent = (event: ConnectEvent): APIGatewayProxyEvent => watcherEventAt(event, '/v1/chat/watch');

/** A watcher of the inbox names a workspace. */
export const inboxWatcherEvent = (event: ConnectEvent): APIGatewayProxyEvent =>
  watcherEventAt(event, '/v1/chat/inbox/watch');

function watcherEventAt(event: ConnectEvent, path: string): APIGatewayProxyEvent {
  const { botId, workspaceId, ...query } = event.queryStringParameters ?? {};
  const { credential } = parseSubprotocols(header(event, 'sec-websocket-protocol'));
  return requestOf(event, {
    resource: path,
    path,
    headers: {
      authorization: credential && `Bearer ${credential}`,
      'x-bot-id': botId,
      'x-workspace-id': workspaceId,
    },
    query,
  });
}

function requestOf(
  { headers, requestContext }: ConnectEvent,
  request: {
    resource: string;
    path: string;
    headers: Record<string, string | undefined>;
    query: Record<string, string | undefined>;
  },
): APIGatewayProxyEvent {
  const { resource, path, query } = request;
  const added = Object.entries(request.headers).filter(([, value]) => value !== undefined);
  return {
    httpMethod: 'GET',
    resource,
    path,
    headers: { ...headers, ...Object.fromEntries(added) },
    multiValueHeaders: {},
    queryStringParameters: query,
    multiValueQueryStringParameters: null,
    pathParameters: null,
    stageVariables: null,
    requestContext,
    body: null,
    isBase64Encoded: false,
  };
}
