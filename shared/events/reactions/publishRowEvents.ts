/**
 * All events of a table share a partition. Its stream preserves the order of these writes, so events arrive in order.
 */
import { cached } from '#shared/core/cache.ts';
import { viewRow } from '#shared/domain/tables/rows/rowView.ts';
import { decodeRow } from '#shared/domain/tables/schema/rowValues.ts';
import { findSubscriptions } from '#shared/storage/dynamodb/bots/bots.ts';
import { derivedEventId, findEvent, putNewEvent } from '#shared/storage/dynamodb/chat/events.ts';
import { storeValue } from '#shared/storage/dynamodb/engine/largeValue.ts';
import { WriteConflict, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import type { RowStreamChange, TableRowChanges } from '#shared/storage/dynamodb/tables/rowChanges.ts';
import type { Table } from '#shared/storage/dynamodb/tables/tables.ts';

type RowEvent = 'table_row_created' | 'table_row_updated' | 'table_row_deleted';

const CACHE_MS = 10_000;
const readSubscriptions = async (botId: string) => new Set(await findSubscriptions(botId));
const subscriptionsOf = cached(readSubscriptions, { forMs: CACHE_MS, keepsAbsence: true });

/** @throws the first row's error, after all other rows are processed */
export async function publishRowEvents(table: Table, { botId, changes }: TableRowChanges): Promise<void> {
  const subscriptions = await subscriptionsOf(botId);
  const failed = new Map<number, unknown>();
  for (const change of changes) {
    const type = typeOf(table, change);
    // A failed event blocks later events of its row.
    if (!type || !subscriptions?.has(type) || failed.has(change.id)) continue;
    try {
      await publishRowEvent(botId, table, type, change);
    } catch (error) {
      failed.set(change.id, error);
    }
  }
  for (const error of failed.values()) throw error;
}

function typeOf(table: Table, { before, after }: RowStreamChange): RowEvent | undefined {
  if (!before) return 'table_row_created';
  if (!after) return 'table_row_deleted';
  const isChanged = table.columns.some(({ id }) => before.values[id] !== after.values[id]);
  return isChanged ? 'table_row_updated' : undefined;
}

/** Positions tried per event: several rows may change in the same millisecond. */
const POSITIONS = 50;
const SECOND_MS = 1_000;

async function publishRowEvent(botId: string, table: Table, type: RowEvent, change: RowStreamChange): Promise<void> {
  const { id, before, after, sequenceNumber, atMs } = change;
  const payload = {
    tableId: table.id,
    tableName: table.name,
    row: viewRow(table, (after ?? before)!),
    ...(type === 'table_row_updated' ? { previous: decodeRow(table.columns, before!.values) } : {}),
  };
  const value = await storeValue(botId, payload);
  const origin = `${id}#${sequenceNumber}`;
  const rowMs = after?.updatedAtMs ?? atMs;
  const eventMs = Math.min(Math.max(rowMs, atMs), atMs + SECOND_MS - 1);
  for (let attempt = 0; attempt < POSITIONS; attempt++) {
    const eventId = derivedEventId(['rows of', botId, table.id], origin, eventMs, attempt);
    try {
      return await write(putNewEvent(botId, { id: eventId, type, status: 'pending', origin, ...value }));
    } catch (error) {
      if (!(error instanceof WriteConflict)) throw error;
      const existing = await findEvent(botId, eventId);
      if (existing?.origin === origin) return;
      if (!existing) throw error;
    }
  }
  throw new Error(`No free position for the event of row ${id} of table ${table.id}.`);
}
