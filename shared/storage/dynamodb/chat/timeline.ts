/** Messages, events and participant changes under one chronological sort key, so that listeners need one query. */

import { notFound } from '#shared/core/errors.ts';
import { decodeTime, timelineId } from '#shared/core/ids.ts';
import { encode } from '#shared/storage/dynamodb/engine/aliases.ts';
import { assign } from '#shared/storage/dynamodb/engine/assign.ts';
import { NO_VALUE, type StoredValue, sizeOf } from '#shared/storage/dynamodb/engine/largeValue.ts';
import { type Item, queryAll, queryPage, readItem, readItems } from '#shared/storage/dynamodb/engine/query.ts';
import { tryWrite, type Write, WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import { changeItem, type ItemChange } from '#shared/storage/dynamodb/engine/update.ts';
import {
  conversationPk,
  positionOf,
  timelineEnd,
  timelineKey,
  timelinePrefix,
} from '#shared/storage/dynamodb/keys/chat.ts';
import { PAGE_BYTES } from '#shared/storage/dynamodb/lists/lists.ts';
import type { Tagged } from '#shared/storage/dynamodb/tags/tags.ts';
import { type Author, ENTRY, type Entry, entryItem, HAS_TAGS, parseEntry } from './entry.ts';

export interface EntryRef {
  conversationId: string;
  position: string;
}

/** Fails with {@link WriteConflict} if another writer took the position in the same millisecond. */
export const appendEntry = (botId: string, conversationId: string, entry: Entry): Write => ({
  put: {
    Item: { ...timelineKey(botId, conversationId, entry.position), ...entryItem(entry) },
    ConditionExpression: 'attribute_not_exists(pk)',
  },
  onRefused: () => new WriteConflict(),
});

export const removeEntry = (botId: string, conversationId: string, position: string, shown: string): Write => ({
  remove: { Key: timelineKey(botId, conversationId, position), ConditionExpression: 'attribute_exists(pk)' },
  onRefused: () => notFound(shown),
});

export async function findEntry(botId: string, conversationId: string, position: string): Promise<Entry | undefined> {
  const item = await readItem(timelineKey(botId, conversationId, position));
  return item && parseEntry(item);
}

export async function findEntries(botId: string, refs: readonly EntryRef[]): Promise<(Entry | undefined)[]> {
  const items = await readItems(
    refs.map(({ conversationId, position }) => timelineKey(botId, conversationId, position)),
  );
  return items.map(item => item && parseEntry(item));
}

export async function dropFeedback({ pk, sk }: Item): Promise<boolean> {
  await tryWrite({
    update: {
      Key: { pk, sk },
      ...assign(encode(ENTRY, { feedback: null })),
      ConditionExpression: 'attribute_exists(pk)',
    },
  });
  return true;
}

export const taggedMessage = (conversationId: string, position: string): Tagged => ({
  kind: 'message',
  id: timelineId('msg', conversationId, position),
  sortKey: `${position}#${conversationId}`,
  shardBy: conversationId,
});

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
      fields: encode(ENTRY, {
        // The position may come from a clock that is ahead.
        changedAtMs: Math.max(nowMs, decodeTime(position)),
        by,
        ...(payload && { ...NO_VALUE, ...payload, type, hasMetadata: null }),
        // The first tags create the map, unless a concurrent update did.
        ...(isTagged || firstTags.length === 0 ? {} : { tags: Object.fromEntries(firstTags), hasTags: HAS_TAGS }),
      }),
      maps: isTagged ? { [ENTRY.tags]: tags } : {},
      conditions: ['attribute_exists(pk)', ...(isTagged ? conditions : [`attribute_not_exists(${ENTRY.tags})`])],
      ...(isTagged ? { names, values } : {}),
      ifVersion,
    },
    existing => onRefused(existing && parseEntry(existing)),
  );
  return parseEntry(item);
}

export async function markUndelivered(
  botId: string,
  { conversationId, position }: EntryRef,
  reason: string | undefined,
): Promise<void> {
  await tryWrite({
    update: {
      Key: timelineKey(botId, conversationId, position),
      ...assign(encode(ENTRY, { undelivered: reason ?? null })),
      ConditionExpression: 'attribute_exists(pk)',
    },
  });
}

/** Lists entries, oldest first. Eventually consistent, at half the price. `isNew` filters before parsing. */
export async function* entriesFrom(
  botId: string,
  conversationId: string,
  first: string,
  { isNew = () => true, isConsistent = false }: { isNew?: (position: string) => boolean; isConsistent?: boolean } = {},
): AsyncGenerator<Entry> {
  const items = queryAll({
    ConsistentRead: isConsistent,
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :end',
    ExpressionAttributeValues: {
      ':pk': conversationPk(botId, conversationId),
      ':first': `${timelinePrefix}${first}`,
      ':end': timelineEnd,
    },
  });
  for await (const item of items) if (isNew(positionOf(item.sk))) yield parseEntry(item);
}

/** Limit for pages that mostly read other entries. Such a page ends early, with a token. */
const PAGE_QUERIES = 8;

/** Returns a page, newest first. `generation` is awaited after the first query, so that both overlap. */
export async function listMessages(
  botId: string,
  conversationId: string,
  {
    before,
    limit,
    generation,
    first = '',
    last,
    isConsistent = true,
  }: {
    before?: string | undefined;
    limit: number;
    generation: () => Promise<number>;
    first?: string | undefined;
    last?: string | undefined;
    isConsistent?: boolean;
  },
): Promise<{ entries: Entry[]; next?: string }> {
  const entries: Entry[] = [];
  let bytes = 0;
  let position = before;

  for (let queries = 0; queries < PAGE_QUERIES; queries++) {
    const from = `${timelinePrefix}${first}`;
    const end = position ?? last;
    const to = end === undefined ? timelineEnd : `${timelinePrefix}${end}`;
    if (from > to) return { entries };
    const { items, next } = await queryPage({
      // DynamoDB Local would scan from the bound to a start key.
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
      ExpressionAttributeValues: { ':pk': conversationPk(botId, conversationId), ':first': from, ':last': to },
      ConsistentRead: isConsistent,
      ScanIndexForward: false,
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
