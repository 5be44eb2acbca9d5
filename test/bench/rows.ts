/** Section `rows`: finding rows compared with a bare parallel read of the same bytes, and how both grow. */
import { randomUUID } from 'node:crypto';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { environment } from '#shared/core/environment.ts';
import { defineTable } from '#shared/domain/tables/defineTable.ts';
import { queryRows } from '#shared/domain/tables/find/queryRows.ts';
import type { RowQuery, RowSource } from '#shared/domain/tables/reading/source.ts';
import { checkRow } from '#shared/domain/tables/rows/checkRow.ts';
import { insertRows } from '#shared/domain/tables/rows/insertRows.ts';
import { newRow } from '#shared/domain/tables/rows/newRow.ts';
import { emptyOutcome } from '#shared/domain/tables/rows/outcome.ts';
import { documents } from '#shared/storage/dynamodb/engine/client.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { rowPartsUpTo, rowsPk } from '#shared/storage/dynamodb/keys/tables.ts';
import { allocateIds } from '#shared/storage/dynamodb/tables/rowWrites.ts';
import type { Table } from '#shared/storage/dynamodb/tables/tables.ts';
import { putNewTable } from '#shared/storage/dynamodb/tables/tableWrites.ts';
import { metered } from './metered.ts';
import { type Section, times, verdict } from './report.ts';
import { median } from './statistics.ts';

const COUNTS = [1_000, 10_000, 100_000];
const BATCH = 1_000;
const ROUNDS = 5;
const BUDGET = 2;
const MEMORY_MB = 256;
const CITIES = ['Bern', 'London', 'Paris', 'Rome', 'Oslo', 'Wien', 'Kyiv', 'Lima'];

/** Rows are half a kilobyte. */
export const rowAt = (n: number) => ({
  email: `${n}@example.com`,
  age: (n * 7919) % 100,
  city: CITIES[n % CITIES.length],
  score: (n * 104_729) % 1_000_003,
  note: `${n} `.padEnd(400, 'lorem ipsum '),
});

const QUERIES: [name: string, query: (count: number) => Partial<RowQuery>, scans: boolean][] = [
  ['by id', count => ({ filter: { id: count / 2 } }), false],
  ['by key', count => ({ filter: { email: `${count / 2}@example.com` } }), false],
  ['first 100', () => ({}), false],
  ['filter', () => ({ filter: { age: 17, city: 'Rome', score: { $lt: 100 } } }), true],
  ['filter and sort', () => ({ filter: { age: { $gte: 50 } }, orderBy: 'score' }), true],
  ['sort', () => ({ orderBy: 'score', orderDirection: 'desc' }), true],
  ['regex', () => ({ filter: { note: { $regex: '^(99+|77+) lorem' } } }), true],
  ['group', () => ({ group: { city: 'key', age: 'avg', score: ['min', 'max'] } }), true],
];

export async function measure(): Promise<Section> {
  const lines: string[][] = [];
  let least: Map<string, number> | undefined;
  const { rowsPerSecond: withoutKey } = await fill(COUNTS[1]!, null);
  const throughput = [`${COUNTS[1]!.toLocaleString('en')} rows without a key: ${Math.round(withoutKey)} a second`];
  let peakMb = 0;
  for (const count of COUNTS) {
    const { source, rowsPerSecond } = await fill(count);
    throughput.push(`${count.toLocaleString('en')} rows with a key: ${Math.round(rowsPerSecond)} a second`);
    const floorMs = await timed(() => bareRead(source));
    const tookMs = new Map<string, number>();
    for (const [name, query, scans] of QUERIES) {
      const run = () => queryRows(source, { limit: 100, offset: 0, ...query(count) });
      const { calls, readUnits } = await metered(run);
      global.gc?.();
      const beforeMb = process.memoryUsage.rss() / 1e6;
      const watch = setInterval(() => {
        peakMb = Math.max(peakMb, process.memoryUsage.rss() / 1e6 - beforeMb);
      }, 20);
      const ms = await timed(run);
      clearInterval(watch);
      tookMs.set(name, ms);
      const isJudged = scans && count === COUNTS.at(-1);
      lines.push([
        count.toLocaleString('en'),
        name,
        String(calls),
        readUnits.toFixed(0),
        ms.toFixed(1),
        scans ? times(ms / floorMs) : '',
        isJudged ? `≤ ${BUDGET}×` : '',
        isJudged ? verdict(ms / floorMs <= BUDGET) : '',
        least ? times(ms / least.get(name)!) : '',
      ]);
    }
    lines.push([count.toLocaleString('en'), 'bare read of all', '', '', floorMs.toFixed(1), '', '', '', '']);
    least ??= tookMs;
  }
  return {
    title: 'Rows of tables',
    measures: `Finding rows of half a kilobyte; bare is a parallel read of the same partitions that discards the items. Medians of ${ROUNDS}.`,
    columns: ['rows', 'find', 'DynamoDB calls', 'read units', 'ms', '× of bare', 'budget', '', '× at 1,000'],
    rows: lines,
    notes: [
      `Written: ${throughput.join('; ')}.`,
      `The process grew by at most ${Math.round(peakMb)} MB during a query (budget ${MEMORY_MB} MB: ${verdict(peakMb <= MEMORY_MB)}).`,
      'Calls, units and ratios hold on AWS. Times are those of DynamoDB Local.',
    ],
  };
}

export async function fill(
  count: number,
  keyColumn: string | null = 'email',
  rowOf: (n: number) => Record<string, unknown> = rowAt,
): Promise<{ source: RowSource; rowsPerSecond: number }> {
  const bot = { id: randomUUID(), workspaceId: 'bench' };
  const nowMs = Date.now();
  const table: Table = defineTable('benchTable', { schema: rowOf(0), keyColumn }, nowMs);
  await write(putNewTable(bot.id, table));
  const startMs = performance.now();
  for (let done = 0; done < count; done += BATCH) {
    const { lastId } = await allocateIds(bot.id, table.id, BATCH);
    const rows = Array.from({ length: BATCH }, (_, index) => {
      const id = lastId - BATCH + 1 + index;
      return { index, row: newRow(table, checkRow(table.columns, rowOf(id), { isNew: true }).set, id, nowMs) };
    });
    await insertRows({ bot, table, nowMs }, rows, emptyOutcome());
  }
  const rowsPerSecond = count / ((performance.now() - startMs) / 1000);
  return { source: { bot, table, lastId: count, deadlineMs: Date.now() + 3_600_000 }, rowsPerSecond };
}

/** Reads a whole table with one query after another. */
async function bareRead({ bot, table, lastId }: RowSource): Promise<number> {
  const counts = await Promise.all(
    rowPartsUpTo(lastId).map(async part => {
      let seen = 0;
      let after: Record<string, unknown> | undefined;
      do {
        const { Items = [], LastEvaluatedKey } = await documents.send(
          new QueryCommand({
            TableName: environment.tableName,
            KeyConditionExpression: 'pk = :pk',
            ExpressionAttributeValues: { ':pk': rowsPk(bot.id, table.id, part) },
            ConsistentRead: true,
            ExclusiveStartKey: after,
          }),
        );
        seen += Items.length;
        after = LastEvaluatedKey;
      } while (after);
      return seen;
    }),
  );
  const seen = counts.reduce((sum, each) => sum + each, 0);
  if (seen !== lastId) throw new Error(`Read ${seen} of ${lastId} rows.`);
  return seen;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const tookMs: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    const startMs = performance.now();
    await work();
    tookMs.push(performance.now() - startMs);
  }
  return median(tookMs);
}
