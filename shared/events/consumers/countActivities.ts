import { clock } from '#shared/core/clock.ts';
import { decodeTime } from '#shared/core/ids.ts';
import { findBotCached } from '#shared/storage/dynamodb/bots/cachedBot.ts';
import {
  type Activity,
  countActivity,
  countActivityLate as countOneLate,
  isActivityCounted,
} from '#shared/storage/dynamodb/chat/activity.ts';
import { enforceMessageQuota } from '#shared/storage/dynamodb/chat/messageQuota.ts';
import type { StreamChange } from '#shared/storage/dynamodb/streamChange.ts';
import type { Write } from '#shared/storage/dynamodb/transaction.ts';

/** Counted kinds, by the letter that the timeline stores. */
const KINDS: Record<string, Activity['kind']> = { m: 'message', e: 'event', d: 'deletion' };

/** Counts new timeline entries of one bot, ordered within each conversation. */
export async function countActivities(changes: readonly StreamChange[]): Promise<void> {
  const activities = changes.flatMap(activityOf);
  const [{ botId }] = changes as [StreamChange];
  if (activities.length === 0) return;
  const bot = await findBotCached(botId);
  await countActivity(botId, activities, bot?.workspaceId);
  if (bot) await enforceMessageQuota(bot, clock.now());
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
  const kind = KINDS[String(after.k)];
  if (!kind) return [];
  return [
    {
      conversationId: id,
      sequenceNumber,
      kind,
      generation: Number(after.g ?? 0),
      isImported: after.j === true,
      // A member's message counts as one of the bot, which it does not invoke.
      userId: after.w === 'o' ? botId : String(after.u),
      atMs: decodeTime(position),
    },
  ];
}
