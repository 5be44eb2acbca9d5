import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type * as botChat from '#functions/botChat/index.ts';
import type * as files from '#functions/files/index.ts';
import type * as tables from '#functions/tables/index.ts';
import { platformApi } from '#infra/gateway/apis.ts';
import { lambdaContext } from '#infra/local/runtime/lambdaContext.ts';
import { handlerOf } from '#shared/api/chain/chain.ts';
import type { Operation } from '#shared/api/operations/operations.ts';
import { bootstrap } from '#shared/domain/admin/workspaces/bootstrap.ts';
import { routeOf } from '#test/support/gatewayEvents.ts';

export type BotOperationName = keyof typeof botChat;

export type FileOperationName = keyof typeof files;
export type TableOperationName = keyof typeof tables;

export interface BenchBot {
  botId: string;
  token: string;
}

interface Input {
  path?: string[];
  query?: Record<string, string>;
  body?: unknown;
}

const operationIn = (group: string, name: string) =>
  platformApi.operations.find(each => each.group === group && each.name === name)!;

export const botOperationNamed = (name: BotOperationName) => operationIn('botChat', name);

/** Returns the event that API Gateway sends to a function. */
const eventOf = (operation: Operation, headers: Record<string, string>, { path = [], query = {}, body }: Input) =>
  ({
    ...routeOf(operation, path),
    multiValueQueryStringParameters: Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value]])),
    httpMethod: operation.method,
    headers: { 'content-type': 'application/json', ...headers },
    requestContext: { requestId: randomUUID(), identity: { sourceIp: '127.0.0.1' } },
    body: body === undefined ? null : Buffer.from(JSON.stringify(body)).toString('base64'),
    isBase64Encoded: body !== undefined,
  }) as unknown as APIGatewayProxyEvent;

export const botEvent = (name: BotOperationName, { botId, token }: BenchBot, input: Input) =>
  eventOf(botOperationNamed(name), { authorization: `Bearer ${token}`, 'x-bot-id': botId }, input);

export const fileEvent = (name: FileOperationName, { botId, token }: BenchBot, input: Input) =>
  eventOf(operationIn('files', name), { authorization: `Bearer ${token}`, 'x-bot-id': botId }, input);

export const tableEvent = (name: TableOperationName, { botId, token }: BenchBot, input: Input) =>
  eventOf(operationIn('tables', name), { authorization: `Bearer ${token}`, 'x-bot-id': botId }, input);

async function call(group: string, name: string, event: APIGatewayProxyEvent) {
  const answer = await handlerOf(operationIn(group, name))(event, lambdaContext(name, 29_000));
  if (answer.statusCode >= 300) throw new Error(`${name} answered ${answer.statusCode} ${answer.body}`);
  return JSON.parse(answer.body);
}

/** The tags of {@link seedBot}'s conversation. */
export const CONVERSATION = { channel: 'channel', tags: { 'chat:id': 'bench' } };

/** The file of {@link seedBot}, whose content is never uploaded. */
export const FILE = { key: 'manuals/kettle.txt', size: 5 };

/** The table of {@link seedBot}, and a row of it. */
export const PEOPLE = { name: 'peopleTable', schema: { name: 'Ada', age: 36 } };
export const PERSON = { name: 'Ada', age: 36 };

/** A bot with a used key, a conversation, a file and a table. */
export async function seedBot(): Promise<BenchBot & { conversationId: string }> {
  const { workspaceId, token: owner } = await bootstrap(`${randomUUID()}@example.com`, 'Bench', {
    isTokenWanted: true,
  });
  const headers = { authorization: `Bearer ${owner}`, 'x-workspace-id': workspaceId };
  const callAdmin = (name: string, body: unknown) =>
    call('admin', name, eventOf(operationIn('admin', name), headers, { body }));
  const { bot } = await callAdmin('createBot', { name: 'Bench' });
  const { value } = await callAdmin('createBotApiKey', { botId: bot.id });
  const own = { botId: bot.id as string, token: value as string };
  const name = 'getOrCreateConversation';
  const { conversation } = await call('botChat', name, botEvent(name, own, { body: CONVERSATION }));
  await call('files', 'upsertFile', fileEvent('upsertFile', own, { body: FILE }));
  await call('tables', 'createTable', tableEvent('createTable', own, { body: PEOPLE }));
  const rows = { path: [PEOPLE.name], body: { rows: [PERSON] } };
  await call('tables', 'createTableRows', tableEvent('createTableRows', own, rows));
  return { ...own, conversationId: conversation.id };
}

export const botMessage = (botId: string, conversationId: string) => ({
  conversationId,
  userId: botId,
  type: 'text',
  payload: { text: 'Hello, I am here. Your parcel has left the house, and will be with you on Wednesday.' },
  tags: {},
});
