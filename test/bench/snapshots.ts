/** Section `snapshots`: queries of large tables, compared with the same rows in SQLite alone and with a full scan. */
import { DatabaseSync } from 'node:sqlite';
import { VARIABLES } from '#shared/core/environment.ts';
import { queryRows } from '#shared/domain/tables/find/queryRows.ts';
import type { RowQuery, RowSource } from '#shared/domain/tables/reading/source.ts';
import { makeSnapshot } from '#shared/domain/tables/snapshot/makeSnapshot.ts';
import { closeFiles } from '#shared/domain/tables/snapshot/openFiles.ts';
import { requireTableWithIds } from '#shared/storage/dynamodb/tables/tables.ts';
import { startLog } from '#shared/storage/dynamodb/tables/tableWrites.ts';
import { metered } from './metered.ts';
import { type Section, times, verdict } from './report.ts';
import { fill, rowAt } from './rows.ts';
import { median } from './statistics.ts';

const COUNTS = (process.env.BENCH_ROWS ?? '10000,100000').split(',').map(Number);
const ROUNDS = 9;
const WARM_UP = 200;
/** Larger tables have rows of 100 bytes and are not scanned for comparison, because a call has no time for that. */
const LARGE = 200_000;
/** The budget of a warm query of a large table. */
const LARGE_MS = 300;
/** A warm query may take `times` as long as SQLite alone, plus `plusMs` for a consistent read. */
const BUDGET = { times: 2, plusMs: 5, units: 5, cold: 0.5 };

interface Query {
  name: string;
  query: Partial<RowQuery>;
  sql: string;
}

const QUERIES: Query[] = [
  {
    name: 'equality on a column without key',
    query: { filter: { city: 'Rome', age: 17 } },
    sql: "SELECT * FROM t WHERE city = 'Rome' AND age = 17 ORDER BY id LIMIT 101",
  },
  {
    name: 'range filter and sort',
    query: { filter: { score: { $gte: 1_000, $lt: 9_000 } }, orderBy: 'score', orderDirection: 'desc' },
    sql: 'SELECT * FROM t WHERE score >= 1000 AND score < 9000 ORDER BY score DESC, id LIMIT 101',
  },
  {
    name: 'group and aggregate',
    query: { group: { city: ['key', 'count'], age: 'avg', score: ['sum', 'max'] } },
    sql: 'SELECT city, count(city), avg(age), sum(score), max(score) FROM t GROUP BY city',
  },
  { name: 'page at offset 5,000', query: { offset: 5_000 }, sql: 'SELECT * FROM t ORDER BY id LIMIT 101 OFFSET 5000' },
];

export async function measure(): Promise<Section> {
  // Builds the requested snapshot.
  process.env[VARIABLES.snapshotQueueUrl] ??= 'http://127.0.0.1:1/none';
  const lines: string[][] = [];
  for (const count of COUNTS) lines.push(...(await measureTable(count)));
  return {
    title: 'Queries of large tables',
    measures: `Queries of rows of half a kilobyte, warm, beside the same rows in SQLite in memory without indexes, and beside a reading of all rows. Medians of ${ROUNDS} rounds in turns.`,
    columns: ['rows', 'query', 'ms', 'SQLite alone, ms', 'all rows read, ms', 'units', 'budget', ''],
    rows: lines,
    notes: [
      `Budget: ${BUDGET.times} × SQLite + ${BUDGET.plusMs} ms, and ${BUDGET.units} units; cold: ${BUDGET.cold} × of reading all rows.`,
      'Cold: the first query of a process, which loads the snapshot.',
    ],
  };
}

const smallRowAt = (n: number) => {
  const { note: _, ...row } = rowAt(n);
  return row;
};

async function measureTable(count: number): Promise<string[][]> {
  const isLarge = count > LARGE;
  const { source: filled } = await fill(count, null, isLarge ? smallRowAt : rowAt);
  const job = { botId: filled.bot.id, tableId: filled.table.id, seen: -1, isLost: false };
  await startLog(job.botId, job.tableId, Date.now() - 1_000);
  const startMs = performance.now();
  await makeSnapshot(job, { isTimeLeft: () => true, quietMs: 0 });
  const madeMs = performance.now() - startMs;
  global.gc?.();
  const emptyBytes = process.memoryUsage.rss();
  const sourceNow = async (): Promise<RowSource> => ({
    ...filled,
    ...(await requireTableWithIds(job.botId, job.tableId)),
    deadlineMs: Date.now() + 60_000,
  });
  const whole = (query: Partial<RowQuery>): RowQuery => ({ limit: 100, offset: 0, ...query });
  const run = async (query: Partial<RowQuery>) => queryRows(await sourceNow(), whole(query));
  const read = async (query: Partial<RowQuery>) => {
    const { log: _, ...rowsAlone } = await sourceNow();
    return queryRows(rowsAlone, whole(query));
  };
  const size = count.toLocaleString('en');
  const lines: string[][] = [];
  for (const { query } of QUERIES) await run(query);
  const grownMb = (process.memoryUsage.rss() - emptyBytes) / 2 ** 20;
  const bare = bareTable(count, isLarge);
  for (const { name, query, sql } of QUERIES) {
    const took = { ours: [] as number[], bare: [] as number[], read: [] as number[] };
    for (let i = 0; i < WARM_UP; i++) await run(query);
    const { readUnits } = await metered(() => run(query));
    for (let round = 0; round < ROUNDS; round++) {
      took.ours.push(await timed(() => run(query)));
      took.bare.push(await timed(async () => JSON.stringify(bare.prepare(sql).all())));
      if (!isLarge) took.read.push(await timed(() => read(query)));
    }
    const [ours, alone] = [median(took.ours), median(took.bare)];
    const ordinaryMs = BUDGET.times * alone + BUDGET.plusMs;
    const budgetMs = isLarge ? Math.max(LARGE_MS, ordinaryMs) : ordinaryMs;
    const isWithin = ours <= budgetMs && readUnits <= BUDGET.units;
    const cells = [
      ours.toFixed(1),
      alone.toFixed(1),
      isLarge ? '' : median(took.read).toFixed(0),
      readUnits.toFixed(1),
      `≤ ${budgetMs.toFixed(1)} ms`,
    ];
    lines.push([size, name, ...cells, verdict(isWithin)]);
  }
  const cold: number[] = [];
  const all: number[] = [];
  const { query } = QUERIES[1]!;
  for (let round = 0; round < ROUNDS; round++) {
    closeFiles();
    cold.push(await timed(() => run(query)));
    if (!isLarge) all.push(await timed(() => read(query)));
  }
  const compared = isLarge
    ? ['', '', '', '']
    : [median(all).toFixed(0), '', `≤ ${times(BUDGET.cold)}`, verdict(median(cold) / median(all) <= BUDGET.cold)];
  lines.push([size, 'range filter and sort, cold', median(cold).toFixed(0), '', ...compared]);
  lines.push([size, 'the process grew by, MB', grownMb.toFixed(0), '', '', '', '', '']);
  lines.push([size, 'the snapshot is made', madeMs.toFixed(0), '', '', '', '', '']);
  bare.close();
  return lines;
}

function bareTable(count: number, isLarge: boolean): DatabaseSync {
  const db = new DatabaseSync(':memory:');
  db.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, email, age, city, score, note)');
  const insert = db.prepare('INSERT INTO t VALUES (?, ?, ?, ?, ?, ?)');
  db.exec('BEGIN');
  for (let id = 1; id <= count; id++) {
    const { email, age, city, score, note } = rowAt(id);
    insert.run(id, email, age, city!, score, isLarge ? null : note);
  }
  db.exec('COMMIT');
  return db;
}

async function timed(run: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await run();
  return performance.now() - startMs;
}
