/** Writes of rows leave entries in the log of their table, if it has one: see `dynamodb/tables/rowLog.ts`. */
import { clock } from '#shared/core/clock.ts';
import { closeLogEntry, openLogEntry, putLogEntry, reserveRevision } from '#shared/storage/dynamodb/tables/rowLog.ts';
import { isLogged, type Table } from '#shared/storage/dynamodb/tables/tables.ts';
import type { Write } from '#shared/storage/dynamodb/transaction.ts';

export interface LoggedTable {
  bot: { id: string };
  table: Table;
}

/** Rows that are written one by one, each with its own entry; more of them share one. */
export const ROWS_WITH_ENTRIES = 10;

/**
 * The part of a transaction that logs the rows it writes; none for a table without a log. Call it right before the
 * write, for each attempt.
 * @param reserved the revision to use, if there is one already
 * @throws ApiError ResourceNotFound when the table is gone
 */
export async function logRows(
  { bot, table }: LoggedTable,
  ids: readonly number[],
  reserved?: number,
): Promise<Write[]> {
  if (ids.length === 0 || !(await isLogged(bot.id, table))) return [];
  return [putLogEntry(bot.id, table.id, reserved ?? (await reserveRevision(bot.id, table.id)), ids)];
}

/**
 * Logs rows that are not written in one transaction: queries see them when all are written. When `write` fails, the
 * rows that it did write are seen after minutes.
 * @param reserved the revision to use, if there is one already
 * @throws ApiError ResourceNotFound when the table is gone
 */
export async function logBatch<T>(
  { bot, table }: LoggedTable,
  ids: readonly number[],
  write: () => Promise<T>,
  reserved?: number,
): Promise<T> {
  if (ids.length === 0 || !(await isLogged(bot.id, table))) return write();
  const revision = reserved ?? (await reserveRevision(bot.id, table.id));
  const openUntilMs = await openLogEntry(bot.id, table.id, revision, ids);
  const result = await write();
  if (clock.now() < openUntilMs) await closeLogEntry(bot.id, table.id, revision);
  else {
    // Readers have given up waiting for the rest.
    const late = await reserveRevision(bot.id, table.id);
    await openLogEntry(bot.id, table.id, late, ids);
    await closeLogEntry(bot.id, table.id, late);
  }
  return result;
}
