/** The files of rows that this process has open, each at some revision of its table. */
import { clock } from '#shared/core/clock.ts';
import { errorFields, log } from '#shared/core/log.ts';
import type { RowSource } from '#shared/domain/tables/reading/source.ts';
import { isTooLarge, type LogState, type Snapshot } from '#shared/storage/dynamodb/tables/snapshots.ts';
import type { Table } from '#shared/storage/dynamodb/tables/tables.ts';
import { enqueueSnapshot } from '#shared/storage/queues/snapshots.ts';
import { catchUp, type Position } from './catchUp.ts';
import type { RowFile } from './rowFile.ts';

/** Smaller tables are read row by row: two pages of DynamoDB at most. */
const ROWS_FROM = 500;
/** Of all files together: a function has 512 MB for them. */
export const FILES_BYTES = 400_000_000;
/** A snapshot that so many rows have to be added to is made anew. */
const TAIL_ROWS = 2_000;
const ASK_AGAIN_MS = 60_000;
/** A table that was too large may have lost rows. */
const TRY_AGAIN_MS = 24 * 3600 * 1000;

interface Opened {
  position: Position;
  bytes: number;
}

/** By bot and table, the last used at the end. */
const opened = new Map<string, Opened>();
/** What happens to a file happens in turn. */
const turns = new Map<string, Promise<unknown>>();
/** When a snapshot of a table was asked for. */
const askedMs = new Map<string, number>();

/**
 * Answers from the file of a table's rows, which holds everything that was written before `source` was read.
 * @param isWorthLoading whether the file would spare a read of all rows; without it, only a file that is open is used
 * @param answer gives undefined when the file cannot say
 * @returns undefined when the rows have to be read
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
      // The rows are the truth, and are read instead.
      log.error('A file of rows failed.', { tableId: table.id, error: errorFields(error) });
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
    // It lagged behind; unless the snapshot is later than it was, it lags as well.
    if ((state.snapshot?.revision ?? 0) <= known.position.revision) return ask(botId, table, state.snapshot, name);
  }
  const { snapshot } = state;
  if (!snapshot) return ask(botId, table, undefined, name);
  if (isTooLarge(snapshot)) {
    return clock.now() - snapshot.madeAtMs > TRY_AGAIN_MS ? ask(botId, table, snapshot, name) : undefined;
  }
  const { openSnapshot } = await import('./localFiles.ts');
  const position = await openSnapshot(snapshot);
  if (!position) return ask(botId, table, snapshot, name, true);
  makeRoom(snapshot.bytes);
  opened.set(name, { position, bytes: snapshot.bytes });
  const rows = await catchUp(botId, table, position, state.revision);
  if (rows === undefined) close(name);
  if (rows === undefined || rows > TAIL_ROWS) await ask(botId, table, snapshot, name);
  return rows === undefined ? undefined : position.file;
}

/** Has a snapshot made, later than the known one. */
async function ask(
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
  // A query that is answered another way does not fail because of it.
  await enqueueSnapshot(job).catch(error => log.error('A snapshot could not be asked for.', errorFields(error)));
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

/** Closes all files: of a process that ends, or a test that wants them loaded. */
export function closeFiles(): void {
  for (const name of [...opened.keys()]) close(name);
}

function close(name: string): void {
  opened.get(name)?.position.file.close();
  opened.delete(name);
}
