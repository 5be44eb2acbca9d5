import { notFound } from '#shared/core/errors.ts';
import { decodeTime } from '#shared/core/ids.ts';
import { laterKey } from '#shared/storage/dynamodb/keys/chat.ts';
import { timerListing } from '#shared/storage/dynamodb/keys/timers.ts';
import { readItems } from '#shared/storage/dynamodb/query.ts';
import { type Write, WriteConflict } from '#shared/storage/dynamodb/transaction.ts';
import { type Entry, entryItem, parseEntry } from './entry.ts';
import type { EntryRef } from './timeline.ts';

/** Stores a scheduled message beside the timeline. A timer appends it at its position. */
export const postponeEntry = (botId: string, conversationId: string, entry: Entry): Write => {
  const key = laterKey(botId, conversationId, entry.position);
  const dueMs = decodeTime(entry.position);
  return {
    put: {
      Item: { ...key, ...entryItem(entry), dueMs, ...timerListing(dueMs, key) },
      ConditionExpression: 'attribute_not_exists(pk)',
    },
    onRefused: () => new WriteConflict(),
  };
};

export const removePostponed = (botId: string, conversationId: string, position: string, shown: string): Write => ({
  remove: { Key: laterKey(botId, conversationId, position), ConditionExpression: 'attribute_exists(pk)' },
  onRefused: () => notFound(shown),
});

export async function findPostponed(botId: string, refs: readonly EntryRef[]): Promise<(Entry | undefined)[]> {
  const items = await readItems(refs.map(({ conversationId, position }) => laterKey(botId, conversationId, position)));
  return items.map(item => item && parseEntry(item));
}
