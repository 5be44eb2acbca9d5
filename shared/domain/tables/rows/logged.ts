import { clock } from '#shared/core/clock.ts';
import { requestGrowth } from '#shared/domain/tables/snapshot/requestSnapshot.ts';
import type { Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { isLogged } from '#shared/storage/dynamodb/tables/isLogged.ts';
import { noteUnlogged, unloggedUpTo } from '#shared/storage/dynamodb/tables/readings.ts';
import {
  closeLogEntry,
  openLogEntry,
  putLogEntry,
  type Reservation,
  reservationOf,
  reserveRevision,
} from '#shared/storage/dynamodb/tables/rowLog.ts';
import { allocateIds } from '#shared/storage/dynamodb/tables/rowWrites.ts';
import type { Table } from '#shared/storage/dynamodb/tables/tables.ts';
import { markLogged } from '#shared/storage/dynamodb/tables/tableWrites.ts';

export interface LoggedTable {
  bot: { id: string };
  table: Table;
}

/** Up to this many rows are written with an entry each; larger batches share one entry. */
export const ROWS_WITH_ENTRIES = 10;
/** A bulk insert has at least this many rows. */
export const BULK_ROWS = 100;
/** A bulk insert into a table that then has this many row ids starts its log. */
export const LOGGED_FROM_ROWS = 1_000;

/**
 * Reserves ids of new rows, and a revision if the rows must be logged and are written by this call.
 * @param options.isWrittenNow false if the rows are written after a checkpoint, which keeps their ids
 * @throws ApiError ResourceNotFound or QuotaExceeded
 */
export async function allocateRows(
  { bot, table }: LoggedTable,
  count: number,
  { isWrittenNow = true } = {},
): Promise<{ lastId: number; reserved: Reservation | undefined }> {
  const isKnown = await isLogged(bot.id, table, []);
  const isBulk = count >= BULK_ROWS && unloggedUpTo(table) + count >= LOGGED_FROM_ROWS;
  const startsLog = isBulk && !isKnown;
  const loggedRows = isWrittenNow && (isKnown || startsLog) ? { loggedRows: count } : {};
  const allocated = await allocateIds(bot.id, table.id, count, { ...loggedRows, startsLog });
  const { lastId, log } = allocated;
  if (startsLog) await markLogged(bot.id, table.id, clock.now());
  if (loggedRows.loggedRows !== undefined) return { lastId, reserved: reservationOf(allocated, count) };
  const hasStarted = isKnown || log.loggedFromId !== undefined;
  if (!hasStarted) noteUnlogged(table, lastId);
  // The log was started after the table was read.
  const reserved = hasStarted && isWrittenNow ? await reserveRevision(bot.id, table.id, count) : undefined;
  return { lastId, reserved };
}

/**
 * Returns the writes that log rows in the same transaction, if the table has a log. Call it right before each attempt.
 */
export async function logRows(
  { bot, table }: LoggedTable,
  ids: readonly number[],
  reserved?: Reservation,
): Promise<Write[]> {
  if (ids.length === 0 || !(reserved || (await isLogged(bot.id, table, ids)))) return [];
  const { revision } = reserved ?? (await reserveRevision(bot.id, table.id, ids.length));
  return [putLogEntry(bot.id, table.id, revision, ids)];
}

/**
 * Logs rows that are not written in one transaction. Queries see the rows only when all are written. If `write` fails,
 * queries see the rows that were written only after some minutes. Requests a snapshot if the table has grown enough.
 */
export async function logBatch<T>(
  { bot, table }: LoggedTable,
  ids: readonly number[],
  write: () => Promise<T>,
  reserved?: Reservation,
): Promise<T> {
  if (ids.length === 0 || !(reserved || (await isLogged(bot.id, table, ids)))) return write();
  const reservation = reserved ?? (await reserveRevision(bot.id, table.id, ids.length));
  const { revision } = reservation;
  const openUntilMs = await openLogEntry(bot.id, table.id, revision, ids);
  const result = await write();
  if (clock.now() < openUntilMs) await closeLogEntry(bot.id, table.id, revision);
  else {
    // Readers no longer wait for this entry: log the rows again.
    const late = await reserveRevision(bot.id, table.id, ids.length);
    await openLogEntry(bot.id, table.id, late.revision, ids);
    await closeLogEntry(bot.id, table.id, late.revision);
  }
  await requestGrowth(bot.id, table.id, reservation);
  return result;
}
