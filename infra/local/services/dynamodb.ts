/**
 * The database that DYNAMODB names: an engine to start, or a running server. Engines accept any credentials, so a guard
 * checks them.
 */
import { mkdir, readdir } from 'node:fs/promises';
import { type Service, StartupError } from '#infra/local/runtime/service.ts';
import { startGuardedPort } from './access/guardedPort.ts';
import { dynamodbLocal } from './dynamodb/dynamodbLocal.ts';
import { dynoxide } from './dynamodb/dynoxide.ts';
import type { Engine } from './dynamodb/engine.ts';
import { freePort, unguessableHost } from './ports.ts';

interface Options {
  directory?: string;
  port?: number;
  /** Last sequence number read from each stream shard. */
  readTo?: Record<string, string>;
  onOutput?: (text: string) => void;
  /** False for tests, whose calls are unsigned. */
  isGuarded?: boolean;
}

const ENGINES = [dynoxide, dynamodbLocal];

export async function startDynamodb(options: Options = {}): Promise<Service> {
  const { directory, readTo = {}, onOutput, isGuarded = true } = options;
  const given = givenServer();
  if (given) return { endpoint: given, stop: async () => {} };

  const engine = chooseEngine(process.env.DYNAMODB || undefined);
  if (directory) await requireOwnData(engine, directory);
  const host = isGuarded ? await unguessableHost() : '127.0.0.1';
  const port = (isGuarded ? undefined : options.port) ?? (await freePort(host));
  const { stop } = await engine.start({ host, port, directory, readTo, onOutput });
  if (!isGuarded) return { endpoint: `http://${host}:${port}`, stop };
  const guard = await startGuardedPort({ host, port }, 'dynamodb', options.port ?? 0);
  return {
    endpoint: guard.endpoint,
    stop: async () => {
      await guard.stop();
      await stop();
    },
  };
}

/** Returns the URL of the running server that DYNAMODB names, if it names one. */
export function givenServer(): string | undefined {
  const { DYNAMODB: given = '' } = process.env;
  return /^https?:\/\//.test(given) && URL.canParse(given) ? given : undefined;
}

function chooseEngine(wanted: string | undefined): Engine {
  const candidates = ENGINES.filter(({ id }) => wanted === undefined || id === wanted);
  if (candidates.length === 0) {
    throw new StartupError(
      `DYNAMODB is ${wanted}. Set it to ${ENGINES.map(({ id }) => id).join(', ')} or the URL of a server.`,
    );
  }
  const engine = candidates.find(({ isAvailable }) => isAvailable());
  if (engine) return engine;
  const needs = candidates.map(({ name, needs }) => `${name} needs ${needs}.`).join(' ');
  throw new StartupError(`No DynamoDB engine is available. ${needs} Or set DYNAMODB to the URL of a running server.`);
}

/** Rejects another engine's data, which would seem to be lost. */
async function requireOwnData(engine: Engine, directory: string): Promise<void> {
  await mkdir(directory, { recursive: true });
  const files = await readdir(directory);
  const maker = ENGINES.find(({ owns }) => files.some(owns));
  if (!maker || maker === engine) return;
  throw new StartupError(
    `The data in ${directory} was created with ${maker.name}, and ${engine.name} cannot read it. Keep it: DYNAMODB=${maker.id} npm start. Delete it: npm run reset.`,
  );
}
