import { join, resolve } from 'node:path';

export const stateDirectory = resolve(process.env.PARLEY_DIR ?? '.parley');

export const modelsDirectory = join(stateDirectory, 'models');

/** Sources and builds of `npm run hub`. */
export const hubDirectory = join(stateDirectory, 'hub');

export const localLogFile = () => join(stateDirectory, 'parley.log');

export const streamFile = (directory: string) => join(directory, 'stream.json');

export const functionsDirectory = (directory: string) => join(directory, 'functions');

/** Entries of the state directory. `npm run reset` deletes only these. */
export const STATE_ENTRIES: ReadonlySet<string> = new Set([
  'dynamodb',
  'env',
  'functions',
  'hub',
  'local.json',
  'lock',
  'lock-journal',
  'models',
  'objects',
  'parley.log',
  'process.json',
  'queues.jsonl',
  'sealing.key',
  'services.json',
  'stream.json',
  'vectors',
]);
