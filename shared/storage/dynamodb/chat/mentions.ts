/**
 * Mentions of members in notes. A mention names its note and contains nothing of it, so a note that was deleted is not
 * readable through them.
 */
import * as z from 'zod/mini';
import { parseTimelineId } from '#shared/core/ids.ts';
import { queryPage, readItems } from '#shared/storage/dynamodb/engine/query.ts';
import { unconditional, type Write, WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import { mentionKey, mentionPrefix, mentionsPk, unreadMentionListing } from '#shared/storage/dynamodb/keys/mentions.ts';
import { type Listed, mergeParts, type Part, type Range, readListed } from '#shared/storage/dynamodb/lists/lists.ts';

const RETENTION_SECONDS = 90 * 24 * 60 * 60;

const Mention = z.object({ botId: z.string(), noteId: z.string(), readAtMs: z.optional(z.number()) });
export type Mention = z.infer<typeof Mention>;

const keyOf = (workspaceId: string, accountId: string, noteId: string) =>
  mentionKey(workspaceId, accountId, parseTimelineId('note', noteId)!.position, noteId);

export function putMention(
  workspaceId: string,
  accountId: string,
  { botId, noteId }: Pick<Mention, 'botId' | 'noteId'>,
  nowMs: number,
): Write {
  const key = keyOf(workspaceId, accountId, noteId);
  const ttl = Math.floor(nowMs / 1000) + RETENTION_SECONDS;
  return {
    put: { Item: { ...key, ...unreadMentionListing(key), botId, noteId, ttl } },
    onRefused: unconditional,
  };
}

export const removeMention = (workspaceId: string, accountId: string, noteId: string): Write => ({
  remove: { Key: keyOf(workspaceId, accountId, noteId) },
  onRefused: unconditional,
});

/** Returns the notes among the given ones in which the member has an unread mention. */
export async function findUnread(
  workspaceId: string,
  accountId: string,
  noteIds: readonly string[],
): Promise<string[]> {
  const known = [...new Set(noteIds)].filter(id => parseTimelineId('note', id) !== undefined);
  const items = await readItems(known.map(id => keyOf(workspaceId, accountId, id)));
  return known.filter((_, i) => items[i] && Mention.parse(items[i]).readAtMs === undefined);
}

/** Fails with {@link WriteConflict} if the mention was deleted. */
export const markMentionRead = (workspaceId: string, accountId: string, noteId: string, nowMs: number): Write => ({
  update: {
    Key: keyOf(workspaceId, accountId, noteId),
    UpdateExpression: 'SET readAtMs = :now REMOVE gsi4Sk, gsiPk',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':now': nowMs },
  },
  onRefused: () => new WriteConflict(),
});

/** Lists the mentions of a member, newest first. Entries of unread mentions have only keys. */
export const listMentionEntries = (
  workspaceId: string,
  accountId: string,
  isUnread: boolean,
  range: Range,
): AsyncGenerator<Listed> =>
  mergeParts([{ ...partOf(workspaceId, accountId), ...(isUnread ? { index: 'gsi4' as const } : {}) }], range);

const partOf = (workspaceId: string, accountId: string): Part => ({
  pk: mentionsPk(workspaceId),
  prefix: mentionPrefix(accountId),
});

/** Excludes mentions that were deleted since the index was updated. */
export const readMentions = async (entries: readonly Listed[]): Promise<Mention[]> =>
  (await readListed(entries)).map(({ item }) => Mention.parse(item));

/** Counts unread mentions up to `limit`. */
export async function countUnreadMentions(workspaceId: string, accountId: string, limit: number): Promise<number> {
  const { items } = await queryPage({
    IndexName: 'gsi4',
    KeyConditionExpression: 'gsiPk = :pk AND begins_with(gsi4Sk, :prefix)',
    ExpressionAttributeValues: { ':pk': mentionsPk(workspaceId), ':prefix': mentionPrefix(accountId) },
    Limit: limit,
  });
  return items.length;
}
