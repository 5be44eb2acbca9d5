/**
 * Log of changed rows. Entries have a revision, which is reserved before the write, and list row ids. A reader of an
 * earlier revision reads the newer entries and their rows, and thus every acknowledged write:
 *
 * - A small write puts its entry in its own transaction.
 * - A large one opens an entry, writes its rows and closes the entry. Readers skip open entries, so that the rows
 * appear together. After a crash, an entry counts as closed when its time is up.
 * - A revision without an entry belongs to a failed write or one in progress. It is polled until it can no longer
 * arrive.
 *
 * Rows are authoritative and read again for each entry, so the order of entries is irrelevant.
 */
import { clock } from '#shared/core/clock.ts';
import { mapConcurrently } from '#shared/core/concurrency.ts';
import { between, type Item, queryAll, readItems } from '#shared/storage/dynamodb/engine/query.ts';
import { tryWrite, unconditional, type Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { LOG_RUN, logKey, revisionOfLogSk } from '#shared/storage/dynamodb/keys/tables.ts';
import { allocateIds } from './rowWrites.ts';
import type { LogState } from './snapshots.ts';

/** Exceeds the time from revision to write, including the SDK's retries. */
export const REVISION_MS = 90_000;
/** Duration of a large write within a call or a step of a job. */
const OPEN_MS = 180_000;
/** Exceeds {@link LOG_RETENTION_MS}. */
const TTL_SECONDS = 5 * 24 * 3600;
/** Maximum interval between reads of the log. Readers that are further behind may miss expired entries. */
export const LOG_RETENTION_MS = 3 * 24 * 3600 * 1000;

export type IdRange = readonly [from: number, to: number];

export interface LogEntry {
  revision: number;
  ranges: IdRange[];
  atMs: number;
  openUntilMs: number | undefined;
}

/** A revision reserved for a write, and the table's state at that moment. */
export interface Reservation {
  revision: number;
  rows: number;
  lastId: number;
  log: LogState;
}

export const reservationOf = ({ lastId, log }: { lastId: number; log: LogState }, rows: number): Reservation => ({
  revision: log.revision,
  rows,
  lastId,
  log,
});

export const reserveRevision = async (botId: string, tableId: string, rows: number): Promise<Reservation> =>
  reservationOf(await allocateIds(botId, tableId, 0, { loggedRows: rows }), rows);

export const putLogEntry = (botId: string, tableId: string, revision: number, ids: readonly number[]): Write => ({
  put: { Item: itemOf(botId, tableId, revision, ids) },
  onRefused: unconditional,
});

export async function openLogEntry(
  botId: string,
  tableId: string,
  revision: number,
  ids: readonly number[],
): Promise<number> {
  const openUntilMs = clock.now() + OPEN_MS;
  await tryWrite({ put: { Item: { ...itemOf(botId, tableId, revision, ids), openUntilMs } } });
  return openUntilMs;
}

export async function closeLogEntry(botId: string, tableId: string, revision: number): Promise<void> {
  await tryWrite({
    update: {
      Key: logKey(botId, tableId, revision),
      UpdateExpression: 'REMOVE openUntilMs',
      ConditionExpression: 'attribute_exists(pk)',
    },
  });
}

const itemOf = (botId: string, tableId: string, revision: number, ids: readonly number[]) => ({
  ...logKey(botId, tableId, revision),
  ids: formatRanges(mergeRanges(ids.map(id => [id, id]))),
  ttl: Math.ceil(clock.now() / 1000) + TTL_SECONDS,
});

const CHUNK = 1_024;

/** Returns revisions whose writes may be in progress, with their deadlines. */
export async function pendingRevisions(botId: string, tableId: string, upTo: number): Promise<Map<number, number>> {
  const nowMs = clock.now();
  const pending = new Map<number, number>();
  for (let to = upTo; to > 0; to -= CHUNK) {
    const from = Math.max(1, to - CHUNK + 1);
    const entries = await readLog(botId, tableId, { from, to }, []);
    let isRecent = entries.size === 0;
    for (let revision = from; revision <= to; revision++) {
      const entry = entries.get(revision);
      if (!entry) pending.set(revision, nowMs + REVISION_MS);
      else if (entry.openUntilMs !== undefined) pending.set(revision, entry.openUntilMs);
      isRecent ||= entry !== undefined && nowMs - entry.atMs < OPEN_MS + REVISION_MS;
    }
    if (!isRecent) break;
  }
  return pending;
}

const CONCURRENT_RUNS = 8;

/** Reads entries of an inclusive range of revisions, which may be empty, and of some earlier ones. */
export async function readLog(
  botId: string,
  tableId: string,
  { from, to }: { from: number; to: number },
  others: readonly number[],
): Promise<Map<number, LogEntry>> {
  const entries = new Map<number, LogEntry>();
  const add = (item: Item) => entries.set(revisionOfLogSk(item.sk), parseEntry(item));
  const runs: [number, number][] = [];
  for (let first = from; first <= to; ) {
    const last = Math.min(to, (Math.floor(first / LOG_RUN) + 1) * LOG_RUN - 1);
    runs.push([first, last]);
    first = last + 1;
  }
  const readOthers = async () => {
    if (others.length === 0) return;
    const items = await readItems(others.map(revision => logKey(botId, tableId, revision)));
    for (const item of items) if (item) add(item);
  };
  const readRuns = mapConcurrently(runs, CONCURRENT_RUNS, async ([first, last]) => {
    const { pk, sk } = logKey(botId, tableId, first);
    const query = { ...between({ pk, first: sk, last: logKey(botId, tableId, last).sk }), ConsistentRead: true };
    for await (const item of queryAll(query)) add(item);
  });
  await Promise.all([readOthers(), readRuns]);
  return entries;
}

const parseEntry = ({ sk, ids, ttl, openUntilMs }: Item): LogEntry => ({
  revision: revisionOfLogSk(sk),
  ranges: parseRanges(ids),
  atMs: (ttl - TTL_SECONDS) * 1000,
  openUntilMs,
});

/** Returns the fewest ascending ranges with the same ids. */
export function mergeRanges(ranges: readonly IdRange[]): IdRange[] {
  const merged: [number, number][] = [];
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

const formatRanges = (ranges: readonly IdRange[]): string =>
  ranges.map(([from, to]) => (from === to ? from : `${from}-${to}`)).join(',');

const parseRanges = (text: string): IdRange[] =>
  text.split(',').map(range => {
    const [from, to = from] = range.split('-').map(Number) as [number, number?];
    return [from, to];
  });
