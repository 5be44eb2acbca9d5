/**
 * Starts the services that all projects share: a DynamoDB and an object store. Tests against a deployed platform
 * need neither.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { localCredentials } from '#infra/local/localPlatform.ts';
import { startDynamodb } from '#infra/local/services/dynamodb.ts';
import { startObjectStore } from '#infra/local/services/s3.ts';
import { requireNoneLeft } from './leftProcesses.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    dynamodbEndpoint: string;
    s3Endpoint: string;
  }
}

interface Services {
  dynamodbEndpoint: string;
  s3Endpoint: string;
  stop(): Promise<void>;
}

/**
 * Each project loads its own copy of this module in the same process. All share one database, because DynamoDB Local
 * spends more than a minute of CPU time on compiling itself.
 */
const shared = globalThis as { parleyTestServices?: { services: Promise<Services>; users: number } | undefined };

async function start(): Promise<Services> {
  Object.assign(process.env, localCredentials());
  const directory = await mkdtemp(join(tmpdir(), 'parley-test-'));
  const [dynamodb, objects] = await Promise.all([startDynamodb({ isGuarded: false }), startObjectStore(directory, [])]);
  return {
    dynamodbEndpoint: dynamodb.endpoint,
    s3Endpoint: objects.endpoint,
    stop: async () => {
      await Promise.all([objects.stop(), dynamodb.stop()]);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

export default async function setup({ provide }: TestProject) {
  if (process.env.PARLEY_TARGET) return undefined;

  shared.parleyTestServices ??= { services: start(), users: 0 };
  const { parleyTestServices } = shared;
  parleyTestServices.users++;
  const services = await parleyTestServices.services;
  provide('dynamodbEndpoint', services.dynamodbEndpoint);
  provide('s3Endpoint', services.s3Endpoint);
  return async () => {
    if (--parleyTestServices.users > 0) return;
    shared.parleyTestServices = undefined;
    await services.stop();
    await requireNoneLeft();
  };
}
