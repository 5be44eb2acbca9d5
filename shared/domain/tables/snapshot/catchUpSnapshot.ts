import { clock } from '#shared/core/clock.ts';
import { mapConcurrently } from '#shared/core/concurrency.ts';
import type { Row } from '#shared/storage/dynamodb/tables/row.ts';
import {
  type IdRange,
  LOG_RETENTION_MS,
  mergeRanges,
  REVISION_MS,
  readLog,
} from '#shared/storage/dynamodb/tables/rowLog.ts';
import { findRows, visitRows } from '#shared/storage/dynamodb/tables/rowReads.ts';
import type { LogState, Snapshot } from '#shared/storage/dynamodb/tables/snapshots.ts';
import { findTable, type Table } from '#shared/storage/dynamodb/tables/tables.ts';
import type { RowFile } from './rowFile.ts';

/** A file with every row as of `revision` or later, except for pending writes. */
export interface Position {
  file: RowFile;
  revision: number;
  pending: Map<number, number>;
  atMs: number;
  loggedRows: number;
  /** Rows that are read again for each query, because they may change without a log entry. */
  unsettled: Snapshot['unsettled'];
}

/** With more to read, a new snapshot is cheaper. */
const REVISIONS_LIMIT = 5_000;
const ROWS_LIMIT = 30_000;
/** Reading a range of this size costs less than reading its rows by id. */
const RANGE_ROWS = 50;
const CONCURRENT_RANGES = 4;

/**
 * @returns the number of logged rows that were read; undefined if there is too much to read or the log may be incomplete
 */
export async function catchUp(
  botId: string,
  table: Table,
  position: Position,
  { revision, loggedRows }: Pick<LogState, 'revision' | 'loggedRows'>,
): Promise<number | undefined> {
  const { file, pending, unsettled } = position;
  file.addColumns(table.columns);
  if (revision <= position.revision && pending.size === 0 && !unsettled) return 0;
  const atMs = clock.now();
  if (atMs - position.atMs > LOG_RETENTION_MS || revision - position.revision > REVISIONS_LIMIT) return undefined;
  const range = { from: position.revision + 1, to: revision };
  const entries = await readLog(botId, table.id, range, [...pending.keys()]);
  const still = new Map<number, number>();
  const changed: IdRange[] = [];
  const revisions = [
    ...pending.keys(),
    ...Array.from({ length: Math.max(0, revision - range.from + 1) }, (_, i) => range.from + i),
  ];
  for (const each of revisions) {
    const entry = entries.get(each);
    const untilMs = entry?.openUntilMs ?? pending.get(each) ?? atMs + REVISION_MS;
    const isWritten = entry !== undefined && entry.openUntilMs === undefined;
    if (!isWritten && atMs <= untilMs) still.set(each, untilMs);
    else if (entry) changed.push(...entry.ranges);
  }
  const ranges = mergeRanges(unsettled ? [...changed, [1, unsettled.upTo]] : changed);
  if (ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0) > ROWS_LIMIT) return undefined;
  const rows = await readRanges(botId, table.id, ranges);
  await addNewColumns(botId, table, file, rows);
  const found = new Set(rows.map(({ id }) => id));
  file.change(
    rows,
    idsOf(ranges).filter(id => !found.has(id)),
  );
  position.revision = Math.max(position.revision, revision);
  position.loggedRows = Math.max(position.loggedRows, loggedRows);
  position.pending = still;
  position.atMs = atMs;
  if (unsettled && atMs > unsettled.untilMs) position.unsettled = undefined;
  return rows.filter(({ id }) => !unsettled || id > unsettled.upTo).length;
}

/** Columns may have been added after the table was read, and rows may already use them. */
async function addNewColumns(botId: string, table: Table, file: RowFile, rows: readonly Row[]): Promise<void> {
  const isNew = rows.some(({ values }) => Object.keys(values).some(id => !file.hasColumn(id)));
  if (!isNew) return;
  const current = await findTable(botId, table.id);
  if (current) file.addColumns(current.columns);
}

const idsOf = (ranges: readonly IdRange[]): number[] =>
  ranges.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, i) => from + i));

async function readRanges(botId: string, tableId: string, ranges: readonly IdRange[]): Promise<Row[]> {
  const isLong = ([from, to]: IdRange) => to - from >= RANGE_ROWS;
  const rows: Row[] = [];
  const read = async ([from, to]: IdRange) => {
    await visitRows(botId, tableId, to, { from, to, direction: 'asc' }, row => {
      rows.push(row);
      return false;
    });
  };
  const [single] = await Promise.all([
    findRows(botId, tableId, idsOf(ranges.filter(range => !isLong(range)))),
    mapConcurrently(ranges.filter(isLong), CONCURRENT_RANGES, read),
  ]);
  rows.push(...single.filter(row => row !== undefined));
  return rows;
}
