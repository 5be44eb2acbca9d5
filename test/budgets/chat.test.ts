/**
 * Call budgets of the chat group: the DynamoDB calls and units of each operation when it is warm. An operation without a budget
 * does not compile. Read units are strongly consistent; write units of transactions are ignored, because DynamoDB Local counts
 * them wrongly.
 */

import { beforeAll, describe, expect, inject, it } from 'vitest';
import type * as chatOperations from '#functions/chat/index.ts';
import { type Api, chatApi } from '#infra/gateway/apis.ts';
import { gatewayPath } from '#infra/gateway/gatewayDocument.ts';
import { localCredentials } from '#infra/local/platform.ts';
import { lambdaContext } from '#infra/local/services/lambdaContext.ts';
import { newBucket } from '#infra/local/services/s3.ts';
import { ensureTable } from '#infra/local/services/table.ts';
import { handlerOf, type LambdaHandler } from '#shared/api/chain.ts';
import { signUserKey } from '#shared/api/chat/userKey.ts';
import { pathVariables } from '#shared/api/operation.ts';
import { CHECK_MS, PRESENCE_LOOKS, pauseAfter } from '#shared/chat/listen.ts';
import { findParticipantEventually } from '#shared/dynamodb/chat/participants.ts';
import { findPresence } from '#shared/dynamodb/chat/presence.ts';
import { entriesFrom } from '#shared/dynamodb/chat/timeline.ts';
import type { Webhook } from '#shared/dynamodb/chat/webhooks.ts';
import { environment, VARIABLES } from '#shared/environment.ts';
import { positionAt } from '#shared/ids.ts';
import { ownRegion } from '#test/support/ownRegion.ts';
import { seedMessages } from '#test/support/tableItems.ts';
import { newWebhook } from '#test/support/tenants.ts';
import { counted } from './counter.ts';

interface Budget {
  calls: number;
  readUnits?: number;
  writeUnits?: number;
  /** Reads that must run at the same time. */
  parallel?: number;
}

const BUDGETS: Record<keyof typeof chatOperations, Budget> = {
  hello: { calls: 0 },
  // The other units are the user's entries in the bot's lists by creation and by update.
  createUser: { calls: 1, writeUnits: 3 },
  getOrCreateUser: { calls: 1, readUnits: 1 },
  getUser: { calls: 1, readUnits: 1 },
  // The user's entry in the list by update is replaced.
  updateUser: { calls: 1, writeUnits: 4 },
  deleteUser: { calls: 2 },
  createConversation: { calls: 1 },
  getOrCreateConversation: { calls: 1, readUnits: 1 },
  getConversation: { calls: 1, readUnits: 1 },
  listConversations: { calls: 1, readUnits: 1 },
  deleteConversation: { calls: 3 },
  addParticipant: { calls: 4 },
  removeParticipant: { calls: 3 },
  getParticipant: { calls: 3, parallel: 3 },
  listParticipants: { calls: 3, parallel: 2 },
  createMessage: { calls: 2, readUnits: 1, writeUnits: 1 },
  getMessage: { calls: 2, readUnits: 2, parallel: 2 },
  listMessages: { calls: 2, readUnits: 2, parallel: 2 },
  deleteMessage: { calls: 3, parallel: 2 },
  createEvent: { calls: 2, readUnits: 1, writeUnits: 1 },
  getEvent: { calls: 2, readUnits: 2, parallel: 2 },
  // Until the stream begins.
  listenConversation: { calls: 1, readUnits: 1 },
  showTyping: { calls: 2, readUnits: 1, writeUnits: 1 },
  markRead: { calls: 3, readUnits: 2, parallel: 2 },
};

type Input = Record<string, unknown>;

const handlers = new Map<string, LambdaHandler>(chatApi.operations.map(each => [each.name, handlerOf(each)]));
let key: string;
let webhookId: string;
let botId: string;

function useWebhook(webhook: Webhook): void {
  ({ webhookId, botId } = webhook);
  key = signUserKey(webhook, 'demo-user');
}

/** Calls an operation with its whole chain, but without the gateway: only the operation's own calls are counted. */
async function ask(name: keyof typeof chatOperations, input: Input = {}, { key: by = key } = {}) {
  const operation = chatApi.operations.find(each => each.name === name)!;
  const variables = pathVariables(operation.path);
  const gatewayNames = pathVariables(gatewayPath(chatApi as Api, operation.path));
  const body = Object.fromEntries(
    Object.entries(input).filter(([field]) => !variables.includes(field) && field !== 'nextToken'),
  );
  const { statusCode, body: answer } = await handlers.get(name)!(
    {
      httpMethod: operation.method,
      headers: { 'x-user-key': by, 'content-type': 'application/json' },
      pathParameters: Object.fromEntries([
        [gatewayNames[0], webhookId],
        ...variables.map((variable, i) => [gatewayNames[i + 1], input[variable]]),
      ]),
      queryStringParameters: input.nextToken ? { nextToken: input.nextToken } : null,
      body: JSON.stringify(body),
      isBase64Encoded: false,
      requestContext: { requestId: 'r', identity: { sourceIp: '127.0.0.1' } },
    } as never,
    lambdaContext(name, 29_000),
  );
  expect(operation.statuses, answer).toContain(statusCode);
  return answer === '' ? undefined : JSON.parse(answer);
}

beforeAll(async () => {
  Object.assign(process.env, localCredentials(ownRegion()), {
    AWS_ENDPOINT_URL_DYNAMODB: inject('dynamodbEndpoint'),
    AWS_ENDPOINT_URL_S3: inject('s3Endpoint'),
    [VARIABLES.tableName]: `budgets-${Date.now()}`,
    [VARIABLES.bucketName]: await newBucket(inject('s3Endpoint'), 'budgets'),
  });
  await ensureTable(inject('dynamodbEndpoint'), environment.tableName);
  useWebhook(await newWebhook());
  await ask('getOrCreateUser');
});

/** The input of each operation; the records it needs are created first. */
const INPUTS: Record<keyof typeof chatOperations, () => Promise<Input>> = {
  hello: async () => ({}),
  createUser: async () => ({ name: 'Ada' }),
  getOrCreateUser: async () => ({}),
  getUser: async () => ({}),
  updateUser: async () => ({ name: 'Ada' }),
  deleteUser: async () => ({}),
  createConversation: async () => ({}),
  getOrCreateConversation: async () => ({ id: await newConversation() }),
  getConversation: async () => ({ id: await newConversation() }),
  listConversations: async () => ({}),
  deleteConversation: async () => ({ id: await newConversation() }),
  addParticipant: async () => ({ conversationId: await newConversation(), userId: (await ask('createUser')).user.id }),
  removeParticipant: () => guestOf(),
  getParticipant: () => guestOf(),
  listParticipants: () => guestOf(),
  createMessage: async () => ({
    conversationId: await newConversation(),
    payload: { type: 'text', text: 'x'.repeat(700) },
  }),
  getMessage: async () => ({ id: (await said()).message.id }),
  listMessages: async () => ({ conversationId: (await said()).message.conversationId }),
  deleteMessage: async () => ({ id: (await said()).message.id }),
  createEvent: async () => ({ conversationId: await newConversation(), payload: { a: 'x'.repeat(700) } }),
  getEvent: async () => ({
    id: (await ask('createEvent', { conversationId: await newConversation(), payload: {} })).event.id,
  }),
  listenConversation: async () => ({ id: await newConversation() }),
  showTyping: async () => ({ id: await newConversation(), isTyping: true }),
  markRead: async () => {
    const { id, conversationId } = (await said()).message;
    return { id: conversationId, messageId: id };
  },
};

const newConversation = async () => (await ask('createConversation')).conversation.id;
const said = async () =>
  ask('createMessage', { conversationId: await newConversation(), payload: { type: 'text', text: 't' } });
async function guestOf(): Promise<Input> {
  const [conversationId, { user }] = [await newConversation(), await ask('createUser')];
  await ask('addParticipant', { conversationId, userId: user.id });
  return { conversationId, userId: user.id };
}

describe('a warm call', () => {
  // Last, because it deletes the caller.
  const names = chatApi.operations.map(({ name }) => name as keyof typeof chatOperations);
  it.each([...names.filter(name => name !== 'deleteUser'), 'deleteUser' as const])(
    'of %s stays within its budget',
    async name => {
      const input = await INPUTS[name]();
      const { calls, readUnits = Number.POSITIVE_INFINITY, writeUnits, parallel = Math.min(calls, 1) } = BUDGETS[name];

      const count = await counted(() => ask(name, input));

      expect(count.calls).toBeLessThanOrEqual(calls);
      expect(count.readUnits).toBeLessThanOrEqual(readUnits);
      if (writeUnits !== undefined) expect(count.writeUnits).toBeLessThanOrEqual(writeUnits);
      expect(count.peak).toBeGreaterThanOrEqual(parallel);
      if (name === 'deleteUser') await ask('getOrCreateUser');
    },
  );

  it('of a get-or-create that creates its record costs one conditional write more', async () => {
    const conversation = await counted(() => ask('getOrCreateConversation', { id: 'new' }));

    expect(conversation.calls).toBe(2);
  });

  it('reads the webhook only once per function', async () => {
    useWebhook(await newWebhook());
    await ask('getOrCreateUser');

    const calls = [];
    for (let i = 0; i < 3; i++) calls.push((await counted(() => ask('getUser'))).calls);
    expect(calls).toEqual([1, 1, 1]);
  });
});

describe('a page of messages', () => {
  it('costs the same among 3,000 messages as among 100, at the start and in the middle', async () => {
    const costs = [];
    for (const messages of [100, 3_000]) {
      const id = await newConversation();
      await seedMessages(botId, id, messages);
      let { meta } = await ask('listMessages', { conversationId: id });
      costs.push(await counted(() => ask('listMessages', { conversationId: id })));
      for (let page = 0; page < 2; page++)
        ({ meta } = await ask('listMessages', { conversationId: id, nextToken: meta.nextToken }));
      costs.push(await counted(() => ask('listMessages', { conversationId: id, nextToken: meta.nextToken })));
    }

    const [first, ...others] = costs.map(({ calls, readUnits }) => ({ calls, readUnits }));
    expect(first).toEqual({ calls: 2, readUnits: 2 });
    for (const other of others) expect(other).toEqual(first);
  });
});

describe('an idle listener', () => {
  it('reads at most 2 half units a second', async () => {
    const { conversationId, userId } = await guestOf();
    await ask('showTyping', { id: conversationId });

    const read = await counted(async () => {
      // Reads entries already heard: DynamoDB Local counts no units for an empty result, DynamoDB counts a minimum.
      const from = positionAt(Date.now() - 5_000);
      for await (const _ of entriesFrom(botId, conversationId as string, from, () => false));
    });
    const presence = await counted(() => findPresence(botId, conversationId as string));
    const check = await counted(() => findParticipantEventually(botId, conversationId as string, userId as string));

    expect(read).toMatchObject({ calls: 1, readUnits: 0.5 });
    expect(presence).toMatchObject({ calls: 1, readUnits: 0.5 });
    expect(check).toMatchObject({ calls: 1, readUnits: 0.5 });
    for (const quietMs of [5_000, 60_000, 600_000]) {
      const unitsPerRead = read.readUnits + presence.readUnits / PRESENCE_LOOKS;
      const unitsPerSecond = (1000 / pauseAfter(quietMs)) * unitsPerRead + (1000 / CHECK_MS) * check.readUnits;
      expect(unitsPerSecond).toBeLessThanOrEqual(1);
    }
  });
});
