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
import type { LogState } from '#shared/storage/dynamodb/tables/snapshots.ts';
import { findTable, type Table } from '#shared/storage/dynamodb/tables/tables.ts';
import type { Mark, Position } from './position.ts';
import type { RowFile } from './rowFile.ts';

/** With more to read, a new snapshot is cheaper. */
const REVISIONS_LIMIT = 5_000;
const ROWS_LIMIT = 30_000;
/** Reading a range of this size costs less than reading its rows by id. */
const RANGE_ROWS = 50;
const CONCURRENT_RANGES = 4;

/** @returns the number of logged rows read; undefined if there is too much to read or the log may be incomplete */
export async function catchUp(
  botId: string,
  table: Table,
  position: Position,
  log: LogState,
): Promise<number | undefined> {
  const changes = await readChanges(botId, table.id, position, log);
  return changes && applyChanges(botId, table, position, changes);
}

export interface Changes {
  rows: readonly Row[];
  removedIds: readonly number[];
  loggedRows: number;
  mark: Mark;
}

/** Reads what has changed since a mark. Needs no file. @returns undefined like {@link catchUp} */
export async function readChanges(
  botId: string,
  tableId: string,
  mark: Mark,
  { revision, loggedRows }: LogState,
): Promise<Changes | undefined> {
  const { pending, unsettled } = mark;
  if (revision <= mark.revision && pending.size === 0 && !unsettled) {
    return { rows: [], removedIds: [], loggedRows: 0, mark };
  }
  const atMs = clock.now();
  if (atMs - mark.atMs > LOG_RETENTION_MS || revision - mark.revision > REVISIONS_LIMIT) return undefined;
  const range = { from: mark.revision + 1, to: revision };
  const entries = await readLog(botId, tableId, range, [...pending.keys()]);
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
  const rows = await readRanges(botId, tableId, ranges);
  const found = new Set(rows.map(({ id }) => id));
  return {
    rows,
    removedIds: idsOf(ranges).filter(id => !found.has(id)),
    loggedRows: rows.filter(({ id }) => !unsettled || id > unsettled.upTo).length,
    mark: {
      revision: Math.max(mark.revision, revision),
      pending: still,
      atMs,
      loggedRows: Math.max(mark.loggedRows, loggedRows),
      // The rows were read after that time, so this was the last reading.
      unsettled: unsettled && atMs <= unsettled.untilMs ? unsettled : undefined,
    },
  };
}

/** @returns the number of logged rows */
export async function applyChanges(
  botId: string,
  table: Table,
  position: Position,
  { rows, removedIds, loggedRows, mark }: Changes,
): Promise<number> {
  position.file.addColumns(table.columns);
  await addNewColumns(botId, table, position.file, rows);
  if (rows.length > 0 || removedIds.length > 0) position.file.change(rows, removedIds);
  Object.assign(position, mark);
  return loggedRows;
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
