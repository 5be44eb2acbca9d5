import { encodeTime } from '#shared/core/ids.ts';
import { type Item, readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { tryWrite } from '#shared/storage/dynamodb/engine/transaction.ts';
import {
  type TagList,
  tagNameKey,
  tagNamePrefix,
  tagNamesPk,
  tagValuesSk,
} from '#shared/storage/dynamodb/keys/tags.ts';
import {
  botList,
  type Direction,
  END,
  partitionList,
  type Range,
  tagList,
} from '#shared/storage/dynamodb/lists/lists.ts';
import { type FileKind, type TaggedKind, tagListOf } from './tags.ts';

/** Clears the text of an unused tag value. Returns true if it was cleared. Keeps the item for concurrent readers. */
export async function forgetTagValue(botId: string, { pk, sk, hash, gsi1Sk, value }: Item): Promise<boolean> {
  const isOfMessages = String(gsi1Sk).startsWith('message#');
  if (value === FORGOTTEN || (await isAnyTagged({ botId, hash, isOfMessages }))) return false;
  const name = String(gsi1Sk).slice(0, String(gsi1Sk).indexOf(' '));
  return tryWrite({
    update: {
      Key: { pk, sk },
      UpdateExpression: 'SET #value = :forgotten, gsi1Sk = :gsi1Sk',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeNames: { '#value': 'value' },
      ExpressionAttributeValues: { ':forgotten': FORGOTTEN, ':gsi1Sk': `${name} #${hash}` },
    },
  });
}
const FORGOTTEN = '';

const BEHIND_ALL_NAMES = '\u{10ffff}'.repeat(51);
const BEHIND_ALL_VALUES = '\u{10ffff}'.repeat(101);

const EVERYTHING: Range = { direction: 'asc', first: '', last: END };

/**
 * Lists sorted values, with undefined for unused values. `usedSinceMs` excludes values that only older records have.
 */
export async function* listTagValues(
  botId: string,
  kind: TaggedKind,
  key: string,
  {
    direction,
    after,
    usedSinceMs,
  }: { direction: Direction; after: string | undefined; usedSinceMs?: number | undefined },
): AsyncGenerator<{ sortKey: string; record: string | undefined }> {
  const start = tagValuesSk(kind, key, '');
  const range = { direction, first: start, last: `${start}${BEHIND_ALL_VALUES}`, after };
  for await (const { sortKey, item } of botList(botId, 'tagValues', 'gsi1', range)) {
    const isSure = !item.isDoubtful && usedSinceMs === undefined;
    const isUsed =
      isSure || (await isAnyTagged({ botId, hash: item.hash, isOfMessages: kind === 'message' }, usedSinceMs));
    yield { sortKey, record: isUsed && item.value !== FORGOTTEN ? item.value : undefined };
  }
}

export async function* listTagNames(
  botId: string,
  kind: FileKind,
  after: string | undefined,
): AsyncGenerator<{ sortKey: string; record: string | undefined }> {
  const range: Range = { direction: 'asc', first: '', last: BEHIND_ALL_NAMES, after };
  for await (const { sortKey, item } of partitionList(tagNamesPk(botId, kind), tagNamePrefix, range)) {
    yield { sortKey, record: !item.isDoubtful || (await hasAnyValue(botId, kind, item.name)) ? item.name : undefined };
  }
}

async function hasAnyValue(botId: string, kind: FileKind, key: string): Promise<boolean> {
  for await (const { record } of listTagValues(botId, kind, key, { direction: 'asc', after: undefined })) {
    if (record !== undefined) return true;
  }
  return false;
}

export const isTagNameUsed = async (botId: string, kind: FileKind, name: string): Promise<boolean> =>
  (await readItem(tagNameKey(botId, kind, name))) !== undefined && hasAnyValue(botId, kind, name);

export const isTagUsed = (botId: string, kind: TaggedKind, key: string, value: string): Promise<boolean> =>
  isAnyTagged(tagListOf(botId, kind, key, value));

async function isAnyTagged(list: TagList, sinceMs = 0): Promise<boolean> {
  const range = { ...EVERYTHING, first: sinceMs === 0 ? EVERYTHING.first : encodeTime(sinceMs) };
  for await (const _ of tagList(list, range)) return true;
  return false;
}
