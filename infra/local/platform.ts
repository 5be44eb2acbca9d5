/** The whole platform in one process: the gateway with all operations, the table's stream, the queues, uploads. */
import { join } from 'node:path';
import * as consumers from '#functions/events/index.ts';
import { health } from '#functions/health.ts';
import { jsonText } from '#functions/jsonText.ts';
import { preflight } from '#functions/preflight.ts';
import { apis, chatApi, platformApi } from '#infra/gateway/apis.ts';
import { gatewayDocument, HEALTH, PREFLIGHT } from '#infra/gateway/openapi.ts';
import { references } from '#infra/gateway/reference.ts';
import { VECTOR_VARIABLES } from '#shared/ai/chooseVectorStore.ts';
import { type LambdaHandler, handlerOf as operationHandler } from '#shared/api/chain.ts';
import { functionNameOf } from '#shared/api/operation.ts';
import type { Consumer, QueueConsumer, ScheduleConsumer, StreamConsumer } from '#shared/consumers/consumer.ts';
import { VARIABLES } from '#shared/environment.ts';
import { localIntegration, startGateway } from './services/apiGateway.ts';
import { EMBEDDED_KEY } from './services/s3.ts';
import { followUploads } from './services/s3Events.ts';
import { startSchedule } from './services/scheduler.ts';
import { startQueues } from './services/sqs.ts';
import { followStream } from './services/stream.ts';
import { ensureTable } from './services/table.ts';

export interface Platform {
  /** `{chat_base_url}` */
  chatBaseUrl: string;
  /** `{api_base_url}` */
  apiBaseUrl: string;
  /** Settles when everything written before the call has been reacted to. */
  idle(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Starts it. The handlers read their environment once, so a process can run one platform.
 * @param port 0 takes any that is free
 */
export async function startPlatform(options: {
  port: number;
  dynamodbEndpoint: string;
  s3Endpoint: string;
  tableName: string;
  bucketName: string;
  region?: string;
  /** Where it is kept how far the stream was read and what waits in the queues, from one process to the next. */
  stateDirectory?: string;
}): Promise<Platform> {
  const { dynamodbEndpoint, s3Endpoint, region, tableName, bucketName, stateDirectory } = options;
  const all: Consumer[] = Object.values(consumers);
  const queues = await startQueues(
    all.filter((consumer): consumer is QueueConsumer => 'queue' in consumer.trigger),
    stateDirectory && join(stateDirectory, 'queues.jsonl'),
  );
  Object.assign(process.env, localCredentials(region), {
    AWS_ENDPOINT_URL_DYNAMODB: dynamodbEndpoint,
    AWS_ENDPOINT_URL_S3: s3Endpoint,
    AWS_ENDPOINT_URL_SQS: queues.endpoint,
    [VARIABLES.tableName]: tableName,
    [VARIABLES.bucketName]: bucketName,
    [VARIABLES.sweepQueueUrl]: queues.urlOf('sweeps'),
    [VARIABLES.timerQueueUrl]: queues.urlOf('timers'),
    [VARIABLES.deliveryQueueUrl]: queues.urlOf('deliveries'),
    [VARIABLES.uploadQueueUrl]: queues.urlOf('uploads'),
    [VARIABLES.indexingQueueUrl]: queues.urlOf('indexing'),
    [VARIABLES.tableJobQueueUrl]: queues.urlOf('tableJobs'),
    [VARIABLES.rowQueueUrl]: queues.urlOf('rows'),
    ...(stateDirectory ? { [VECTOR_VARIABLES.directory]: join(stateDirectory, 'vectors') } : {}),
    // On one's own machine bots are on it too.
    [VARIABLES.privateEndpoints]: process.env[VARIABLES.privateEndpoints] ?? 'true',
  });

  const streamArn = await ensureTable(dynamodbEndpoint, tableName);
  const stream = await followStream(
    dynamodbEndpoint,
    streamArn,
    all.filter((consumer): consumer is StreamConsumer => 'stream' in consumer.trigger),
    stateDirectory && join(stateDirectory, 'stream.json'),
  );

  const uploads = followUploads(s3Endpoint, bucketName);
  queues.goOn();
  const schedule = startSchedule(
    all.filter((consumer): consumer is ScheduleConsumer => 'everyMinutes' in consumer.trigger),
  );

  const handlers = new Map<string, LambdaHandler>([
    [PREFLIGHT, preflight],
    [HEALTH, health],
    ...references.map(({ functionName, text }): [string, LambdaHandler] => [functionName, jsonText(text)]),
    ...apis
      .flatMap(({ operations }) => operations)
      .map((operation): [string, LambdaHandler] => [functionNameOf(operation), operationHandler(operation)]),
  ]);
  const handlerOf = (name: string) => handlers.get(name)!;
  const gateway = await startGateway(
    [
      { basePath: '/chat', document: gatewayDocument(chatApi, localIntegration), handlerOf },
      { basePath: '', document: gatewayDocument(platformApi, localIntegration), handlerOf },
    ],
    options.port,
  );

  process.env[VARIABLES.chatBaseUrl] = `${gateway.endpoint}/chat`;
  process.env[VARIABLES.apiBaseUrl] = gateway.endpoint;

  return {
    chatBaseUrl: `${gateway.endpoint}/chat`,
    apiBaseUrl: gateway.endpoint,
    idle: async () => {
      await stream.idle();
      await queues.idle();
      await stream.idle();
    },
    stop: async () => {
      await gateway.stop();
      await schedule.stop();
      await uploads.stop();
      await stream.stop();
      await queues.stop();
    },
  };
}

/** The object store knows only these; DynamoDB Local takes any, and keeps a database for each region. */
export const localCredentials = (region = 'us-east-1') => ({
  AWS_REGION: region,
  AWS_ACCESS_KEY_ID: EMBEDDED_KEY,
  AWS_SECRET_ACCESS_KEY: EMBEDDED_KEY,
});
