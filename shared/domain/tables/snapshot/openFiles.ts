import { clock } from '#shared/core/clock.ts';
import { errorFields, log } from '#shared/core/log.ts';
import type { RowSource } from '#shared/domain/tables/reading/source.ts';
import { isTooLarge, type LogState, type Snapshot } from '#shared/storage/dynamodb/tables/snapshots.ts';
import type { Table } from '#shared/storage/dynamodb/tables/tables.ts';
import { applyChanges, catchUp, readChanges } from './catchUpSnapshot.ts';
import { markOf, type Position } from './position.ts';
import { requestSnapshot, TAIL_ROWS } from './requestSnapshot.ts';
import type { RowFile } from './rowFile.ts';

/** Smaller tables take at most two DynamoDB pages and are read directly. */
const ROWS_FROM = 500;
/** Limit for all files: a function has 512 MB of disk space. */
export const FILES_BYTES = 400_000_000;
/** Retry interval for a table that was too large, because it may have shrunk. */
const TRY_AGAIN_MS = 24 * 3600 * 1000;

interface Opened {
  position: Position;
  bytes: number;
}

const opened = new Map<string, Opened>();
const turns = new Map<string, Promise<unknown>>();

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
  const request = async (seen: Snapshot | undefined, isLost = false): Promise<undefined> => {
    await requestSnapshot(botId, table.id, seen, isLost);
  };
  const known = opened.get(name);
  if (known) {
    opened.delete(name);
    opened.set(name, known);
    if ((await catchUp(botId, table, known.position, state)) !== undefined) return known.position.file;
    close(name);
    // The file was too far behind. The snapshot is too, unless it is newer.
    if ((state.snapshot?.revision ?? 0) <= known.position.revision) return request(state.snapshot);
  }
  const { snapshot } = state;
  if (!snapshot) return request(undefined);
  if (isTooLarge(snapshot)) {
    return clock.now() - snapshot.madeAtMs > TRY_AGAIN_MS ? request(snapshot) : undefined;
  }
  const { openSnapshot } = await import('./localFiles.ts');
  const [position, changes] = await Promise.all([
    openSnapshot(snapshot),
    readChanges(botId, table.id, markOf(snapshot), state),
  ]);
  if (!position) return request(snapshot, true);
  makeRoom(snapshot.bytes);
  opened.set(name, { position, bytes: snapshot.bytes });
  const rows = changes && (await applyChanges(botId, table, position, changes));
  if (rows === undefined) close(name);
  if (rows === undefined || rows > TAIL_ROWS) await request(snapshot);
  return rows === undefined ? undefined : position.file;
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
