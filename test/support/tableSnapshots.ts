/** Builds snapshots of tables, and compares their queries with a scan. */
import { expect } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { queryRows } from '#shared/domain/tables/find/queryRows.ts';
import type { RowQuery, RowSource } from '#shared/domain/tables/reading/source.ts';
import { makeSnapshot } from '#shared/domain/tables/snapshot/makeSnapshot.ts';
import { queryFromSnapshot } from '#shared/domain/tables/snapshot/openFiles.ts';
import type { Row } from '#shared/storage/dynamodb/tables/row.ts';
import { rowsInOrder } from '#shared/storage/dynamodb/tables/rowReads.ts';
import { requireTableWithIds } from '#shared/storage/dynamodb/tables/tables.ts';
import type { SnapshotJob } from '#shared/storage/queues/snapshotJobs.ts';
import type { TestBot } from './platform.ts';

export const sourceOf = async (bot: TestBot, table: string) => ({
  bot: { id: bot.id, workspaceId: bot.workspace.id },
  ...(await requireTableWithIds(bot.id, table)),
  deadlineMs: clock.now() + 60_000,
});

/** @param quietMs undefined for the time of the function */
export const makeSnapshotOf = (bot: TestBot, table: string, job: Partial<SnapshotJob> = {}, quietMs?: number) =>
  makeSnapshot(
    { botId: bot.id, tableId: table, seen: -1, isLost: false, ...job },
    { isTimeLeft: () => true, ...(quietMs === undefined ? {} : { quietMs }) },
  );

/** Queries of rows with the columns `name`, `age` and `tags`. */
const QUERIES: Partial<RowQuery>[] = [
  { filter: { name: 'n3' } },
  { filter: { age: { $gte: 40 } }, orderBy: 'age', orderDirection: 'desc' },
  { filter: { 'tags.0': 't1' }, orderBy: 'name', offset: 20 },
  { filter: { name: { $regex: '^n[12]$' } }, limit: 1000 },
  { group: { name: ['key'], age: ['sum', 'count', 'max'] } },
  { group: { tags: ['unique'], name: ['key'] } },
  { limit: 1000 },
  { offset: 690 },
];

/** Queries the file, which must exist, and the rows. */
export async function expectSame(bot: TestBot, table: string): Promise<void> {
  const source: RowSource = await sourceOf(bot, table);
  const { log: _, ...rowsAlone } = source;
  const [inFile, inRows] = [
    await queryFromSnapshot(source, true, file => file.count),
    (await queryRows(rowsAlone, { group: { id: 'count' }, limit: 1, offset: 0 })).rows[0]!.idCount,
  ];
  expect(inFile).toBe(inRows);
  for (const query of QUERIES) {
    const whole = { limit: 100, offset: 0, ...query };
    expect(await queryRows(source, whole)).toEqual(await queryRows(rowsAlone, whole));
  }
}

/** Compares all rows of the file, which must exist, with those of the table. */
export async function expectSameRows(bot: TestBot, table: string): Promise<void> {
  const source = await sourceOf(bot, table);
  const inFile = await queryFromSnapshot(source, true, file => file.rows('ORDER BY id', []));
  const rows: Row[] = [];
  const range = { from: 1, to: Math.max(1, source.lastId), direction: 'asc' } as const;
  for await (const row of rowsInOrder(bot.id, table, source.lastId, range)) rows.push(row);
  expect(inFile).toEqual(rows);
}
