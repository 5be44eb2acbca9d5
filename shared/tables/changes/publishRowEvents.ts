/**
 * Tells a bot of changes of its rows, if it subscribes to events of these types. All events of a table stand in one
 * partition, in which the stream has them in the order in which they are written here: so they are delivered in that order.
 */
import type { BotDefinition } from '#shared/dynamodb/workspace/botDefinition.ts';
import { cached } from '#shared/cache.ts';
import { derivedEventId, findEvent, putNewEvent } from '#shared/dynamodb/chat/events.ts';
import type { Table } from '#shared/dynamodb/tables/tables.ts';
import { WriteConflict, write } from '#shared/dynamodb/transaction.ts';
import { findBotWithDefinition } from '#shared/dynamodb/workspace/bots.ts';
import { storeValue } from '#shared/s3/largeValue.ts';
import { decodeRow } from '#shared/tables/rowValues.ts';
import { viewRow } from '#shared/tables/view.ts';
import type { RowChanged, TableChanged } from './rowChange.ts';

type RowEvent = 'table_row_created' | 'table_row_updated' | 'table_row_deleted';

const CACHE_MS = 10_000;
const readSubscriptions = async (botId: string): Promise<Set<string>> => {
  const found = await findBotWithDefinition(botId);
  return new Set(Object.keys(found?.definition.subscriptions.events ?? {}));
};
/** The types of the events that a bot subscribes to, as it was within the last seconds. */
const subscriptionsOf = cached(readSubscriptions, { forMs: CACHE_MS, keepsAbsence: true });

/** @throws what the first row failed of, when the others are done */
export async function publishRowEvents(table: Table, { botId, changes }: TableChanged): Promise<void> {
  const subscriptions = await subscriptionsOf(botId);
  const failed = new Map<number, unknown>();
  for (const change of changes) {
    const type = typeOf(table, change);
    // What comes after something of the same row that failed waits for it.
    if (!type || !subscriptions?.has(type) || failed.has(change.id)) continue;
    try {
      await tell(botId, table, type, change);
    } catch (error) {
      failed.set(change.id, error);
    }
  }
  for (const error of failed.values()) throw error;
}

/** Undefined when nothing changed that a bot would see as a change: a value that is computed again, or not yet. */
function typeOf(table: Table, { before, after }: RowChanged): RowEvent | undefined {
  if (!before) return 'table_row_created';
  if (!after) return 'table_row_deleted';
  const isOther = table.columns.some(({ id }) => before.values[id] !== after.values[id]);
  return isOther ? 'table_row_updated' : undefined;
}

const ATTEMPTS = 50;
const SECOND_MS = 1_000;

async function tell(botId: string, table: Table, type: RowEvent, change: RowChanged): Promise<void> {
  const { id, before, after, sequenceNumber, atMs } = change;
  const payload = {
    tableId: table.id,
    tableName: table.name,
    row: viewRow(table, (after ?? before)!),
    ...(type === 'table_row_updated' ? { previous: decodeRow(table.columns, before!.values) } : {}),
  };
  const value = await storeValue(botId, payload);
  const origin = `${id}#${sequenceNumber}`;
  // The stream knows the second, and the row more than that.
  const rowMs = after?.updatedAtMs ?? atMs;
  const eventMs = Math.min(Math.max(rowMs, atMs), atMs + SECOND_MS - 1);
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const eventId = derivedEventId(['rows of', botId, table.id], origin, eventMs, attempt);
    try {
      return await write(putNewEvent(botId, { id: eventId, type, status: 'pending', origin, ...value }));
    } catch (error) {
      if (!(error instanceof WriteConflict)) throw error;
      const existing = await findEvent(botId, eventId);
      if (existing?.origin === origin) return;
      // In its place may be another row's of the same millisecond.
      if (!existing) throw error;
    }
  }
  throw new Error(`No place was found for the event of the row ${id} of ${table.id}.`);
}
