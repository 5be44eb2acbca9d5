/** Tests the engine selection of a local platform and the additions to Dynoxide's database. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { BatchWriteItemCommand, DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { DynamoDBStreamsClient, GetRecordsCommand, GetShardIteratorCommand } from '@aws-sdk/client-dynamodb-streams';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { localCredentials } from '#infra/local/localPlatform.ts';
import type { Service } from '#infra/local/runtime/service.ts';
import { dynoxide } from '#infra/local/services/dynamodb/dynoxide.ts';
import { startDynamodb } from '#infra/local/services/dynamodb.ts';
import { ensureTable } from '#infra/local/services/ensureTable.ts';
import { isComplete } from '#test/support/tier.ts';

const TABLE = 'parley';
let directory: string;
let running: Service | undefined;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley-engine-'));
  for (const [name, value] of Object.entries(localCredentials())) vi.stubEnv(name, value);
});
afterEach(async () => {
  await running?.stop();
  running = undefined;
  vi.unstubAllEnvs();
  await rm(directory, { recursive: true, force: true });
});

const start = async (readTo: Record<string, string> = {}) => {
  running = await startDynamodb({ directory, readTo });
  return { client: new DynamoDBClient({ endpoint: running.endpoint }), endpoint: running.endpoint };
};

const item = (n: number) => ({ pk: { S: `p${n}` }, sk: { S: 's' }, kind: { S: 'test' } });
const put = (client: DynamoDBClient, n: number) => client.send(new PutItemCommand({ TableName: TABLE, Item: item(n) }));

/** Runs `use` on the database file, which the server may have open. */
function inFile<T>(use: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(join(directory, 'dynoxide.db'));
  try {
    return use(database);
  } finally {
    database.close();
  }
}

/** Returns the processes whose command line names the directory: the server and its shell. */
const processes = () => {
  try {
    return execFileSync('pgrep', ['-f', directory], { encoding: 'utf8' }).trim().split('\n').map(Number);
  } catch {
    return [];
  }
};

/** `npm test` uses a lower number. */
const KILLS = isComplete ? 20 : 4;
const COST_WRITES = isComplete ? 2_000 : 500;

describe('the engine', () => {
  it.each([
    ['x', 'DYNAMODB is x. Set it to dynoxide, local or the URL of a server.'],
    ['Dynoxide', 'DYNAMODB is Dynoxide. Set it to dynoxide, local or the URL of a server.'],
  ])('rejects DYNAMODB=%s', async (value, message) => {
    vi.stubEnv('DYNAMODB', value);

    await expect(start()).rejects.toThrow(message);
  });

  it('uses a running server whose URL is DYNAMODB', async () => {
    vi.stubEnv('DYNAMODB', 'http://127.0.0.1:1');

    expect((await start()).endpoint).toBe('http://127.0.0.1:1');
  });

  it.each([
    ['dynoxide', '0_us-east-1.db', 'DynamoDB Local', 'DYNAMODB=local npm start'],
    ['local', 'dynoxide.db', 'Dynoxide', 'DYNAMODB=dynoxide npm start'],
  ])('rejects %s with data of the other engine, and names the alternatives', async (id, file, maker, way) => {
    vi.stubEnv('DYNAMODB', id);
    await writeFile(join(directory, file), '');

    const refusal = start();

    await expect(refusal).rejects.toThrow(`was created with ${maker}`);
    await expect(refusal).rejects.toThrow(way);
    await expect(refusal).rejects.toThrow('npm run reset');
  });

  it('exits when the process that started it is killed', async () => {
    const script = `
      import { startDynamodb } from '#infra/local/services/dynamodb.ts';
      await startDynamodb({ directory: process.argv[1] });
      process.kill(process.pid, 'SIGKILL');
    `;
    const args = ['--input-type=module', '--eval', script, directory];

    const [, signal] = await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'exit');

    expect(signal).toBe('SIGKILL');
    await vi.waitFor(() => expect(processes()).toEqual([]), { timeout: 30_000 });
  });
});

describe.skipIf(!dynoxide.isAvailable())('Dynoxide', () => {
  beforeEach(() => vi.stubEnv('DYNAMODB', 'dynoxide'));

  it('stores stream records in the indexed table and columns', async () => {
    await start();

    const columns = inFile(database => database.prepare("SELECT name FROM pragma_table_info('_stream_records')").all());
    expect(columns.map(({ name }) => name)).toEqual([
      ...['id', 'table_name', 'event_name', 'keys_json', 'new_image', 'old_image', 'sequence_number', 'shard_id'],
      ...['created_at', 'user_identity'],
    ]);
  });

  it.skipIf(process.platform !== 'linux')(
    'writes and reads at the same cost after 100,000 other writes',
    { timeout: 120_000 },
    async () => {
      const { client, endpoint } = await start();
      const streamArn = await ensureTable(endpoint, TABLE);
      const streams = new DynamoDBStreamsClient({ endpoint });
      const pid = processes().find(each => readFileSync(`/proc/${each}/comm`, 'utf8').trim() === 'dynoxide')!;
      /** Returns the server's user and system time, in ticks of 10 ms. */
      const ticks = () => {
        const [utime, stime] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(' ').slice(13, 15).map(Number);
        return utime! + stime!;
      };
      const cost = async () => {
        const before = ticks();
        for (let from = 0; from < COST_WRITES; from += 25) {
          const requests = Array.from({ length: 25 }, (_, i) => ({ PutRequest: { Item: item(from + i) } }));
          await client.send(new BatchWriteItemCommand({ RequestItems: { [TABLE]: requests } }));
          const { ShardIterator } = await streams.send(
            new GetShardIteratorCommand({ StreamArn: streamArn, ShardId: shard, ShardIteratorType: 'LATEST' }),
          );
          await streams.send(new GetRecordsCommand({ ShardIterator }));
        }
        return ticks() - before;
      };
      await put(client, 0);
      const shard = inFile(
        database => database.prepare('SELECT shard_id FROM _stream_records').get()!.shard_id as string,
      );
      // Fills the database's caches.
      await cost();
      const first = await cost();
      inFile(database =>
        database.exec(`
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
        INSERT INTO _stream_records (table_name, event_name, keys_json, sequence_number, shard_id, created_at)
        SELECT table_name, event_name, keys_json, CAST(100000 + i AS TEXT), shard_id, created_at
        FROM n, (SELECT * FROM _stream_records LIMIT 1)
      `),
      );
      const last = await cost();

      // Without the indexes, a call costs about fifty times as much.
      expect(last).toBeLessThan(3 * first);
    },
  );

  it('deletes processed stream records at startup, and continues the sequence', async () => {
    const first = await start();
    const streamArn = await ensureTable(first.endpoint, TABLE);
    for (let n = 1; n <= 5; n++) await put(first.client, n);
    await running!.stop();
    const records = () =>
      inFile(database => database.prepare('SELECT sequence_number AS n, shard_id AS shard FROM _stream_records').all());
    const [{ shard }] = records() as [{ shard: string }];
    const sequenceNumbers = () => records().map(({ n }) => n);
    expect(sequenceNumbers()).toEqual(['1', '2', '3', '4', '5']);

    const second = await start({ [shard]: '4' });
    await put(second.client, 6);

    expect(sequenceNumbers()).toEqual(['4', '5', '6']);
    const streams = new DynamoDBStreamsClient({ endpoint: second.endpoint });
    const { ShardIterator } = await streams.send(
      new GetShardIteratorCommand({
        StreamArn: streamArn,
        ShardId: shard,
        ShardIteratorType: 'AFTER_SEQUENCE_NUMBER',
        SequenceNumber: '4',
      }),
    );
    const { Records } = await streams.send(new GetRecordsCommand({ ShardIterator }));
    expect(Records!.map(({ dynamodb }) => dynamodb!.Keys!.pk!.S)).toEqual(['p5', 'p6']);
  });

  it(`loses no acknowledged write when it is killed during writes, ${KILLS} times`, { timeout: 120_000 }, async () => {
    await ensureTable((await start()).endpoint, TABLE);
    await running!.stop();
    const acknowledged: number[] = [];
    let next = 0;

    for (let round = 0; round < KILLS; round++) {
      const { client } = await start();
      const until = next + 5 + 10 * round;
      const writers = Array.from({ length: 8 }, async () => {
        for (;;) {
          const n = next++;
          await put(client, n);
          acknowledged.push(n);
          if (n === until) for (const pid of processes()) process.kill(pid, 'SIGKILL');
        }
      });
      await Promise.allSettled(writers);
      client.destroy();
    }

    const { client } = await start();
    expect(acknowledged.length).toBeGreaterThan(KILLS * 5);
    const lost: number[] = [];
    for (const n of acknowledged) {
      const { Item } = await client.send(
        new GetItemCommand({ TableName: TABLE, Key: { pk: item(n).pk, sk: item(n).sk } }),
      );
      if (!Item) lost.push(n);
    }
    expect(lost).toEqual([]);
  });
});
