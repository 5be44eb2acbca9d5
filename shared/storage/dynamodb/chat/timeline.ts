/**
 * The timeline of a conversation: messages, custom events and participant changes under one time-ordered sort key. A
 * listener follows a single query, and a page costs the same in a conversation of a million messages.
 */

import { notFound } from '#shared/core/errors.ts';
import { decodeTime, timelineId } from '#shared/core/ids.ts';
import {
  conversationPk,
  positionOf,
  timelineEnd,
  timelineKey,
  timelinePrefix,
} from '#shared/storage/dynamodb/keys/chat.ts';
import { type StoredValue, sizeOf } from '#shared/storage/dynamodb/largeValue.ts';
import { PAGE_BYTES } from '#shared/storage/dynamodb/lists.ts';
import { type Item, queryAll, queryPage, readItem, readItems } from '#shared/storage/dynamodb/query.ts';
import type { Tagged } from '#shared/storage/dynamodb/tags.ts';
import { tryWrite, type Write, WriteConflict } from '#shared/storage/dynamodb/transaction.ts';
import { changeItem, type ItemChange } from '#shared/storage/dynamodb/update.ts';
import { type Author, type Entry, entryItem, HAS_TAGS, parseEntry } from './entry.ts';

/** An entry's conversation and its position in the timeline. */
export interface EntryRef {
  conversationId: string;
  position: string;
}

/** Appends an entry. A position taken by another writer in the same millisecond is a {@link WriteConflict}. */
export const appendEntry = (botId: string, conversationId: string, entry: Entry): Write => ({
  put: {
    Item: { ...timelineKey(botId, conversationId, entry.position), ...entryItem(entry) },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
  onRefused: () => new WriteConflict(),
});

/** @param shown how the error for a missing entry names it */
export const removeEntry = (botId: string, conversationId: string, position: string, shown: string): Write => ({
  remove: { Key: timelineKey(botId, conversationId, position), ConditionExpression: 'attribute_exists(pk)' },
  onRefused: () => notFound(shown),
});

export async function findEntry(botId: string, conversationId: string, position: string): Promise<Entry | undefined> {
  const item = await readItem(timelineKey(botId, conversationId, position));
  return item && parseEntry(item);
}

/** Entries of one or several conversations, in order; undefined where there is none. */
export async function findEntries(botId: string, refs: readonly EntryRef[]): Promise<(Entry | undefined)[]> {
  const items = await readItems(
    refs.map(({ conversationId, position }) => timelineKey(botId, conversationId, position)),
  );
  return items.map(item => item && parseEntry(item));
}

/** Removes the feedback that somebody gave on a message. @returns true */
export async function dropFeedback({ pk, sk }: Item): Promise<boolean> {
  await tryWrite({
    update: {
      Key: { pk, sk },
      UpdateExpression: 'REMOVE #feedback',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeNames: { '#feedback': 'l' },
    },
  });
  return true;
}

/** The message's entry in tag indexes. */
export const taggedMessage = (conversationId: string, position: string): Tagged => ({
  kind: 'message',
  id: timelineId('msg', conversationId, position),
  sortKey: `${position}#${conversationId}`,
  shardBy: conversationId,
});

/**
 * Changes a message in place.
 * @throws the error that `onRefused` returns when the message is gone or a condition fails
 */
export async function changeEntry(
  botId: string,
  conversationId: string,
  position: string,
  {
    payload,
    type,
    tags,
    by,
    conditions: { conditions = [], names, values },
  }: {
    payload?: StoredValue | undefined;
    type?: string | undefined;
    tags: Record<string, string | null>;
    by: Author;
    /** Keep the number of tags within its limit. */
    conditions: Pick<ItemChange, 'conditions' | 'names' | 'values'>;
  },
  {
    before,
    nowMs,
    ifVersion,
    onRefused,
  }: {
    before: Entry;
    nowMs: number;
    ifVersion: number | undefined;
    onRefused: (existing: Entry | undefined) => Error;
  },
): Promise<Entry> {
  const isTagged = before.tags !== undefined;
  const firstTags = Object.entries(tags).filter((entry): entry is [string, string] => entry[1] !== null);
  const item = await changeItem(
    timelineKey(botId, conversationId, position),
    {
      fields: {
        // Another writer's clock, which made the position, may be ahead.
        c: Math.max(nowMs, decodeTime(position)),
        by,
        ...(payload && { p: null, z: null, o: null, n: null, ...payload, y: type, x: null }),
        // The first tags create the map, unless a concurrent update has.
        ...(isTagged || firstTags.length === 0 ? {} : { t: Object.fromEntries(firstTags), h: HAS_TAGS }),
      },
      maps: isTagged ? { t: tags } : {},
      conditions: ['attribute_exists(pk)', ...(isTagged ? conditions : ['attribute_not_exists(t)'])],
      ...(isTagged ? { names, values } : {}),
      ifVersion,
    },
    existing => onRefused(existing && parseEntry(existing)),
  );
  return parseEntry(item);
}

/**
 * Marks a message that its integration did not take, or removes the mark. That is no change by a caller, so the version
 * stays.
 * @param reason undefined removes the mark
 */
export async function markUndelivered(
  botId: string,
  { conversationId, position }: EntryRef,
  reason: string | undefined,
): Promise<void> {
  await tryWrite({
    update: {
      Key: timelineKey(botId, conversationId, position),
      UpdateExpression: reason === undefined ? 'REMOVE q' : 'SET q = :reason',
      ConditionExpression: 'attribute_exists(pk)',
      ...(reason === undefined ? {} : { ExpressionAttributeValues: { ':reason': reason } }),
    },
  });
}

/**
 * Entries from a position on, oldest first. Eventually consistent, at half the price: an entry written a moment ago may
 * appear only in the next call.
 * @param isNew skips entries before they are parsed
 */
export async function* entriesFrom(
  botId: string,
  conversationId: string,
  first: string,
  isNew: (position: string) => boolean,
): AsyncGenerator<Entry> {
  const items = queryAll({
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :end',
    ExpressionAttributeValues: {
      ':pk': conversationPk(botId, conversationId),
      ':first': `${timelinePrefix}${first}`,
      ':end': timelineEnd,
    },
  });
  for await (const item of items) if (isNew(positionOf(item.sk))) yield parseEntry(item);
}

/** Other entries cost reads without filling the page: after this many queries a page ends short, with a token. */
const PAGE_QUERIES = 8;

/**
 * A page of messages, newest first.
 * @param before the position at which the previous page ended
 * @param generation awaited only after the first query, so that reading it overlaps with the query
 * @returns the messages, and `next` unless the timeline ends here
 */
export async function listMessages(
  botId: string,
  conversationId: string,
  {
    before,
    limit,
    generation,
    first = '',
    last,
  }: {
    before?: string | undefined;
    limit: number;
    generation: () => Promise<number>;
    /** Bounds of the positions, both included. */
    first?: string | undefined;
    last?: string | undefined;
  },
): Promise<{ entries: Entry[]; next?: string }> {
  const entries: Entry[] = [];
  let bytes = 0;
  let position = before;

  for (let queries = 0; queries < PAGE_QUERIES; queries++) {
    const from = `${timelinePrefix}${first}`;
    const end = position ?? last;
    const to = end === undefined ? timelineEnd : `${timelinePrefix}${end}`;
    // DynamoDB rejects a BETWEEN whose bounds are reversed.
    if (from > to) return { entries };
    const { items, next } = await queryPage({
      // The start key alone would do for DynamoDB, but DynamoDB Local scans to it from the bound.
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
      ExpressionAttributeValues: { ':pk': conversationPk(botId, conversationId), ':first': from, ':last': to },
      ConsistentRead: true,
      ScanIndexForward: false,
      // One more than the page holds reveals whether another page follows.
      Limit: limit - entries.length + 1,
      ExclusiveStartKey: position === undefined ? undefined : timelineKey(botId, conversationId, position),
    });
    const current = await generation();
    for (const item of items) {
      const entry = parseEntry(item);
      if (entry.kind === 'message' && entry.generation === current) {
        bytes += sizeOf(entry.payload!);
        const isFull = entries.length === limit || (entries.length > 0 && bytes > PAGE_BYTES);
        if (isFull) return { entries, next: position! };
        entries.push(entry);
      }
      position = entry.position;
    }
    if (!next) return { entries };
  }
  return { entries, next: position };
}
