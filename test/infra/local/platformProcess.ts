/** Runs `npm start` beside separate services, which outlive the platform as on AWS, so that tests can kill it. */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import type { LocalFile } from '#infra/local/demo.ts';
import { localCredentials } from '#infra/local/localPlatform.ts';
import type { Service } from '#infra/local/runtime/service.ts';
import { localSecret } from '#infra/local/services/access/localSecret.ts';
import { startDynamodb } from '#infra/local/services/dynamodb.ts';
import { startObjectStore } from '#infra/local/services/s3.ts';
import { spawnStart, untilStarted } from './startProcess.ts';

export interface PlatformProcess {
  /** Returns when the platform runs, or was killed during its start. */
  start(): Promise<LocalFile>;
  /** Sends SIGKILL. Resolves when the process has ended. */
  kill(): Promise<void>;
  isKilled(): boolean;
}

/** Starts the services before the tests of a file, and stops everything after them. */
export function usePlatformProcess(environment: Record<string, string> = {}): PlatformProcess {
  let running: ChildProcess | undefined;
  let folder: string;
  let dynamodb: Service;
  let objects: Service;

  beforeAll(async () => {
    Object.assign(process.env, localCredentials());
    folder = await mkdtemp(join(tmpdir(), 'parley-kill-'));
    [dynamodb, objects] = await Promise.all([startDynamodb(), startObjectStore(join(folder, 'objects'), [])]);
  });
  afterAll(async () => {
    running?.kill('SIGKILL');
    await Promise.all([dynamodb.stop(), objects.stop()]);
    await rm(folder, { recursive: true, force: true });
  });

  return {
    start: () => {
      const spawned = spawnStart(folder, {
        DYNAMODB: dynamodb.endpoint,
        S3_ENDPOINT: objects.endpoint,
        LOCAL_SECRET: localSecret(),
        ...environment,
      });
      running = spawned.child;
      return untilStarted(spawned, folder);
    },
    kill: async () => {
      const child = running!;
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
    isKilled: () => running?.signalCode === 'SIGKILL',
  };
}
