/**
 * Section `afterInsert`: the first queries of a table that has just received its rows through HTTP, and the units of
 * inserts with and without the row log.
 */
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { VARIABLES } from '#shared/core/environment.ts';
import { defineTable } from '#shared/domain/tables/defineTable.ts';
import { createRows } from '#shared/domain/tables/rows/createRows.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { allocateIds, putRows } from '#shared/storage/dynamodb/tables/rowWrites.ts';
import { requireTableToWrite } from '#shared/storage/dynamodb/tables/tables.ts';
import { putNewTable, startLog } from '#shared/storage/dynamodb/tables/tableWrites.ts';
import { spawnStart, untilStarted } from '#test/infra/local/startProcess.ts';
import { metered } from './metered.ts';
import { type Section, times, verdict } from './report.ts';
import { rowAt } from './rows.ts';
import type { Services } from './services.ts';
import { median } from './statistics.ts';

const load = createRequire(import.meta.url);
const { Client }: typeof import('@botpress/client') = load('@botpress/client');

const ROWS = Number(process.env.BENCH_ROWS ?? 100_000);
const BATCH = 1_000;
const NEXT = 20;
const FIRST_MS = 500;
/** The warm budget of section `snapshots`, through HTTP. */
const NEXT_MS = 25;
const SETTLED_MS = 15_000;
const UNITS = 1.02;

export async function measure({ directory, dynamodbEndpoint }: Services): Promise<Section> {
  const lines = [...(await measureCalls(directory, dynamodbEndpoint)), ...(await measureUnits())];
  return {
    title: 'Queries after inserts',
    measures: `${ROWS.toLocaleString('en')} rows, inserted through HTTP in batches of ${BATCH.toLocaleString('en')} into a new table of \`npm start\`, then equality queries on a column without key, at once and again after ${SETTLED_MS / 1000} s without inserts.`,
    columns: ['what', 'measured', 'budget', ''],
    rows: lines,
    notes: [`Units: ${BATCH.toLocaleString('en')} rows by one call, beside the same rows written without a log.`],
  };
}

async function measureCalls(directory: string, dynamodbEndpoint: string): Promise<string[][]> {
  const folder = join(directory, 'afterInsert');
  const started = spawnStart(folder, { DYNAMODB: dynamodbEndpoint, RATE_LIMITS: 'off' });
  try {
    const local = await untilStarted(started, folder);
    const client = new Client({ apiUrl: local.apiUrl, botId: local.botId, token: local.tokens.bot });
    const table = 'insertedTable';
    const lines: string[][] = [];
    await client.createTable({ name: table, schema: rowAt(0) });
    let rows = 0;
    const insert = async () => {
      await client.createTableRows({ table, rows: Array.from({ length: BATCH }, () => rowAt(++rows)) });
    };
    const tookMs = await timed(async () => {
      while (rows < ROWS) await insert();
    });
    lines.push(['inserts, rows a second', Math.round(ROWS / (tookMs / 1000)).toLocaleString('en'), '', '']);
    const query = async (n: number) => {
      const answer = await client.findTableRows({ table, filter: { email: `${n}@example.com` } });
      if (answer.rows.length !== 1) throw new Error(`Row ${n} was found ${answer.rows.length} times.`);
    };
    const first = await timed(() => query(ROWS));
    lines.push(['first query, ms', first.toFixed(0), `≤ ${FIRST_MS}`, verdict(first <= FIRST_MS)]);
    const next: number[] = [];
    for (let i = 1; i <= NEXT; i++) next.push(await timed(() => query(i * 31)));
    const [usual, slowest] = [median(next), Math.max(...next)];
    lines.push([`next ${NEXT}, median, ms`, usual.toFixed(1), `≤ ${NEXT_MS}`, verdict(usual <= NEXT_MS)]);
    lines.push([`next ${NEXT}, slowest, ms`, slowest.toFixed(1), '', '']);
    await sleep(SETTLED_MS);
    lines.push(['a query later, ms', (await timed(() => query(ROWS))).toFixed(1), '', '']);
    return lines;
  } finally {
    const exited = once(started.child, 'exit');
    started.child.kill('SIGINT');
    await exited;
  }
}

async function measureUnits(): Promise<string[][]> {
  process.env[VARIABLES.snapshotQueueUrl] ??= 'http://127.0.0.1:1/none';
  const nowMs = Date.now();
  const bot = { id: crypto.randomUUID(), workspaceId: 'bench' };
  const table = defineTable('unitsTable', { schema: rowAt(0), keyColumn: null }, nowMs);
  await write(putNewTable(bot.id, table));
  const inputs = Array.from({ length: BATCH }, (_, i) => rowAt(i));
  const insert = async () => {
    const read = await requireTableToWrite(bot.id, table.id);
    await createRows({ bot, table: read, nowMs }, inputs, async ({ rows }) => {
      created = rows;
      return { status: 200 as const, body: {} };
    });
  };
  let created: Parameters<typeof putRows>[2] = [];
  await startLog(bot.id, table.id, nowMs);
  await insert();
  const logged = await metered(insert);
  const bare = await metered(async () => {
    await requireTableToWrite(bot.id, table.id);
    const { lastId } = await allocateIds(bot.id, table.id, BATCH);
    await putRows(
      bot.id,
      table.id,
      created.map((row, i) => ({ ...row, id: lastId - BATCH + 1 + i })),
    );
  });
  return (['writeUnits', 'readUnits', 'calls'] as const).map(name => [
    `${{ writeUnits: 'write units', readUnits: 'read units', calls: 'calls' }[name]}, with · without the log`,
    `${logged[name]} · ${bare[name]}`,
    name === 'writeUnits' ? `≤ ${times(UNITS)}` : '',
    name === 'writeUnits' ? verdict(logged.writeUnits <= UNITS * bare.writeUnits) : '',
  ]);
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await run();
  return performance.now() - startMs;
}
