/** What a process knows of the records of tables that it has read. */
import { clock } from '#shared/core/clock.ts';
import type { Item } from '#shared/storage/dynamodb/engine/query.ts';

/** The part of a table's record that readings depend on. */
interface Table {
  loggedSinceMs?: number | undefined;
}

/**
 * When a record was read, and the last row id that was read with it or later, before the table's log was started. The
 * log does not contain rows up to this id: it starts above it.
 */
export interface Reading {
  atMs: number;
  unloggedUpTo: number;
}
const readings = new WeakMap<Table, Reading>();

export const readingOf = (table: Table): Reading | undefined => readings.get(table);

/** @param ids the record of the last row id, if it was read too */
export function noteReading(table: Table, ids: Item | undefined): void {
  readings.set(table, { atMs: clock.now(), unloggedUpTo: unloggedIn(table, ids) });
}
const unloggedIn = ({ loggedSinceMs }: Table, ids: Item | undefined): number =>
  ids && loggedSinceMs === undefined && ids.loggedFromId === undefined ? ids.lastId : 0;

/** Returns the last row id of a table whose log had not been started. 0 if it is unknown. */
export const unloggedUpTo = (table: Table): number => readings.get(table)?.unloggedUpTo ?? 0;

/** @param lastId after an allocation of ids that found no log */
export function noteUnlogged(table: Table, lastId: number): void {
  const reading = readings.get(table);
  if (reading) reading.unloggedUpTo = lastId;
}

/** Applies a later reading of the same table to an earlier record. */
export function adoptReading(table: Table, reading: Reading): void {
  readings.set(table, reading);
}
