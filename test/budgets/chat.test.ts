/**
 * Call budgets of the chat group: the DynamoDB calls and units of each operation when it is warm. The operations'
 * references declare the budgets. Read units are strongly consistent; write units of transactions are ignored, because
 * DynamoDB Local counts them wrongly.
 */

import { beforeAll, describe, expect, inject, it } from 'vitest';
import { chatApi } from '#infra/gateway/apis.ts';
import { localCredentials } from '#infra/local/localPlatform.ts';
import { lambdaContext } from '#infra/local/runtime/lambdaContext.ts';
import { ensureTable } from '#infra/local/services/ensureTable.ts';
import { newBucket } from '#infra/local/services/s3.ts';
import { handlerOf, type LambdaHandler } from '#shared/api/chain/chain.ts';
import { adminSecretHash } from '#shared/api/chat/adminSecret.ts';
import { issueUserKey } from '#shared/api/chat/userKey.ts';
import { clock } from '#shared/core/clock.ts';
import { environment, VARIABLES } from '#shared/core/environment.ts';
import { positionAt } from '#shared/core/ids.ts';
import { checkAfter, PRESENCE_POLLS, pauseAfter } from '#shared/domain/chat/listenPace.ts';
import { findParticipantsEventually } from '#shared/storage/dynamodb/chat/participants.ts';
import { findPresence } from '#shared/storage/dynamodb/chat/presence.ts';
import { entriesFrom } from '#shared/storage/dynamodb/chat/timeline.ts';
import type { Webhook } from '#shared/storage/dynamodb/chat/webhooks.ts';
import { routeOf } from '#test/support/gatewayEvents.ts';
import { putClosedHandoff } from '#test/support/handoffs.ts';
import { ownRegion } from '#test/support/ownRegion.ts';
import {
  ADMIN_SECRET,
  CHAT_REQUESTS,
  type ChatOperationName,
  type ChatRecords,
  type ChatRequest,
} from '#test/support/requests/chat.ts';
import { seedMessages } from '#test/support/tableItems.ts';
import { newWebhook } from '#test/support/tenants.ts';
import { counted } from './counter.ts';
import { expectWithinBudget } from './expectWithinBudget.ts';

const handlers = new Map<string, LambdaHandler>(chatApi.operations.map(each => [each.name, handlerOf(each)]));
let key: string;
let webhookId: string;
let botId: string;

function useWebhook(webhook: Webhook): void {
  ({ webhookId, botId } = webhook);
  key = issueUserKey(webhook, { id: 'demo-user', generation: '0000000demo', idBy: 'owner' });
}

/** Calls an operation with its whole chain. Bypasses the gateway, so that only the operation's calls are counted. */
async function callOperation(name: ChatOperationName, { path, body = {}, headers = {} }: ChatRequest) {
  const operation = chatApi.operations.find(each => each.name === name)!;
  const [given = '', query = ''] = path.split('?');
  const values = given.split('/').filter((_, i) => operation.path.split('/')[i]?.startsWith('{'));
  const { statusCode, body: answer } = await handlers.get(name)!(
    {
      ...routeOf(operation, [webhookId, ...values]),
      httpMethod: operation.method,
      headers: { 'x-user-key': key, 'content-type': 'application/json', ...headers },
      queryStringParameters: query === '' ? null : Object.fromEntries(new URLSearchParams(query)),
      body: JSON.stringify(body),
      isBase64Encoded: false,
      requestContext: { requestId: 'r', identity: { sourceIp: '127.0.0.1' } },
    } as never,
    lambdaContext(name, 29_000),
  );
  expect(operation.statuses, answer).toContain(statusCode);
  return answer === '' ? undefined : JSON.parse(answer);
}

/** Sends the request that all tests share. */
const send = (name: ChatOperationName, records: Partial<ChatRecords> = {}) =>
  callOperation(name, CHAT_REQUESTS[name](records as ChatRecords));

beforeAll(async () => {
  Object.assign(process.env, localCredentials(ownRegion()), {
    AWS_ENDPOINT_URL_DYNAMODB: inject('dynamodbEndpoint'),
    AWS_ENDPOINT_URL_S3: inject('s3Endpoint'),
    [VARIABLES.tableName]: `budgets-${clock.now()}`,
    [VARIABLES.apiBaseUrl]: 'https://api.example.com',
    [VARIABLES.openWorkLimits]: '{}',
    [VARIABLES.bucketName]: await newBucket(inject('s3Endpoint'), 'budgets'),
  });
  await ensureTable(inject('dynamodbEndpoint'), environment.tableName);
  useWebhook(await newWebhook({ adminSecretHash: adminSecretHash(ADMIN_SECRET) }));
  await send('getOrCreateUser');
  await send('getOrCreateCurrentConversation');
});

const newConversation = async (): Promise<string> => (await send('createConversation')).conversation.id;

/** Creates a conversation with another participant, a message and an event of the caller. */
async function newRecords(): Promise<ChatRecords> {
  const conversation = await newConversation();
  const participant: string = (await send('createUser')).user.id;
  const bystander: string = (await send('createUser')).user.id;
  await send('addParticipant', { conversation, bystander: participant });
  const { message } = await send('createMessage', { conversation });
  const { event } = await send('createEvent', { conversation });
  await putClosedHandoff(botId, conversation);
  return { conversation, participant, bystander, message: message.id, event: event.id };
}

/** Requests specific to this test: a lookup that finds its record, and contents that nearly fill a unit. */
const REQUESTS: typeof CHAT_REQUESTS = {
  ...CHAT_REQUESTS,
  getOrCreateConversation: ({ conversation }) => ({ path: '/conversations/get-or-create', body: { id: conversation } }),
  createMessage: ({ conversation }) => ({
    path: '/messages',
    body: { conversationId: conversation, payload: { type: 'text', text: 'x'.repeat(700) } },
  }),
  createEvent: ({ conversation }) => ({
    path: '/events',
    body: { conversationId: conversation, payload: { a: 'x'.repeat(700) } },
  }),
};

describe('a warm call', () => {
  // Last, because it deletes the caller.
  const names = chatApi.operations.map(({ name }) => name as ChatOperationName);
  it.each([...names.filter(name => name !== 'deleteUser'), 'deleteUser' as const])(
    'stays within the budget of %s',
    async name => {
      if (name === 'deleteUser') {
        // A user with few conversations, which are read in batches.
        useWebhook(await newWebhook());
        await send('getOrCreateUser');
      }
      const request = REQUESTS[name](await newRecords());

      const count = await counted(() => callOperation(name, request));

      expectWithinBudget({ group: 'chat', name }, count);
      if (name === 'deleteUser') await send('getOrCreateUser');
    },
  );

  it('costs one read and one conditional write for a get-or-create of a new record', async () => {
    const conversation = await counted(() => send('getOrCreateConversation'));

    expect(conversation.calls).toBe(2);
  });

  it('reads the webhook only once per function', async () => {
    useWebhook(await newWebhook());
    await send('getOrCreateUser');

    const calls = [];
    for (let i = 0; i < 3; i++) calls.push((await counted(() => send('getUser'))).calls);
    expect(calls).toEqual([1, 1, 1]);
  });
});

describe('a page of messages', () => {
  it('costs the same among 3,000 messages as among 100, at the start and in the middle', async () => {
    const costs = [];
    for (const messages of [100, 3_000]) {
      const id = await newConversation();
      await seedMessages(botId, id, messages);
      const page = (token?: string) => {
        const { path } = CHAT_REQUESTS.listMessages({ conversation: id } as ChatRecords);
        return callOperation('listMessages', {
          path: token === undefined ? path : `${path}?${new URLSearchParams({ nextToken: token })}`,
        });
      };
      let { meta } = await page();
      costs.push(await counted(() => page()));
      for (let i = 0; i < 2; i++) ({ meta } = await page(meta.nextToken));
      costs.push(await counted(() => page(meta.nextToken)));
    }

    const [first, ...others] = costs.map(({ calls, readUnits }) => ({ calls, readUnits }));
    expect(first).toEqual({ calls: 2, readUnits: 2 });
    for (const other of others) expect(other).toEqual(first);
  });
});

describe('a conversation in which listeners wait', () => {
  const MINUTE_MS = 60_000;

  it('costs at most 5 half units a second for any number of listeners, and 2 after minutes of silence', async () => {
    const { conversation, participant } = await newRecords();
    await send('showTyping', { conversation });

    const read = await counted(async () => {
      // Re-reads entries, because DynamoDB Local counts no units for an empty result, while DynamoDB counts a minimum.
      const from = positionAt(clock.now() - 5_000);
      for await (const _ of entriesFrom(botId, conversation, from, { isNew: () => false }));
    });
    const presence = await counted(() => findPresence(botId, conversation));
    const check = await counted(() => findParticipantsEventually(botId, conversation, [participant]));

    for (const each of [read, presence, check]) expect(each).toMatchObject({ calls: 1, readUnits: 0.5 });
    const unitsPerSecond = (quietMs: number, listeners: number) =>
      (1000 / pauseAfter(quietMs)) * (read.readUnits + presence.readUnits / PRESENCE_POLLS) +
      (1000 / checkAfter(listeners)) * listeners * check.readUnits;
    for (const listeners of [1, 2, 3, 10, 100]) {
      for (const quietMs of [5_000, MINUTE_MS, 4 * MINUTE_MS]) {
        expect(unitsPerSecond(quietMs, listeners)).toBeLessThanOrEqual(2.5);
      }
      expect(unitsPerSecond(10 * MINUTE_MS, listeners)).toBeLessThanOrEqual(1);
    }
  });

  it('is polled often enough to deliver the first message within 150 ms at the median', () => {
    expect(pauseAfter(4 * MINUTE_MS) / 2).toBeLessThanOrEqual(130);
  });
});
