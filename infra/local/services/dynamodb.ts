/** Local DynamoDB engine, or a server at DYNAMODB_ENDPOINT. It accepts any credentials, so it must not be exposed. */
import { mkdir, readdir } from 'node:fs/promises';
import { type Service, StartupError } from '#infra/local/runtime/service.ts';
import { dynamodbLocal } from './dynamodb/dynamodbLocal.ts';
import { dynoxide } from './dynamodb/dynoxide.ts';
import type { Engine } from './dynamodb/engine.ts';
import { freePort } from './ports.ts';

interface Options {
  directory?: string;
  port?: number;
  /** Last sequence number read from each stream shard. */
  readTo?: Record<string, string>;
  onOutput?: (text: string) => void;
}

const ENGINES = [dynoxide, dynamodbLocal];

export async function startDynamodb({ directory, port, readTo = {}, onOutput }: Options = {}): Promise<Service> {
  const given = process.env.DYNAMODB_ENDPOINT;
  if (given) return { endpoint: given, stop: async () => {} };

  const engine = chooseEngine(process.env.DYNAMODB || undefined);
  if (directory) await requireOwnData(engine, directory);
  const usedPort = port ?? (await freePort());
  const { stop } = await engine.start({ port: usedPort, directory, readTo, onOutput });
  return { endpoint: `http://127.0.0.1:${usedPort}`, stop };
}

function chooseEngine(wanted: string | undefined): Engine {
  const candidates = ENGINES.filter(({ id }) => wanted === undefined || id === wanted);
  if (candidates.length === 0) {
    throw new StartupError(`DYNAMODB is ${wanted}. Set it to ${ENGINES.map(({ id }) => id).join(' or ')}.`);
  }
  const engine = candidates.find(({ isAvailable }) => isAvailable());
  if (engine) return engine;
  const needs = candidates.map(({ name, needs }) => `${name} needs ${needs}.`).join(' ');
  throw new StartupError(`No DynamoDB engine is available. ${needs} Or set DYNAMODB_ENDPOINT to a server's URL.`);
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
