/** A crashed run leaves at most an object, which a later run deletes. Concurrent runs keep the later revision. */

import { createReadStream, createWriteStream, rmSync, statSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { constants, crc32, createZstdCompress } from 'node:zlib';
import { clock } from '#shared/core/clock.ts';
import { ApiError } from '#shared/core/errors.ts';
import type { Row } from '#shared/storage/dynamodb/tables/row.ts';
import { pendingRevisions } from '#shared/storage/dynamodb/tables/rowLog.ts';
import { rowsInOrder } from '#shared/storage/dynamodb/tables/rowReads.ts';
import { type Snapshot, setCurrentSnapshot, tailOf } from '#shared/storage/dynamodb/tables/snapshots.ts';
import { requireTableWithIds, type TableWithIds } from '#shared/storage/dynamodb/tables/tables.ts';
import { startLog } from '#shared/storage/dynamodb/tables/tableWrites.ts';
import type { SnapshotJob } from '#shared/storage/queues/snapshotJobs.ts';
import { firstSnapshotObject, newSnapshotObject, snapshotPrefix } from '#shared/storage/s3/prefixes.ts';
import { catchUp } from './catchUpSnapshot.ts';
import { CHUNK_BYTES, download, newLocalPath, positionOf, removeLocalPath } from './localFiles.ts';
import { FILES_BYTES } from './openFiles.ts';
import type { Position } from './position.ts';
import { TAIL_ROWS } from './requestSnapshot.ts';
import { RowFile } from './rowFile.ts';

/** Calls that read the table before its log was started write rows without log entries, and end within this time. */
const QUIET_MS = 60_000;
/** Up to this many rows that are older than the log are read again for each query, so that none waits for that time. */
const UNSETTLED_ROWS = 5_000;
/** Unless they are more than this share of the table. */
const UNSETTLED_SHARE = 0.2;
const CHUNK_ROWS = 1_000;
const READING = { highWaterMark: CHUNK_BYTES };
/** Larger files are stored as they are: a function has no disk space for both. */
const COMPRESSED_BYTES = 200_000_000;

export type SnapshotOutcome =
  | { outcome: 'fresh' | 'gone' | 'tooLarge' }
  /** `next` builds the rows that arrived during this run. */
  | { outcome: 'made'; next?: SnapshotJob }
  | { outcome: 'quietPeriod'; waitMs: number };

export async function makeSnapshot(
  job: SnapshotJob,
  { isTimeLeft, quietMs = QUIET_MS }: { isTimeLeft: () => boolean; quietMs?: number },
): Promise<SnapshotOutcome> {
  const { botId, tableId } = job;
  const source = await findSource(job);
  if (!source) return { outcome: 'gone' };
  const { loggedSinceMs } = source.table;
  if (loggedSinceMs === undefined) {
    await startLog(botId, tableId, clock.now());
    return { outcome: 'quietPeriod', waitMs: quietMs };
  }
  const untilMs = loggedSinceMs + quietMs;
  const waitMs = untilMs - clock.now();
  const unsettled = waitMs > 0 ? { upTo: source.log.loggedFromId ?? Number.POSITIVE_INFINITY, untilMs } : undefined;
  if (unsettled && unsettled.upTo > Math.min(UNSETTLED_ROWS, UNSETTLED_SHARE * source.lastId)) {
    return { outcome: 'quietPeriod', waitMs };
  }
  if ((source.log.snapshot?.revision ?? -1) > job.seen) return { outcome: 'fresh' };
  const path = newLocalPath();
  try {
    const position =
      (await fromSnapshot(job, source, path)) ?? (await fromRows(botId, source, path, { isTimeLeft, unsettled }));
    const snapshot = position ? await putSnapshot(job, position, path) : tooLarge(source);
    const isLatest = await setCurrentSnapshot(botId, tableId, snapshot);
    if (isLatest) await deleteFormer(job, (source.log.snapshot ?? snapshot).revision);
    else if (snapshot.object) await (await objects()).deleteObject(snapshot.object);
    if (!position) return { outcome: 'tooLarge' };
    return isLatest ? { outcome: 'made', ...(await nextOf(job, snapshot)) } : { outcome: 'fresh' };
  } finally {
    removeLocalPath(path);
  }
}

/** Writers request a snapshot once per step, so the run that has missed the last rows continues. */
async function nextOf({ botId, tableId }: SnapshotJob, { revision }: Snapshot): Promise<{ next?: SnapshotJob }> {
  const source = await findSource({ botId, tableId });
  const isBehind = source !== undefined && tailOf(source.log) > TAIL_ROWS;
  return isBehind ? { next: { botId, tableId, seen: revision, isLost: false } } : {};
}

async function findSource({
  botId,
  tableId,
}: Pick<SnapshotJob, 'botId' | 'tableId'>): Promise<TableWithIds | undefined> {
  try {
    return await requireTableWithIds(botId, tableId);
  } catch (error) {
    if (error instanceof ApiError && error.type === 'ResourceNotFound') return undefined;
    throw error;
  }
}

async function fromSnapshot(
  job: SnapshotJob,
  { table, log }: TableWithIds,
  path: string,
): Promise<Position | undefined> {
  if (!log.snapshot?.object || job.isLost || !(await download(log.snapshot, path))) return undefined;
  const position = positionOf(RowFile.open(path), log.snapshot);
  if ((await catchUp(job.botId, table, position, log)) !== undefined) return position;
  position.file.close();
  return undefined;
}

async function fromRows(
  botId: string,
  { table, lastId, log }: TableWithIds,
  path: string,
  { isTimeLeft, unsettled }: { isTimeLeft: () => boolean; unsettled: Snapshot['unsettled'] },
): Promise<Position | undefined> {
  rmSync(path, { force: true });
  const atMs = clock.now();
  const pending = await pendingRevisions(botId, table.id, log.revision);
  const file = RowFile.create(path);
  file.addColumns(table.columns);
  let chunk: Row[] = [];
  const range = { from: 1, to: Math.max(1, lastId), direction: 'asc' } as const;
  for await (const row of rowsInOrder(botId, table.id, lastId, range)) {
    chunk.push(row);
    if (chunk.length < CHUNK_ROWS) continue;
    file.change(chunk, []);
    chunk = [];
    if (isTimeLeft() && statSync(path).size < FILES_BYTES) continue;
    file.close();
    return undefined;
  }
  file.change(chunk, []);
  const isUnsettled = unsettled !== undefined && unsettled.upTo > 0;
  return {
    file,
    revision: log.revision,
    pending,
    atMs,
    loggedRows: log.loggedRows,
    unsettled: isUnsettled ? unsettled : undefined,
  };
}

async function putSnapshot({ botId, tableId }: SnapshotJob, position: Position, path: string): Promise<Snapshot> {
  const { file, revision, pending, atMs, loggedRows, unsettled } = position;
  file.close();
  const bytes = statSync(path).size;
  const object = newSnapshotObject(botId, tableId, revision);
  const isCompressed = bytes <= COMPRESSED_BYTES;
  const stored = isCompressed ? await compress(path) : path;
  const checksum = await checksumOf(stored);
  await (await objects()).putFileObject(object, stored, statSync(stored).size);
  const content = { object, bytes, checksum, isCompressed };
  return { ...content, revision, pending: [...pending], madeAtMs: atMs, loggedRows, unsettled };
}

/** @returns the path of the compressed file, in the same folder */
async function compress(path: string): Promise<string> {
  const compressed = `${path}.zst`;
  const zstd = createZstdCompress({ chunkSize: CHUNK_BYTES, params: { [constants.ZSTD_c_compressionLevel]: 1 } });
  await pipeline(createReadStream(path, READING), zstd, createWriteStream(compressed, { mode: 0o600 }));
  return compressed;
}

async function checksumOf(path: string): Promise<number> {
  let sum = 0;
  for await (const chunk of createReadStream(path, READING)) sum = crc32(chunk, sum);
  return sum;
}

const tooLarge = ({ log }: TableWithIds): Snapshot => ({
  object: '',
  revision: log.revision,
  pending: [],
  bytes: 0,
  checksum: 0,
  madeAtMs: clock.now(),
  loggedRows: log.loggedRows,
});

/** Keeps the previous snapshot, which a query may be loading, and deletes older snapshots. */
async function deleteFormer({ botId, tableId }: SnapshotJob, revision: number): Promise<void> {
  const { deleteObjects } = await objects();
  await deleteObjects(snapshotPrefix(botId, tableId), {
    has: key => key >= firstSnapshotObject(botId, tableId, revision),
  });
}

const objects = () => import('#shared/storage/s3/objects.ts');
