import { notFound } from '#shared/core/errors.ts';
import { decodeTime, encodeTime } from '#shared/core/ids.ts';
import { queryPage, readItems } from '#shared/storage/dynamodb/engine/query.ts';
import { type Write, WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import { conversationPk, laterKey, laterPrefix, positionOf } from '#shared/storage/dynamodb/keys/chat.ts';
import { timerListing } from '#shared/storage/dynamodb/keys/timers.ts';
import { Timer } from '#shared/storage/dynamodb/timers/timers.ts';
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

/** Returns the last position of the messages that are scheduled for a time. */
export async function findLastPostponed(botId: string, conversationId: string, dueMs: number) {
  const { items } = await queryPage({
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :sk)',
    ExpressionAttributeValues: { ':pk': conversationPk(botId, conversationId), ':sk': laterPrefix + encodeTime(dueMs) },
    ScanIndexForward: false,
    ConsistentRead: true,
    Limit: 1,
  });
  return items[0] && positionOf(items[0].sk);
}

/** Lists the messages that are scheduled before the one of a timer, oldest first. Empty for other timers. */
export async function listPostponedBefore({ pk, sk }: Timer): Promise<Timer[]> {
  if (!sk.startsWith(laterPrefix)) return [];
  const { items } = await queryPage({
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
    ExpressionAttributeValues: { ':pk': pk, ':first': laterPrefix, ':last': sk },
    ConsistentRead: true,
  });
  return items.filter(item => item.sk < sk).map(item => Timer.parse(item));
}

export const removePostponed = (botId: string, conversationId: string, position: string, shown: string): Write => ({
  remove: { Key: laterKey(botId, conversationId, position), ConditionExpression: 'attribute_exists(pk)' },
  onRefused: () => notFound(shown),
});

export async function findPostponed(botId: string, refs: readonly EntryRef[]): Promise<(Entry | undefined)[]> {
  const items = await readItems(refs.map(({ conversationId, position }) => laterKey(botId, conversationId, position)));
  return items.map(item => item && parseEntry(item));
}
