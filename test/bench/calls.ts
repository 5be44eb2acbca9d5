/** Calls chat operations without a gateway, with the event that API Gateway sends to their functions. */
import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type * as chat from '#functions/chat/index.ts';
import { chatApi } from '#infra/gateway/apis.ts';
import { lambdaContext } from '#infra/local/runtime/lambdaContext.ts';
import { handlerOf } from '#shared/api/chain/chain.ts';
import { issueUserKey } from '#shared/api/chat/userKey.ts';
import { routeOf } from '#test/support/gatewayEvents.ts';
import { newWebhook } from '#test/support/tenants.ts';

export type OperationName = keyof typeof chat;

export const operationNamed = (name: OperationName) => chatApi.operations.find(operation => operation.name === name)!;

export interface Input {
  webhookId: string;
  key?: string;
  path?: string[];
  query?: Record<string, string>;
  body?: unknown;
}

/** The body is in base 64, because the API declares every media type as binary. */
export function proxyEvent(name: OperationName, { webhookId, key, path = [], query, body }: Input) {
  const operation = operationNamed(name);
  const event: Partial<APIGatewayProxyEvent> = {
    ...routeOf(operation, [webhookId, ...path]),
    httpMethod: operation.method,
    headers: { 'content-type': 'application/json', ...(key === undefined ? {} : { 'x-user-key': key }) },
    queryStringParameters: query ?? null,
    requestContext: { requestId: randomUUID(), identity: { sourceIp: '127.0.0.1' } } as never,
    body: body === undefined ? null : Buffer.from(JSON.stringify(body)).toString('base64'),
    isBase64Encoded: body !== undefined,
  };
  return event as APIGatewayProxyEvent;
}

/**
 * Calls an operation with its whole chain.
 * @returns the parsed body
 */
export async function call(name: OperationName, input: Input) {
  const answer = await handlerOf(operationNamed(name))(proxyEvent(name, input), lambdaContext(name, 29_000));
  if (answer.statusCode >= 300) throw new Error(`${name} answered ${answer.statusCode} ${answer.body}`);
  return JSON.parse(answer.body);
}

/** A tenant whose only user owns a conversation of twenty messages: one page. */
export async function seedConversation() {
  const webhook = await newWebhook();
  const { webhookId, botId } = webhook;
  const key = issueUserKey(webhook, { id: 'demo-user', generation: '0000000demo' });
  await call('getOrCreateUser', { webhookId, key, body: { name: 'Ada' } });
  const { conversation } = await call('createConversation', { webhookId, key, body: {} });
  const conversationId: string = conversation.id;
  let messageId = '';
  for (let i = 0; i < 20; i++) {
    const { message } = await call('createMessage', { webhookId, key, body: textMessage(conversationId) });
    messageId = message.id;
  }
  return { webhookId, botId, key, conversationId, messageId };
}

export const textMessage = (conversationId: string) => ({
  conversationId,
  payload: { type: 'text', text: 'Hello, is anybody there? My parcel has not come, and it was to be here on Tuesday.' },
});
