/**
 * Starts the services that all projects share: a DynamoDB and an object store. Tests against a deployed platform
 * need neither.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { localCredentials } from '#infra/local/localPlatform.ts';
import { givenServer, startDynamodb } from '#infra/local/services/dynamodb.ts';
import { startObjectStore } from '#infra/local/services/s3.ts';
import { requireNoneLeft } from './leftProcesses.ts';
import { startOwnTables } from './ownTables.ts';

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
  const [dynamodb, objects] = await Promise.all([startTestDynamodb(), startObjectStore(directory, [])]);
  return {
    dynamodbEndpoint: dynamodb.endpoint,
    s3Endpoint: objects.endpoint,
    stop: async () => {
      await Promise.all([objects.stop(), dynamodb.stop()]);
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function startTestDynamodb() {
  const given = givenServer();
  if (given === undefined) return startDynamodb({ isGuarded: false });
  // Tests that start whole platforms use engines of their own, because all platforms use the same table name.
  delete process.env.DYNAMODB;
  return startOwnTables(given);
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
