/**
 * The log of a table's changed rows. An entry names rows that a write changes, and has a revision that was given out
 * before. Who holds the rows of an earlier revision reads the entries since, then these rows, and has every write that
 * was answered before:
 *
 * - A small write puts its entry in its own transaction.
 * - A large one opens an entry, writes its rows, and closes the entry: nobody looks at the rows in between, so they
 *   appear together. An entry whose writer died counts as closed when its time is up.
 * - A revision without an entry belongs to a write in progress, or to one that failed. It is looked for until it cannot
 *   come any more.
 *
 * The rows themselves stay the truth: whoever finds an entry reads them anew, so that the order of entries does not
 * matter.
 */
import { clock } from '#shared/core/clock.ts';
import { mapConcurrently } from '#shared/core/concurrency.ts';
import { LOG_RUN, logKey, revisionOfLogSk } from '#shared/storage/dynamodb/keys/tables.ts';
import { between, type Item, queryAll, readItems } from '#shared/storage/dynamodb/query.ts';
import { tryWrite, unconditional, type Write } from '#shared/storage/dynamodb/transaction.ts';
import { allocateIds } from './rowWrites.ts';

/** A write follows its revision at once; with all repetitions of the SDK it takes less. */
export const REVISION_MS = 90_000;
/** A large write within a call or a step of a job. */
const OPEN_MS = 180_000;
/** Longer than anybody goes without reading the log: see {@link LOG_KEPT_MS}. */
const TTL_SECONDS = 5 * 24 * 3600;
/** Who has not read the log for this long may miss entries that have expired. */
export const LOG_KEPT_MS = 3 * 24 * 3600 * 1000;

/** A range of row ids, both included. */
export type IdRange = readonly [from: number, to: number];

export interface LogEntry {
  revision: number;
  ranges: IdRange[];
  atMs: number;
  /** While the rows are being written, and no longer than this. */
  openUntilMs: number | undefined;
}

/** @returns a revision, which is higher than all before @throws ApiError ResourceNotFound when the table is gone */
export const reserveRevision = async (botId: string, tableId: string): Promise<number> =>
  (await allocateIds(botId, tableId, 0, true)).revision!;

/** The entry of a write, for its transaction. */
export const putLogEntry = (botId: string, tableId: string, revision: number, ids: readonly number[]): Write => ({
  put: { Item: itemOf(botId, tableId, revision, ids) },
  onRefused: unconditional,
});

/** @returns until when the rows have to be written */
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

/** Revisions are looked at in chunks of so many. */
const CHUNK = 1_024;

/** The revisions up to one whose writes may be in progress, and until when they may come. */
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

const RUNS_AT_ONCE = 8;

/**
 * The entries among a range of revisions, and among some earlier ones.
 * @param range both included; empty when `from` exceeds `to`
 */
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
  const readRuns = mapConcurrently(runs, RUNS_AT_ONCE, async ([first, last]) => {
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

/** The same ids in as few ranges as possible, ascending. */
export function mergeRanges(ranges: readonly IdRange[]): IdRange[] {
  const merged: [number, number][] = [];
  for (const [from, to] of ranges.toSorted((a, b) => a[0] - b[0])) {
    const last = merged.at(-1);
    if (last && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else merged.push([from, to]);
  }
  return merged;
}

/** `1-500,507`. An entry of 1,000 ids far apart has some 10 KB. */
const formatRanges = (ranges: readonly IdRange[]): string =>
  ranges.map(([from, to]) => (from === to ? from : `${from}-${to}`)).join(',');

const parseRanges = (text: string): IdRange[] =>
  text.split(',').map(range => {
    const [from, to = from] = range.split('-').map(Number) as [number, number?];
    return [from, to];
  });
