/** Once for all tests: DynamoDB Local (in memory) and an object store. Against a deployed platform neither is needed. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { localCredentials } from '#infra/local/platform.ts';
import { startDynamodb } from '#infra/local/services/dynamodb.ts';
import { startObjectStore } from '#infra/local/services/s3.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    dynamodbEndpoint: string;
    s3Endpoint: string;
    /** Files of tests share one platform, which goes on. */
    isShared: boolean;
  }
}

export default async function setup({ provide }: TestProject) {
  if (process.env.PARLEY_TARGET) return undefined;

  Object.assign(process.env, localCredentials());
  const directory = await mkdtemp(join(tmpdir(), 'parley-test-'));
  const [dynamodb, objects] = await Promise.all([startDynamodb(), startObjectStore(directory, [])]);
  provide('dynamodbEndpoint', dynamodb.endpoint);
  provide('s3Endpoint', objects.endpoint);
  return async () => {
    await Promise.all([objects.stop(), dynamodb.stop()]);
    await rm(directory, { recursive: true, force: true });
  };
}
