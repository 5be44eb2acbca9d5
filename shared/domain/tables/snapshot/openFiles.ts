import { clock } from '#shared/core/clock.ts';
import { errorFields, log } from '#shared/core/log.ts';
import type { RowSource } from '#shared/domain/tables/reading/source.ts';
import { isTooLarge, type LogState, type Snapshot } from '#shared/storage/dynamodb/tables/snapshots.ts';
import type { Table } from '#shared/storage/dynamodb/tables/tables.ts';
import { enqueueSnapshot } from '#shared/storage/queues/snapshotJobs.ts';
import { catchUp, type Position } from './catchUpSnapshot.ts';
import type { RowFile } from './rowFile.ts';

/** Smaller tables take at most two DynamoDB pages and are read directly. */
const ROWS_FROM = 500;
/** Limit for all files: a function has 512 MB of disk space. */
export const FILES_BYTES = 400_000_000;
/** Rebuild a snapshot that is this many rows behind. */
const TAIL_ROWS = 2_000;
const ASK_AGAIN_MS = 60_000;
/** Retry interval for a table that was too large, because it may have shrunk. */
const TRY_AGAIN_MS = 24 * 3600 * 1000;

interface Opened {
  position: Position;
  bytes: number;
}

const opened = new Map<string, Opened>();
const turns = new Map<string, Promise<unknown>>();
const askedMs = new Map<string, number>();

/**
 * Runs a query on the snapshot file, including all rows written before `source` was read.
 * @param isWorthLoading false uses the file only if it is already open
 */
export async function queryFromSnapshot<T>(
  source: RowSource,
  isWorthLoading: boolean,
  answer: (file: RowFile) => T | undefined,
): Promise<T | undefined> {
  const { bot, table, log: state } = source;
  if (!state || source.lastId < ROWS_FROM) return undefined;
  const name = `${bot.id}#${table.id}`;
  if (!isWorthLoading && !opened.has(name)) return undefined;
  return inTurn(name, async () => {
    try {
      const file = await currentFile(bot.id, table, state, name);
      return file && answer(file);
    } catch (error) {
      // Rows in DynamoDB are authoritative: read them instead.
      log.error('A query of a snapshot failed.', { tableId: table.id, error: errorFields(error) });
      close(name);
      return undefined;
    }
  });
}

async function inTurn<T>(name: string, run: () => Promise<T>): Promise<T> {
  const before = turns.get(name);
  const turn = (before ?? Promise.resolve()).then(run);
  const settled = turn.catch(() => undefined);
  turns.set(name, settled);
  try {
    return await turn;
  } finally {
    if (turns.get(name) === settled) turns.delete(name);
  }
}

async function currentFile(botId: string, table: Table, state: LogState, name: string): Promise<RowFile | undefined> {
  const known = opened.get(name);
  if (known) {
    opened.delete(name);
    opened.set(name, known);
    if ((await catchUp(botId, table, known.position, state.revision)) !== undefined) return known.position.file;
    close(name);
    // The file was too far behind. The snapshot is too, unless it is newer.
    if ((state.snapshot?.revision ?? 0) <= known.position.revision)
      return requestSnapshot(botId, table, state.snapshot, name);
  }
  const { snapshot } = state;
  if (!snapshot) return requestSnapshot(botId, table, undefined, name);
  if (isTooLarge(snapshot)) {
    return clock.now() - snapshot.madeAtMs > TRY_AGAIN_MS ? requestSnapshot(botId, table, snapshot, name) : undefined;
  }
  const { openSnapshot } = await import('./localFiles.ts');
  const position = await openSnapshot(snapshot);
  if (!position) return requestSnapshot(botId, table, snapshot, name, true);
  makeRoom(snapshot.bytes);
  opened.set(name, { position, bytes: snapshot.bytes });
  const rows = await catchUp(botId, table, position, state.revision);
  if (rows === undefined) close(name);
  if (rows === undefined || rows > TAIL_ROWS) await requestSnapshot(botId, table, snapshot, name);
  return rows === undefined ? undefined : position.file;
}

async function requestSnapshot(
  botId: string,
  table: Table,
  known: Snapshot | undefined,
  name: string,
  isLost = false,
): Promise<undefined> {
  if (clock.now() - (askedMs.get(name) ?? 0) < ASK_AGAIN_MS) return;
  if (askedMs.size > 1_000) askedMs.clear();
  askedMs.set(name, clock.now());
  const job = { botId, tableId: table.id, seen: known?.revision ?? -1, isLost };
  // The query reads the rows instead, so it must not fail.
  await enqueueSnapshot(job).catch(error =>
    log.error('Failed to request a snapshot.', { tableId: table.id, error: errorFields(error) }),
  );
}

function makeRoom(bytes: number): void {
  let used = bytes;
  for (const each of opened.values()) used += each.bytes;
  for (const [name, each] of opened) {
    if (used <= FILES_BYTES) return;
    used -= each.bytes;
    close(name);
  }
}

export function closeFiles(): void {
  for (const name of [...opened.keys()]) close(name);
}

function close(name: string): void {
  opened.get(name)?.position.file.close();
  opened.delete(name);
}
