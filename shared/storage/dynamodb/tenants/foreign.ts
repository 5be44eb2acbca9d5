/** Items of records from another platform, in the format of an export. Includes counters. */

import { monthOf } from '#shared/core/calendar.ts';
import {
  type Conversation,
  putNewConversation,
  taggedConversation,
} from '#shared/storage/dynamodb/chat/conversations.ts';
import type { Entry } from '#shared/storage/dynamodb/chat/entry.ts';
import { putNewParticipant } from '#shared/storage/dynamodb/chat/participants.ts';
import { putState, type State } from '#shared/storage/dynamodb/chat/states.ts';
import { appendEntry, taggedMessage } from '#shared/storage/dynamodb/chat/timeline.ts';
import { putNewUser, taggedUser, tagsOfUser, type User } from '#shared/storage/dynamodb/chat/users.ts';
import type { Item } from '#shared/storage/dynamodb/engine/query.ts';
import type { Write } from '#shared/storage/dynamodb/engine/transaction.ts';
import type { File } from '#shared/storage/dynamodb/files/file.ts';
import { listingOf, moveSharedEntry, taggedFile, tagsIn } from '#shared/storage/dynamodb/files/fileLists.ts';
import { fileKey } from '#shared/storage/dynamodb/keys/files.ts';
import { tableCountsKey } from '#shared/storage/dynamodb/keys/tables.ts';
import { botTotalsKey, gaugeKey, usageKey } from '#shared/storage/dynamodb/keys/workspace.ts';
import { type Row, toItem } from '#shared/storage/dynamodb/tables/row.ts';
import type { Counts, Table } from '#shared/storage/dynamodb/tables/tables.ts';
import { definitionsItem, putNewTable } from '#shared/storage/dynamodb/tables/tableWrites.ts';
import { claimUniqueKey } from '#shared/storage/dynamodb/tables/uniqueKeys.ts';
import { putTags, type Tagged, type Tags } from '#shared/storage/dynamodb/tags/tags.ts';
import { NO_BOT, UNLIMITED, type UsageType } from '#shared/storage/dynamodb/workspace/usage.ts';

export const itemsOf = (writes: readonly Write[]): Item[] =>
  writes.flatMap(each => ('put' in each ? [plain(each.put.Item)] : []));

const plain = (item: Item): Item => Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined));
const never = () => new Error('Items of an export are written by its import.');

/** Each record includes the tag's value. Its import writes the first. */
const tagItems = (botId: string, tagged: Tagged, tags: Tags): Item[] =>
  itemsOf(
    putTags(
      botId,
      tagged,
      tags,
      Object.keys(tags).map(() => false),
    ),
  );

export const userItems = (botId: string, user: User): Item[] => [
  ...itemsOf([putNewUser(botId, user, never)]),
  ...tagItems(botId, taggedUser(user), tagsOfUser(user)),
];

export const conversationItems = (botId: string, conversation: Conversation, users: readonly User[]): Item[] => [
  ...itemsOf([putNewConversation(botId, conversation)]),
  ...tagItems(botId, taggedConversation(conversation), conversation.tags),
  ...itemsOf(
    users.map(user =>
      putNewParticipant(botId, conversation, user, { isOwner: false, nowMs: conversation.createdAtMs }),
    ),
  ),
];

export const entryItems = (botId: string, conversationId: string, entry: Entry): Item[] => [
  ...itemsOf([appendEntry(botId, conversationId, entry)]),
  ...tagItems(botId, taggedMessage(conversationId, entry.position), entry.tags ?? {}),
];

export const stateItems = (botId: string, state: State): Item[] => itemsOf(putState(botId, undefined, state));

/** @param file without a pending upload */
export const fileItems = (botId: string, file: File): Item[] => [
  plain({ ...fileKey(botId, file.id), ...file, ...listingOf(botId, file) }),
  ...itemsOf(moveSharedEntry(botId, undefined, file)),
  ...tagItems(botId, taggedFile(file.scope, file), tagsIn(file.scope, file)),
];

export const tableItems = (botId: string, table: Table, lastId: number, counts: Counts): Item[] =>
  itemsOf(putNewTable(botId, table, lastId)).map(item =>
    item.sk === tableCountsKey(botId, table.id).sk ? { ...item, ...counts } : item,
  );

export const definitionItems = (botId: string, tables: readonly Table[]): Item[] => [definitionsItem(botId, tables)];

export const rowItems = (botId: string, table: Table, row: Row): Item[] => {
  const key = table.keyColumn === undefined ? undefined : row.values[table.keyColumn];
  return [
    plain(toItem(botId, table.id, row)),
    ...(key === undefined
      ? []
      : itemsOf([claimUniqueKey(botId, table.id, table.keyColumn!, key, row.id, undefined, never)])),
  ];
};

export const totalsItem = (botId: string, workspaceId: string, totals: { bytes: number; rows: number }): Item => ({
  ...botTotalsKey(botId),
  vectorBytes: 0,
  indexedFiles: 0,
  n: 0,
  ...totals,
  workspaceId,
});

export const gaugeItems = (
  workspaceId: string,
  type: UsageType,
  shares: Readonly<Record<string, number>>,
  nowMs: number,
): Item[] => {
  const value = Object.values(shares).reduce((sum, share) => sum + share, 0);
  const changes = Object.entries(shares).filter(([, share]) => share !== 0);
  return [
    { ...gaugeKey(workspaceId, type), value, room: UNLIMITED - value },
    ...changes.map(([botId, n]) => ({ ...usageKey(workspaceId, type, monthOf(nowMs), botId, botId), n })),
  ];
};
export const OF_WORKSPACE = NO_BOT;
