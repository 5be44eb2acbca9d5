/**
 * Shared by the sections: one DynamoDB Local (in memory), one object store, one table, and this process's environment.
 */
import { rmSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { localCredentials } from '#infra/local/localPlatform.ts';
import { startDynamodb } from '#infra/local/services/dynamodb.ts';
import { ensureTable } from '#infra/local/services/ensureTable.ts';
import { startObjectStore } from '#infra/local/services/s3.ts';
import { VARIABLES } from '#shared/core/environment.ts';

export const TABLE = 'bench';
export const BUCKET = 'bench';

export interface Services {
  dynamodbEndpoint: string;
  s3Endpoint: string;
  /** Directory of bundles and certificates; deleted at the end. */
  directory: string;
  /** Frees memory by recreating the database and the table. */
  emptyTable(): Promise<void>;
  stop(): Promise<void>;
}

export async function startServices(): Promise<Services> {
  Object.assign(process.env, localCredentials());
  const directory = await mkdtemp(join(tmpdir(), 'parley-bench-'));
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
  let [dynamodb, objects] = await Promise.all([
    startDynamodb({ isGuarded: false }),
    startObjectStore(join(directory, 'objects'), [BUCKET]),
  ]);
  Object.assign(process.env, {
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb.endpoint,
    AWS_ENDPOINT_URL_S3: objects.endpoint,
    [VARIABLES.tableName]: TABLE,
    [VARIABLES.bucketName]: BUCKET,
    [VARIABLES.rateLimits]: 'off',
    [VARIABLES.openWorkLimits]: 'off',
    [VARIABLES.sealingKey]: 'the sealing key of the bench',
    // Appears in responses, but is never called.
    [VARIABLES.apiBaseUrl]: 'http://127.0.0.1:1',
    [VARIABLES.chatBaseUrl]: 'http://127.0.0.1:1/chat',
    [VARIABLES.webhookBaseUrl]: 'http://127.0.0.1:1/webhooks',
  });
  await ensureTable(dynamodb.endpoint, TABLE);
  return {
    dynamodbEndpoint: dynamodb.endpoint,
    s3Endpoint: objects.endpoint,
    directory,
    emptyTable: async () => {
      const { endpoint } = dynamodb;
      await dynamodb.stop();
      dynamodb = await startDynamodb({ isGuarded: false, port: Number(new URL(endpoint).port) });
      await ensureTable(endpoint, TABLE);
    },
    stop: async () => {
      await Promise.all([objects.stop(), dynamodb.stop()]);
    },
  };
}
