/** Section `warm`: the CPU of a request outside the SDK, once the code is compiled. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { lambdaContext } from '#infra/local/runtime/lambdaContext.ts';
import { handlerOf } from '#shared/api/chain/chain.ts';
import { issueUserKey } from '#shared/api/chat/userKey.ts';
import { findWebhook } from '#shared/storage/dynamodb/chat/webhooks.ts';
import { documents } from '#shared/storage/dynamodb/engine/client.ts';
import { isParticipantKey } from '#shared/storage/dynamodb/keys/chat.ts';
import type { Key } from '#shared/storage/dynamodb/keys/table.ts';
import * as bare from './bare/createMessage.ts';
import { botEvent, botMessage, botOperationNamed, seedBot } from './bot.ts';
import { operationNamed, proxyEvent, seedConversation, textMessage } from './calls.ts';
import { atMost, type Section, times, verdict } from './report.ts';
import { median, medianInterval, shuffled } from './statistics.ts';

const BATCHES = 40;
const WARM_UP_BATCHES = 10;
const CALLS = 1_000;

/** Multiple of the floor's CPU time. */
const BUDGET = 2.5;

export async function measure(): Promise<Section> {
  const { key, webhookId, conversationId } = await seedConversation();
  const bot = await seedBot();
  const botSays = botEvent('createMessage', bot, { body: botMessage(bot.botId, bot.conversationId) });
  const botCreateMessage = handlerOf(botOperationNamed('createMessage'));
  const body = textMessage(conversationId);
  const event = proxyEvent('createMessage', { webhookId, key, body });
  const webhook = (await findWebhook(webhookId))!;
  // More users than a function caches, so that each key is verified again.
  const strangers = await Promise.all(
    Array.from({ length: CALLS }, async (_, i) =>
      proxyEvent('createMessage', {
        webhookId,
        key: issueUserKey(webhook, { id: `stranger-${i}`, generation: 'bench' }),
        body,
      }),
    ),
  );

  const createMessage = handlerOf(operationNamed('createMessage'));
  const context = lambdaContext('createMessage', 24 * 3_600_000);
  const bareEvent = { ...event, body: JSON.stringify(body), isBase64Encoded: false };
  const variants = [
    { name: 'bare', call: () => bare.handler({ ...bareEvent }) },
    // The chain modifies its event.
    { name: 'createMessage', call: () => createMessage({ ...event }, context), budget: BUDGET },
    {
      name: 'createMessage, key not seen before',
      call: (i: number) => createMessage({ ...(strangers[i] as APIGatewayProxyEvent) }, context),
    },
    { name: 'bot createMessage', call: () => botCreateMessage({ ...botSays }, context), budget: BUDGET },
    { name: 'for comparison: one PutItem of the SDK, without the network', call: sdkCall(body) },
  ].map(variant => ({ ...variant, tookUs: [] as number[] }));

  const restore = withoutSdk();
  await createMessage({ ...event }, context);
  try {
    for (let i = 0; i < WARM_UP_BATCHES + BATCHES; i++) {
      for (const { call, tookUs } of shuffled(variants)) {
        const us = await batchUs(call);
        if (i >= WARM_UP_BATCHES) tookUs.push(us);
      }
    }
  } finally {
    restore();
  }

  const floorUs = median(variants[0]!.tookUs);
  return {
    title: 'Warm CPU outside the SDK',
    measures: `CPU of one createMessage whose SDK calls return at once; medians of ${BATCHES} interleaved batches of ${CALLS} calls, with their 95 % interval.`,
    columns: ['function', 'µs', '95 %', '× bare', 'budget', ''],
    rows: variants.map(({ name, tookUs, budget }) => {
      const [low, high] = medianInterval(tookUs);
      const ratio = median(tookUs) / floorUs;
      return [
        name,
        median(tookUs).toFixed(1),
        `${low.toFixed(1)}–${high.toFixed(1)}`,
        times(ratio),
        ...(budget ? [atMost(budget), verdict(ratio <= budget)] : ['', '']),
      ];
    }),
    notes: ['CPU of the whole process, including the garbage collector in other threads.'],
  };
}

/**
 * Replaces the SDK's calls with immediate responses. A real one takes about 300 µs of CPU, many times the code around
 * it. Returns a function that restores them.
 */
function withoutSdk(): () => void {
  const sendReal = documents.send.bind(documents);
  const read = new Map<string, Promise<unknown>>();
  const send = (command: { input: { Key?: unknown; RequestItems?: unknown } }) => {
    const { Key, RequestItems } = command.input;
    if (!Key && !RequestItems) return Promise.resolve({});
    // Each item is read once. Every user gets the same participant.
    const name = isParticipantKey((Key as Key | undefined)?.sk ?? '')
      ? 'participant'
      : JSON.stringify(Key ?? RequestItems);
    const known = read.get(name) ?? sendReal(command as never);
    read.set(name, known);
    return known;
  };
  Object.assign(documents, { send });
  Object.assign(bare.documents, { send });
  return () => {
    for (const client of [documents, bare.documents]) delete (client as { send?: unknown }).send;
  };
}

/** Measures the SDK's own work for a call with an immediate response. */
function sdkCall(body: object) {
  const answer = () => ({
    statusCode: 200,
    headers: { 'content-type': 'application/x-amz-json-1.0' },
    body: Buffer.from('{}'),
  });
  const client = DynamoDBDocumentClient.from(
    new DynamoDBClient({ requestHandler: { handle: async () => ({ response: answer() }) } }),
  );
  const input = { TableName: 'bench', Item: { pk: 'conversation', sk: 'message', ...body } };
  return async () => {
    const { $metadata } = await client.send(new PutCommand(input));
    return { statusCode: $metadata.httpStatusCode === 200 ? 201 : 500, body: '' };
  };
}

async function batchUs(call: (i: number) => Promise<{ statusCode: number; body: string }>): Promise<number> {
  const before = process.cpuUsage();
  for (let i = 0; i < CALLS; i++) {
    const { statusCode, body } = await call(i);
    if (statusCode !== 201) throw new Error(`create message answered ${statusCode}: ${body}`);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / CALLS;
}
