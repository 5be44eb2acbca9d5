/**
 * Dynoxide, a DynamoDB-compatible native server from an optional npm package or the PATH. Its table of stream records
 * has no index, so each write and each stream read scans all records ever written. Two additional indexes in its
 * database avoid these scans.
 */
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { spawnServer, untilReady } from '#infra/local/runtime/childProcess.ts';
import { StartupError } from '#infra/local/runtime/service.ts';
import type { Engine, EngineOptions } from './engine.ts';

const FILE = 'dynoxide.db';

/** Indexes for the queries of Dynoxide 1.2.1 (`src/storage.rs`). */
const INDEXES = `
  CREATE INDEX IF NOT EXISTS parley_stream_shards
    ON _stream_records (table_name, shard_id, CAST(sequence_number AS INTEGER));
  CREATE INDEX IF NOT EXISTS parley_stream_sequences
    ON _stream_records (table_name, CAST(sequence_number AS INTEGER));
`;

/** Keeps the last record, because the next sequence number follows from it. */
const TRIM = `
  DELETE FROM _stream_records WHERE shard_id = ? AND CAST(sequence_number AS INTEGER) < CAST(? AS INTEGER)
`;

export const dynoxide: Engine = {
  name: 'Dynoxide',
  id: 'dynoxide',
  needs:
    'the package @dynoxide/linux-x64, which npm installs on Linux x64, or dynoxide on the PATH (npm install --no-save dynoxide)',
  isAvailable: () => binary() !== undefined,
  owns: fileName => fileName === FILE,
  start: async ({ host, port, directory, readTo, onOutput }) => {
    const temporary = directory ? undefined : await mkdtemp(join(tmpdir(), 'parley-dynoxide-'));
    const file = join(directory ?? temporary!, FILE);
    await prepare(file, host, readTo);
    const server = run(file, host, port, onOutput);
    await untilReady('Dynoxide', server, isReady);
    return {
      process: server.process,
      stop: async () => {
        await server.stop();
        if (temporary) await rm(temporary, { recursive: true, force: true });
      },
    };
  },
};

/** Adds the indexes and deletes processed stream records, which the server never deletes. */
async function prepare(file: string, host: string, readTo: EngineOptions['readTo']): Promise<void> {
  // The first start creates the server's tables.
  const first = run(file, host, 0);
  await untilReady('Dynoxide', first, isReady);
  await first.stop();
  const database = new DatabaseSync(file);
  try {
    database.exec(INDEXES);
    const trim = database.prepare(TRIM);
    for (const [shard, sequenceNumber] of Object.entries(readTo)) trim.run(shard, sequenceNumber);
  } catch (error) {
    throw new StartupError(
      `This version of Dynoxide stores streams differently. Use 1.2.1. ${(error as Error).message}`,
    );
  } finally {
    database.close();
  }
}

// A connection attempt could reach another server that took the port.
const isReady = (output: string) => output.includes('listening on');

const run = (file: string, host: string, port: number, onOutput?: EngineOptions['onOutput']) =>
  spawnServer(binary()!, ['serve', '--host', host, '--port', String(port), '--db-path', file], onOutput);

const binary = () => fromPackage() ?? fromPath();

function fromPackage(): string | undefined {
  const name = `@dynoxide/${process.platform}-${process.arch}`;
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
    return join(folder, process.platform === 'win32' ? 'dynoxide.exe' : 'dynoxide');
  } catch {
    return undefined;
  }
}

const fromPath = () =>
  spawnSync('dynoxide', ['--version'], { stdio: 'ignore' }).status === 0 ? 'dynoxide' : undefined;
