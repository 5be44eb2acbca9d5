import { clock } from '#shared/core/clock.ts';
import type { Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { closeLogEntry, openLogEntry, putLogEntry, reserveRevision } from '#shared/storage/dynamodb/tables/rowLog.ts';
import { isLogged, type Table } from '#shared/storage/dynamodb/tables/tables.ts';

export interface LoggedTable {
  bot: { id: string };
  table: Table;
}

/** Up to this many rows are written with an entry each; larger batches share one entry. */
export const ROWS_WITH_ENTRIES = 10;

/**
 * Returns the writes that log rows in the same transaction, if the table has a log. Call it right before each attempt.
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
 * Logs rows that are not written in one transaction. Queries see the rows only when all are written. If `write` fails,
 * queries see the rows that were written only after some minutes.
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
    // Readers no longer wait for this entry: log the rows again.
    const late = await reserveRevision(bot.id, table.id);
    await openLogEntry(bot.id, table.id, late, ids);
    await closeLogEntry(bot.id, table.id, late);
  }
  return result;
}
