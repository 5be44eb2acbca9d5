/**
 * Section `inserts`: rows written through HTTP, individually and in batches, compared with SQLite behind a bare Node
 * server.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawnStart, untilStarted } from '#test/infra/local/startProcess.ts';
import { type Section, times } from './report.ts';
import { rowAt } from './rows.ts';
import type { Services } from './services.ts';
import { median } from './statistics.ts';

const load = createRequire(import.meta.url);
const { Client }: typeof import('@botpress/client') = load('@botpress/client');

const ROUNDS = 3;
const ROUND_MS = 4_000;

const WAYS = [
  { name: 'one by one', atOnce: 1, batch: 1 },
  { name: 'one by one, 16 at a time', atOnce: 16, batch: 1 },
  { name: 'in batches of 1,000', atOnce: 1, batch: 1_000 },
  { name: 'in batches of 1,000, 4 at a time', atOnce: 4, batch: 1_000 },
];

type Insert = (rows: ReturnType<typeof newRow>[]) => Promise<unknown>;

export async function measure({ directory, dynamodbEndpoint }: Services): Promise<Section> {
  const folder = join(directory, 'inserts');
  const bare = fork(fileURLToPath(import.meta.resolve('./bare/rowServer.ts')));
  const started = spawnStart(folder, { DYNAMODB: dynamodbEndpoint, RATE_LIMITS: 'off' });
  try {
    const [port] = (await once(bare, 'message')) as [number];
    const local = await untilStarted(started, folder);
    const client = new Client({ apiUrl: local.apiUrl, botId: local.botId, token: local.tokens.bot });
    const schema = newRow();
    await client.createTable({ name: 'plainTable', schema });
    await client.createTable({ name: 'keyedTable', schema, keyColumn: 'email' });
    const into =
      (table: string): Insert =>
      rows =>
        client.createTableRows({ table, rows });
    const intoBare: Insert = async rows => {
      const response = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: JSON.stringify({ rows }) });
      return response.json();
    };

    const lines: string[][] = [];
    for (const { name, atOnce, batch } of WAYS) {
      const rates = { plain: [] as number[], keyed: [] as number[], bare: [] as number[] };
      for (let round = 0; round < ROUNDS; round++) {
        rates.plain.push(await rateOf(into('plainTable'), atOnce, batch));
        rates.keyed.push(await rateOf(into('keyedTable'), atOnce, batch));
        rates.bare.push(await rateOf(intoBare, atOnce, batch));
      }
      const [plain, keyed, floor] = [median(rates.plain), median(rates.keyed), median(rates.bare)];
      const cells = [plain, keyed, floor].map(rate => Math.round(rate).toLocaleString('en'));
      lines.push([name, ...cells, times(floor / plain)]);
    }
    return {
      title: 'Inserts',
      measures: `Rows a second into a table of \`npm start\`, by the official client, and into SQLite in a bare Node server. Medians of ${ROUNDS} rounds in turns.`,
      columns: ['how', 'without a key', 'with a key', 'SQLite', 'SQLite ÷ without a key'],
      rows: lines,
      notes: ['With a key, each row is written in one transaction with its entry.'],
    };
  } finally {
    bare.kill();
    const exited = once(started.child, 'exit');
    started.child.kill('SIGINT');
    await exited;
  }
}

let rowsMade = 0;
function newRow() {
  const { email, age, city } = rowAt(++rowsMade);
  return { email, age, city: city! };
}

/** @returns rows per second */
async function rateOf(insert: Insert, atOnce: number, batch: number): Promise<number> {
  const startMs = performance.now();
  let done = 0;
  const work = async () => {
    while (performance.now() - startMs < ROUND_MS) {
      await insert(Array.from({ length: batch }, newRow));
      done += batch;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return done / ((performance.now() - startMs) / 1000);
}
