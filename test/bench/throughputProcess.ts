/**
 * A server process for `throughput.ts`: `node throughputProcess.ts <kind>`, with a function's environment. It sends its
 * URL to its parent, and exits with it.
 */
import { setImmediate } from 'node:timers/promises';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { preflight } from '#functions/preflight.ts';
import { chatApi } from '#infra/gateway/apis.ts';
import { gatewayDocument, PREFLIGHT } from '#infra/gateway/gatewayDocument.ts';
import { startPlatform } from '#infra/local/localPlatform.ts';
import { localIntegration, startGateway } from '#infra/local/services/apiGateway.ts';
import { ensureTable } from '#infra/local/services/ensureTable.ts';
import { handlerOf, type LambdaHandler } from '#shared/api/chain/chain.ts';
import { issueUserKey } from '#shared/api/chat/userKey.ts';
import { functionNameOf } from '#shared/api/operation.ts';
import { environment } from '#shared/core/environment.ts';
import { newWebhook } from '#test/support/tenants.ts';
import { getAndPut } from './bare/getAndPut.ts';
import { newMessageItem, ownParticipantKey } from './items.ts';

export interface Listening {
  webhookId: string;
  botId: string;
  /** `{chat_base_url}/{webhookUrl}` */
  chatUrl: string;
  userKey: string;
}

/** Response to `memory`, after a garbage collection: see `idleListeners.ts`. */
export interface Memory {
  heapBytes: number;
  residentBytes: number;
}

type Start = (dynamodbEndpoint: string) => Promise<{ chatBaseUrl: string }>;

const servers: Record<string, Start> = {
  /** The whole local platform, consumers included. */
  platform: dynamodbEndpoint =>
    startPlatform({
      port: 0,
      dynamodbEndpoint,
      s3Endpoint: process.env.AWS_ENDPOINT_URL_S3!,
      tableName: environment.tableName,
      bucketName: environment.bucketName,
    }),
  /** The gateway without the consumers, which run in other processes on AWS. */
  gateway: dynamodbEndpoint => chatGateway(dynamodbEndpoint, {}),
  /** The floor, behind the same gateway. */
  bareGateway: dynamodbEndpoint => chatGateway(dynamodbEndpoint, { 'chat-createMessage': bareCreateMessage }),
};

async function chatGateway(dynamodbEndpoint: string, instead: Record<string, LambdaHandler>) {
  await ensureTable(dynamodbEndpoint, environment.tableName);
  const handlers: Record<string, LambdaHandler> = {
    [PREFLIGHT]: preflight,
    ...Object.fromEntries(chatApi.operations.map(operation => [functionNameOf(operation), handlerOf(operation)])),
    ...instead,
  };
  const document = gatewayDocument(chatApi, localIntegration);
  const { endpoint } = await startGateway([{ basePath: '/chat', document, handlerOf: name => handlers[name]! }], 0);
  return { chatBaseUrl: `${endpoint}/chat` };
}

async function bareCreateMessage(event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> {
  const { conversationId, payload } = JSON.parse(Buffer.from(event.body!, 'base64').toString());
  const place = { webhookId, botId, conversationId };
  const item = newMessageItem(place, payload);
  await getAndPut(ownParticipantKey(place), item);
  return {
    statusCode: 201,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message: { id: item.sk, payload, conversationId } }),
  };
}

const COLLECTIONS = 5;
process.once('disconnect', () => process.exit());
process.on('message', async () => {
  // An object with a finalizer is freed by the second collection.
  for (let i = 0; i < COLLECTIONS; i++) {
    globalThis.gc?.();
    await setImmediate();
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  process.send!({ heapBytes: heapUsed + external, residentBytes: rss } satisfies Memory);
});
const { chatBaseUrl } = await servers[process.argv[2]!]!(process.env.AWS_ENDPOINT_URL_DYNAMODB!);
const webhook = await newWebhook();
const { webhookId, botId } = webhook;
const userKey = issueUserKey(webhook, { id: 'demo-user', generation: '0000000demo' });
process.send!({ webhookId, botId, chatUrl: `${chatBaseUrl}/${webhookId}`, userKey } satisfies Listening);
