import { clock } from '#shared/core/clock.ts';
import { decodeTime } from '#shared/core/ids.ts';
import { recordNewestUserMessage } from '#shared/domain/messaging/unreadHandoffs.ts';
import { findBotCached } from '#shared/storage/dynamodb/bots/cachedBot.ts';
import {
  type Activity,
  countActivity,
  countActivityLate as countOneLate,
  type HandoffOfActivity,
  isActivityCounted,
} from '#shared/storage/dynamodb/chat/activity.ts';
import type { EntryKind } from '#shared/storage/dynamodb/chat/entry.ts';
import { isOfEndUser, parseEntry } from '#shared/storage/dynamodb/chat/entry.ts';
import { enforceMessageQuota } from '#shared/storage/dynamodb/chat/messageQuota.ts';
import type { StreamChange } from '#shared/storage/dynamodb/engine/streamChange.ts';
import type { Write } from '#shared/storage/dynamodb/engine/transaction.ts';

const COUNTED: { [kind in EntryKind]?: Activity['kind'] } = {
  message: 'message',
  event: 'event',
  message_deleted: 'deletion',
};

/** Counts new timeline entries of one bot, ordered within each conversation. */
export async function countActivities(changes: readonly StreamChange[]): Promise<void> {
  const activities = changes.flatMap(activityOf);
  const [{ botId }] = changes as [StreamChange];
  if (activities.length === 0) return;
  const bot = await findBotCached(botId);
  const handoffs = await countActivity(botId, activities, bot?.workspaceId);
  await markUnread(botId, activities, handoffs);
  if (bot) await enforceMessageQuota(bot, clock.now());
}

/**
 * Marks handoffs with new messages of users as unread, and without them as read after a deletion. Reads nothing for
 * conversations without a handoff.
 */
async function markUnread(
  botId: string,
  activities: readonly Activity[],
  handoffs: ReadonlyMap<string, HandoffOfActivity>,
): Promise<void> {
  const newest = new Map<string, string>();
  const withDeletion = new Set<string>();
  for (const { conversationId, kind, position, isImported, authorId, direction } of activities) {
    const handoff = handoffs.get(conversationId);
    if (!handoff) continue;
    if (kind === 'deletion') withDeletion.add(handoff.id);
    if (kind !== 'message' || isImported) continue;
    if (!isOfEndUser(botId, { userId: authorId, direction }, handoff.isHitlSession)) continue;
    if (position > (newest.get(handoff.id) ?? '')) newest.set(handoff.id, position);
  }
  await Promise.all([
    ...[...withDeletion].map(id => recordNewestUserMessage(botId, id)),
    ...[...newest].filter(([id]) => !withDeletion.has(id)).map(([id, to]) => recordNewestUserMessage(botId, id, to)),
  ]);
}

export const countActivityLate = {
  isDone: async (change: StreamChange): Promise<boolean> => {
    const [activity] = activityOf(change);
    return !activity || isActivityCounted(change.botId, activity);
  },
  handle: async (change: StreamChange, done: Write): Promise<void> => {
    const { botId } = change;
    const bot = await findBotCached(botId);
    await countOneLate(botId, activityOf(change)[0]!, bot?.workspaceId, done);
    if (bot) await enforceMessageQuota(bot, clock.now());
  },
};

function activityOf({ sequenceNumber, botId, id, position, after }: StreamChange): Activity[] {
  const entry = parseEntry(after);
  const kind = COUNTED[entry.kind];
  if (!kind) return [];
  const isOutgoing = entry.direction === 'outgoing';
  return [
    {
      conversationId: id,
      sequenceNumber,
      kind,
      generation: entry.generation,
      isImported: entry.isImported === true,
      // A member's message counts as a message of the bot, and does not invoke it.
      userId: isOutgoing ? botId : entry.userId,
      authorId: entry.userId,
      direction: isOutgoing ? 'outgoing' : undefined,
      position,
      atMs: decodeTime(position),
    },
  ];
}
