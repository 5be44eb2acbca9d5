/** Section `cold`: the time from the start of a process to its first response. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { EMBEDDER_LAYER } from '#infra/bundle/embedderLayer.ts';
import { localCredentials } from '#infra/local/localPlatform.ts';
import { EMBEDDING_VARIABLES } from '#shared/ai/embedders/embeddingChoice.ts';
import { VARIABLES } from '#shared/core/environment.ts';
import { bootstrap } from '#shared/domain/admin/workspaces/bootstrap.ts';
import {
  type BotOperationName,
  botEvent,
  botMessage,
  CONVERSATION,
  FILE,
  type FileOperationName,
  fileEvent,
  PEOPLE,
  PERSON,
  seedBot,
  type TableOperationName,
  tableEvent,
} from './bot.ts';
import { bundles } from './bundles.ts';
import {
  call,
  type Input,
  type OperationName,
  operationNamed,
  proxyEvent,
  seedConversation,
  textMessage,
} from './calls.ts';
import { atMost, type Section, times, verdict } from './report.ts';
import type { Services } from './services.ts';
import { median, medianInterval, shuffled } from './statistics.ts';
import { makeCertificate, startTlsProxy } from './tlsProxy.ts';

const RUNS = Number(process.env.BENCH_RUNS ?? 31);
const WARM_UP_RUNS = 2;

/** Budgets, as multiples of the floor. */
const CREATE_MESSAGE = { bare: 1.0, bareTuned: 1.15 };
const OTHERS = { bare: 1.2 };
const WITH_S3 = { bare: 1.4 };

/** Random bytes, 493 KB in base 64: too large for an item even when compressed. */
const BIG_BYTES = 370_000;

const BARE = 'bare';
const BARE_TUNED = 'bare, tuned';

interface Variant {
  name: string;
  bundle: string;
  event: APIGatewayProxyEvent;
  status: number;
  budget?: { bare: number; bareTuned?: number };
  variables?: Record<string, string>;
}

export async function measure(services: Services): Promise<Section> {
  const certificate = makeCertificate(services.directory);
  const dynamodb = await startTlsProxy(services.dynamodbEndpoint, certificate);
  const objects = await startTlsProxy(services.s3Endpoint, certificate);
  const environment = {
    ...localCredentials(),
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb.endpoint,
    AWS_ENDPOINT_URL_S3: objects.endpoint,
    NODE_EXTRA_CA_CERTS: certificate.certFile,
    // As in Lambda: no configuration files.
    HOME: services.directory,
    ...settings(),
    [VARIABLES.chatBaseUrl]: 'https://chat.example.com',
    [VARIABLES.apiBaseUrl]: 'https://api.example.com',
    // Resolves the embedder's layer as Lambda does.
    NODE_PATH: join(services.directory, 'functions', EMBEDDER_LAYER, 'nodejs/node_modules'),
  };

  const runs = (await variants(services)).map((variant, i) => ({
    variant,
    eventFile: join(services.directory, `event-${i}.json`),
    tookMs: [] as number[],
    cpuMs: [] as number[],
  }));
  try {
    await Promise.all(runs.map(({ variant, eventFile }) => writeFile(eventFile, JSON.stringify(variant.event))));
    for (let i = 0; i < WARM_UP_RUNS + RUNS; i++) {
      for (const { variant, eventFile, tookMs, cpuMs } of shuffled(runs)) {
        const answer = await firstAnswer(variant, eventFile, { ...environment, ...variant.variables });
        if (i < WARM_UP_RUNS) continue;
        tookMs.push(answer.tookMs);
        cpuMs.push(answer.cpuMs);
      }
    }
  } finally {
    dynamodb.stop();
    objects.stop();
  }

  const medianOf = (name: string) => median(runs.find(({ variant }) => variant.name === name)!.tookMs);
  return {
    title: 'Cold start',
    measures: `From the start of a process to its first response, DynamoDB and S3 behind TLS; medians of ${RUNS} interleaved runs, with their 95 % interval.`,
    columns: ['function', 'ms', '95 %', '× bare', '× bare, tuned', 'budget', '', 'CPU, ms'],
    rows: runs.map(({ variant, tookMs, cpuMs }) => {
      const [low, high] = medianInterval(tookMs);
      const ratios = { bare: median(tookMs) / medianOf(BARE), bareTuned: median(tookMs) / medianOf(BARE_TUNED) };
      return [
        variant.name,
        median(tookMs).toFixed(0),
        `${low.toFixed(0)}–${high.toFixed(0)}`,
        times(ratios.bare),
        times(ratios.bareTuned),
        ...judged(ratios, variant.budget),
        median(cpuMs).toFixed(0),
      ];
    }),
    notes: [
      'bare: one PutItem. bare, tuned: the same with the build settings of the platform.',
      'CPU: user and system time of all threads; steadier than wall time on a busy machine.',
      'Chat functions also read the webhook (cached when warm) and the participant; those with a token read the token.',
    ],
  };
}

const settings = () =>
  Object.fromEntries(
    Object.values(VARIABLES)
      .filter(name => name !== VARIABLES.rateLimits)
      .flatMap(name => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );

function judged(ratios: { bare: number; bareTuned: number }, budget: Variant['budget']): [string, string] {
  if (!budget) return ['', ''];
  const { bare, bareTuned = Number.POSITIVE_INFINITY } = budget;
  return [
    budget.bareTuned ? `${atMost(bare)}, tuned ${atMost(bareTuned)}` : atMost(bare),
    verdict(ratios.bare <= bare && ratios.bareTuned <= bareTuned),
  ];
}

async function variants({ directory }: Services): Promise<Variant[]> {
  const { bare, bareTuned, ours } = await bundles(directory);
  const { webhookId, key, conversationId, messageId } = await seedConversation();

  const text = textMessage(conversationId);
  // A separate conversation, so that a page of the first one contains small messages only.
  const otherConversationId = (await call('createConversation', { webhookId, key, body: {} })).conversation.id;
  const bigText = {
    conversationId: otherConversationId,
    payload: { type: 'text', text: randomBytes(BIG_BYTES).toString('base64') },
  };
  const { message } = await call('createMessage', { webhookId, key, body: bigText });
  const bareEvent = { body: JSON.stringify(text), isBase64Encoded: false } as APIGatewayProxyEvent;
  const own = (name: OperationName, input: Omit<Input, 'webhookId'>): Variant => ({
    name,
    bundle: ours.get(`chat-${name}`)!,
    event: proxyEvent(name, { webhookId, key, ...input }),
    status: operationNamed(name).statuses[0],
    budget: OTHERS,
  });
  // The first use of a token within an hour costs a write.
  const { workspaceId, token } = await bootstrap('bench@example.com', 'Bench');
  const admin = (name: string, httpMethod: string, status: number, body?: unknown): Variant => ({
    name: `admin ${name}`,
    bundle: ours.get(`admin-${name}`)!,
    event: {
      httpMethod,
      resource: '/v1/admin/bots',
      path: '/v1/admin/bots',
      headers: { authorization: `Bearer ${token}`, 'x-workspace-id': workspaceId },
      body: body === undefined ? null : JSON.stringify(body),
      requestContext: { requestId: 'r', identity: { sourceIp: '127.0.0.1' } },
    } as never,
    status,
    budget: OTHERS,
  });
  const bot = await seedBot();
  const ofBot = (name: BotOperationName, status: number, input: Parameters<typeof botEvent>[2]): Variant => ({
    name: `bot ${name}`,
    bundle: ours.get(`botChat-${name}`)!,
    event: botEvent(name, bot, input),
    status,
    budget: OTHERS,
  });
  const ofFiles = (name: FileOperationName, input: Parameters<typeof fileEvent>[2]): Variant => ({
    name: `files ${name}`,
    bundle: ours.get(`files-${name}`)!,
    event: fileEvent(name, bot, input),
    status: 200,
    // Signs URLs of the object store.
    budget: WITH_S3,
  });
  const ofTables = (name: TableOperationName, input: Parameters<typeof tableEvent>[2]): Variant => ({
    name: `tables ${name}`,
    bundle: ours.get(`tables-${name}`)!,
    event: tableEvent(name, bot, { path: [PEOPLE.name], ...input }),
    status: 200,
    budget: OTHERS,
  });
  return [
    { name: BARE, bundle: bare, event: bareEvent, status: 201 },
    { name: BARE_TUNED, bundle: bareTuned, event: bareEvent, status: 201 },
    { ...own('createMessage', { body: text }), budget: CREATE_MESSAGE },
    own('getMessage', { path: [messageId] }),
    own('listMessages', { path: [conversationId] }),
    own('createUser', { body: { name: 'Ada' } }),
    own('createConversation', { body: {} }),
    own('getUser', {}),
    own('hello', {}),
    admin('listBots', 'GET', 200),
    admin('createBot', 'POST', 201, { name: 'Support', tags: { team: 'care' } }),
    ofBot('createMessage', 201, { body: botMessage(bot.botId, bot.conversationId) }),
    ofBot('getOrCreateConversation', 200, { body: CONVERSATION }),
    ofBot('getConversation', 200, { path: [bot.conversationId] }),
    ofFiles('upsertFile', { body: FILE }),
    ofFiles('getFile', { path: [FILE.key] }),
    ...['local', 'hashing'].map(embeddings => ({
      name: `files searchFiles, ${embeddings}`,
      bundle: ours.get('files-searchFiles')!,
      event: fileEvent('searchFiles', bot, { query: { query: 'How do I get my money back?' } }),
      status: 200,
      variables: { [EMBEDDING_VARIABLES.embeddings]: embeddings },
    })),
    ofTables('findTableRows', { body: { filter: { age: { $gt: 30 } }, orderBy: 'name' } }),
    ofTables('createTableRows', { body: { rows: [PERSON] } }),
    ofTables('getTable', {}),
    { ...own('createMessage', { body: bigText }), name: 'createMessage, 500 KB into S3', budget: WITH_S3 },
    { ...own('getMessage', { path: [message.id] }), name: 'getMessage, 500 KB out of S3', budget: WITH_S3 },
  ];
}

/**
 * Starts a process and waits for its response.
 * @throws Error for an unexpected status
 */
async function firstAnswer({ name, bundle, status }: Variant, eventFile: string, env: NodeJS.ProcessEnv) {
  const startMs = performance.now();
  const child = spawn(process.execPath, [fileURLToPath(import.meta.resolve('./coldProcess.cjs')), bundle, eventFile], {
    env,
    stdio: ['ignore', 'ignore', 'inherit', 'pipe'],
  });
  const ended = once(child, 'exit');
  const [report] = await Promise.race([once(child.stdio[3] as Readable, 'data'), ended]);
  const tookMs = performance.now() - startMs;
  await ended;

  const { statusCode, cpuMs } = Buffer.isBuffer(report) ? JSON.parse(String(report)) : {};
  if (statusCode !== status) throw new Error(`${name} answered ${statusCode} instead of ${status}.`);
  return { tookMs, cpuMs: cpuMs as number };
}
