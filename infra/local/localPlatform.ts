/** Runs the platform in one process: gateway, operations, table stream, queues and uploads. */

import { join } from 'node:path';
import { absentOperation } from '#functions/absentOperation.ts';
import { apiRoot } from '#functions/apiRoot.ts';
import * as consumers from '#functions/events/index.ts';
import { guidePage } from '#functions/guidePage.ts';
import { health } from '#functions/health.ts';
import { jsonText } from '#functions/jsonText.ts';
import { preflight } from '#functions/preflight.ts';
import { connect } from '#functions/socket/connect.ts';
import { disconnect } from '#functions/socket/disconnect.ts';
import { staticFile } from '#functions/staticFile.ts';
import { accessOf, accessOfConsumer, accessOfRoute } from '#infra/bundle/functionAccess.ts';
import { API_ROOT, apis, chatApi, GUIDE_PAGE, platformApi, REFERENCE_PAGE, webhookApi } from '#infra/gateway/apis.ts';
import { COMPRESSED_FILES } from '#infra/gateway/compressedFiles.ts';
import { ABSENT, gatewayDocument, HEALTH, PREFLIGHT } from '#infra/gateway/gatewayDocument.ts';
import { GUIDE_HEADERS } from '#infra/gateway/guides/guideHeaders.ts';
import { compressedGuides } from '#infra/gateway/guides/guidePages.ts';
import { references } from '#infra/gateway/reference/referenceDocument.ts';
import { PAGE, PAGE_HEADERS } from '#infra/gateway/referencePage/page.ts';
import { functionsDirectory, modelsDirectory, streamFile } from '#infra/settings/stateDirectory.ts';
import { VERSION } from '#infra/settings/version.ts';
import { QUEUE_VARIABLES } from '#infra/stack/queueVariables.ts';
import { EMBEDDING_VARIABLES } from '#shared/ai/embedders/embeddingChoice.ts';
import { VECTOR_VARIABLES } from '#shared/ai/vectorStores/chooseVectorStore.ts';
import { type LambdaHandler, handlerOf as operationHandler } from '#shared/api/chain/chain.ts';
import { functionNameOf } from '#shared/api/operation.ts';
import type { SocketRoute } from '#shared/api/socket/socketRoute.ts';
import { VARIABLES } from '#shared/core/environment.ts';
import type { Consumer, QueueConsumer, ScheduleConsumer, StreamConsumer } from '#shared/events/consumers/consumer.ts';
import type { QueueName } from '#shared/storage/queues/queueSettings.ts';
import { LOCAL_KEY_ID, localSecret } from './services/access/localSecret.ts';
import { type CompletedRequest, localIntegration, startGateway } from './services/apiGateway.ts';
import { ensureTable } from './services/ensureTable.ts';
import type { Pages } from './services/gateway/servePages.ts';
import { logLateOutput } from './services/lambda/lateOutput.ts';
import { startLambda } from './services/lambda.ts';
import { watchUploads } from './services/s3Events.ts';
import { startScheduler } from './services/scheduler.ts';
import { type SocketRoutes, startSockets } from './services/sockets.ts';
import { startQueues } from './services/sqs.ts';
import { pollStream } from './services/streams.ts';
import { inRole } from './services/tableGuard.ts';
import { startWriteNotices } from './services/writeNotices.ts';

export interface Platform {
  chatBaseUrl: string;
  apiBaseUrl: string;
  /** `{webhook_base_url}` of this process. Responses may show a public one. */
  webhookBaseUrl: string;
  /** Resolves when earlier writes, uploads and the work they caused are processed. Ignores delayed jobs. */
  idle(): Promise<void>;
  useSealingKey(text: string): Promise<void>;
  /** Makes all delayed jobs ready, including retries. */
  hasten(): void;
  stop(): Promise<void>;
}

export interface PlatformOptions {
  port: number;
  dynamodbEndpoint: string;
  s3Endpoint: string;
  tableName: string;
  bucketName: string;
  region?: string;
  webhookBaseUrl?: string | undefined;
  /** Stores the stream position and queued messages, so that a restart resumes them. */
  stateDirectory?: string;
  onAnswer?: (request: CompletedRequest) => void;
  pages?: Pages | undefined;
}

/** Starts the platform. A process can run one, because its handlers read the environment once. */
export async function startPlatform(options: PlatformOptions): Promise<Platform> {
  const { dynamodbEndpoint, s3Endpoint, region, tableName, bucketName, stateDirectory } = options;
  const all = Object.values(consumers).map(runInRole);
  const queues = await startQueues(
    all.filter((consumer): consumer is QueueConsumer => 'queue' in consumer.trigger),
    stateDirectory && join(stateDirectory, 'queues.jsonl'),
  );
  // The port may change between restarts.
  const currentVariables = () => {
    const { [VARIABLES.apiBaseUrl]: url, [VARIABLES.webhookBaseUrl]: webhooks } = process.env;
    return (url && webhooks ? { BP_API_URL: url, BP_WEBHOOK_URL: webhooks } : {}) as Record<string, string>;
  };
  const functions = stateDirectory && functionsDirectory(stateDirectory);
  const lambda = await startLambda(functions, currentVariables, logLateOutput);
  const queueVariables = Object.entries(QUEUE_VARIABLES).map(([name, variable]) => [
    variable,
    queues.urlOf(name as QueueName),
  ]);
  Object.assign(process.env, localCredentials(region), Object.fromEntries(queueVariables), {
    AWS_ENDPOINT_URL_DYNAMODB: dynamodbEndpoint,
    AWS_ENDPOINT_URL_S3: s3Endpoint,
    AWS_ENDPOINT_URL_SQS: queues.endpoint,
    AWS_ENDPOINT_URL_LAMBDA: lambda.endpoint,
    [VARIABLES.codePrefix]: 'parley-',
    // Local functions assume no role.
    [VARIABLES.codeRoleArn]: 'arn:aws:iam::000000000000:role/code',
    [VARIABLES.tableName]: tableName,
    [VARIABLES.bucketName]: bucketName,
    ...(stateDirectory ? { [VECTOR_VARIABLES.directory]: join(stateDirectory, 'vectors') } : {}),
    [EMBEDDING_VARIABLES.models]: process.env[EMBEDDING_VARIABLES.models] ?? modelsDirectory,
    // Bots under development run locally too.
    [VARIABLES.privateEndpoints]: process.env[VARIABLES.privateEndpoints] ?? 'true',
  });

  const streamArn = await ensureTable(dynamodbEndpoint, tableName);
  const stream = await pollStream(
    dynamodbEndpoint,
    streamArn,
    all.filter((consumer): consumer is StreamConsumer => 'stream' in consumer.trigger),
    stateDirectory && streamFile(stateDirectory),
  );
  const uploads = await watchUploads(s3Endpoint, bucketName);
  queues.resume();
  const scheduler = startScheduler(
    all.filter(
      (consumer): consumer is ScheduleConsumer => 'everyMinutes' in consumer.trigger && !('isOptional' in consumer),
    ),
  );

  const stopWriteNotices = startWriteNotices(() => stream.wake());
  const sockets = await startSockets(socketRoutes(), options.onAnswer);
  process.env[VARIABLES.socketEndpoint] = sockets.endpoint;
  const handlers = functionHandlers();
  const handlerOf = (name: string) => handlers.get(name)!;
  const gateway = await startGateway(
    [
      { basePath: '/chat', host: 'chat', document: gatewayDocument(chatApi, localIntegration), handlerOf },
      { basePath: '/webhook', host: 'webhook', document: gatewayDocument(webhookApi, localIntegration), handlerOf },
      { basePath: '', document: gatewayDocument(platformApi, localIntegration), handlerOf },
    ],
    options.port,
    options.onAnswer,
    options.pages,
    sockets,
  );
  const chatBaseUrl = `${gateway.endpoint}/chat`;
  const apiBaseUrl = gateway.endpoint;
  const webhookBaseUrl = `${gateway.endpoint}/webhook`;
  Object.assign(process.env, {
    [VARIABLES.chatBaseUrl]: chatBaseUrl,
    [VARIABLES.chatOrigins]: [gateway.endpoint, gateway.endpoint.replace('127.0.0.1', 'localhost')].join(','),
    [VARIABLES.apiBaseUrl]: apiBaseUrl,
    [VARIABLES.webhookBaseUrl]: options.webhookBaseUrl ?? webhookBaseUrl,
    ...(options.pages ? { [VARIABLES.consoleUrl]: `${apiBaseUrl}${options.pages.basePath}/` } : {}),
    [VARIABLES.mediaOrigins]: [apiBaseUrl, options.s3Endpoint].join(','),
  });

  return {
    chatBaseUrl,
    apiBaseUrl,
    webhookBaseUrl,
    idle: async () => {
      const activity = () => stream.activity() + queues.activity();
      // Processing in one service may enqueue work in another.
      for (let before = -1; before !== activity(); ) {
        before = activity();
        await scheduler.idle();
        await uploads.idle();
        await stream.idle();
        await queues.idle();
      }
    },
    useSealingKey: async text => {
      process.env[VARIABLES.sealingKey] = text;
      await lambda.reseal();
    },
    hasten: queues.hasten,
    stop: async () => {
      await sockets.stop();
      await gateway.stop();
      stopWriteNotices();
      await scheduler.stop();
      await uploads.stop();
      await stream.stop();
      await queues.stop();
      await lambda.stop();
    },
  };
}

const functionHandlers = () =>
  new Map<string, LambdaHandler>([
    [PREFLIGHT, preflight],
    [HEALTH, health],
    [API_ROOT, apiRoot(VERSION)],
    [ABSENT, absentOperation],
    ...references.map(({ functionName, text }): [string, LambdaHandler] => [functionName, jsonText(text)]),
    [REFERENCE_PAGE, staticFile({ headers: PAGE_HEADERS, body: PAGE })],
    [GUIDE_PAGE, guidePage({ headers: GUIDE_HEADERS, pages: compressedGuides })],
    ...COMPRESSED_FILES.map(({ functionName, headers, body }): [string, LambdaHandler] => [
      functionName,
      () => staticFile({ headers, body: body(), isBase64Encoded: true })(),
    ]),
    ...apis
      .flatMap(({ operations }) => operations)
      .map((operation): [string, LambdaHandler] => {
        const name = functionNameOf(operation);
        return [name, inRole(name, accessOf(operation), operationHandler(operation))];
      }),
  ]);

const socketRoutes = (): SocketRoutes => {
  const inRoleOf = (route: SocketRoute) => inRole(functionNameOf(route), accessOfRoute(route), route.handle);
  return { connect: inRoleOf(connect), disconnect: inRoleOf(disconnect) };
};

const runInRole = (consumer: Consumer): Consumer => ({
  ...consumer,
  // Looks up `handle` at each call, because tests replace it to delay jobs.
  handle: inRole(consumer.name, accessOfConsumer(consumer), (event, context) =>
    consumer.handle(event, context),
  ) as Consumer['handle'],
});

/** Returns the credentials that the local services check. DynamoDB Local stores one database per key id and region. */
export const localCredentials = (region = 'us-east-1') => ({
  AWS_REGION: region,
  AWS_ACCESS_KEY_ID: LOCAL_KEY_ID,
  AWS_SECRET_ACCESS_KEY: localSecret(),
});
