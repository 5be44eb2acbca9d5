import { clock } from '#shared/core/clock.ts';
import { adoptReading, readingOf } from './readings.ts';
import { findTableToWrite, type Table } from './tables.ts';

/** Maximum age of a record without `loggedSinceMs`. */
const FRESH_MS = 20_000;

/**
 * Returns true if a write of these rows immediately after this call must be logged. Rows that are older than the log
 * may be written without it for {@link FRESH_MS} and the duration of a call after its start. All others must be logged.
 */
export async function isLogged(botId: string, table: Table, rowIds: readonly number[]): Promise<boolean> {
  if (table.loggedSinceMs !== undefined) return true;
  const lastId = rowIds.reduce((last, id) => Math.max(last, id), 0);
  const known = readingOf(table);
  if (known && clock.now() - known.atMs < FRESH_MS && lastId <= known.unloggedUpTo) return false;
  const current = await findTableToWrite(botId, table.id);
  if (!current) return false;
  if (current.loggedSinceMs !== undefined) return true;
  const reading = readingOf(current)!;
  adoptReading(table, reading);
  // A row above the last id may be created, and the log started, before the write.
  return lastId > reading.unloggedUpTo;
}
