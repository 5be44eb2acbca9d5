import { clock } from '#shared/core/clock.ts';
import { decodeTime } from '#shared/core/ids.ts';
import { findBotCached } from '#shared/storage/dynamodb/bots/cachedBot.ts';
import {
  type Activity,
  countActivity,
  countActivityLate as countOneLate,
  type HandoffOfActivity,
  isActivityCounted,
} from '#shared/storage/dynamodb/chat/activity.ts';
import { findHandoffs, isOpen, recordUserMessage, startPositionOf } from '#shared/storage/dynamodb/chat/handoffs.ts';
import { enforceMessageQuota } from '#shared/storage/dynamodb/chat/messageQuota.ts';
import type { StreamChange } from '#shared/storage/dynamodb/streamChange.ts';
import { retryConflicts, type Write, write } from '#shared/storage/dynamodb/transaction.ts';

/** Counted kinds, by the letter that the timeline stores. */
const KINDS: Record<string, Activity['kind']> = { m: 'message', e: 'event', d: 'deletion' };

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

/** Marks handoffs with new messages of users as unread. Reads nothing for conversations without a handoff. */
async function markUnread(
  botId: string,
  activities: readonly Activity[],
  handoffs: ReadonlyMap<string, HandoffOfActivity>,
): Promise<void> {
  const latest = new Map<string, string>();
  for (const activity of activities) {
    const { conversationId, kind, position, isImported } = activity;
    const handoff = handoffs.get(conversationId);
    if (!handoff || kind !== 'message' || isImported || !isOfEndUser(botId, activity, handoff)) continue;
    if (position > (latest.get(handoff.id) ?? '')) latest.set(handoff.id, position);
  }
  if (latest.size === 0) return;
  await retryConflicts(async () => {
    for (const handoff of await findHandoffs(botId, [...latest.keys()])) {
      const position = handoff && latest.get(handoff.id)!;
      if (!handoff || !isOpen(handoff) || position! <= (handoff.userMessageTo ?? startPositionOf(handoff))) continue;
      await write([recordUserMessage(botId, handoff, position!)]);
    }
  });
}

/** Returns false for messages of the bot and of members. Only members invoke the bot in a session. */
const isOfEndUser = (botId: string, { userId, authorId }: Activity, { isHitlSession }: HandoffOfActivity): boolean =>
  isHitlSession ? userId === botId && authorId !== botId : userId !== botId;

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
  const kind = KINDS[String(after.k)];
  if (!kind) return [];
  return [
    {
      conversationId: id,
      sequenceNumber,
      kind,
      generation: Number(after.g ?? 0),
      isImported: after.j === true,
      // A member's message counts as a message of the bot, and does not invoke it.
      userId: after.w === 'o' ? botId : String(after.u),
      authorId: String(after.u),
      position,
      atMs: decodeTime(position),
    },
  ];
}
