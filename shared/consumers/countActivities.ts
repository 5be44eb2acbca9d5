/** Counts messages and events of conversations, and moves active conversations up in their participants' lists. */
import { type Activity, countActivity } from '#shared/dynamodb/chat/activity.ts';
import { bumpActivity, listParticipants } from '#shared/dynamodb/chat/participants.ts';
import type { StreamChange } from '#shared/dynamodb/streamChange.ts';
import { findBotCached } from '#shared/dynamodb/workspace/cachedBot.ts';
import { enforceMessageQuota } from '#shared/dynamodb/workspace/messageQuota.ts';
import { decodeTime } from '#shared/ids.ts';

const PARTICIPANTS_AT_ONCE = 50;

/** The counted kinds of timeline entries, by the letter under which they are stored. */
const KINDS: Record<string, Activity['kind']> = { m: 'message', e: 'event', d: 'deletion' };

interface ActiveConversation {
  botId: string;
  conversationId: string;
  activities: Activity[];
}

/** @param changes of the whole batch, in the order of the stream */
export async function countActivities(changes: readonly StreamChange[]): Promise<void> {
  const conversations = byConversation(changes);
  await Promise.all(conversations.map(countConversation));
  // Once for everything that was counted, however many conversations of a bot it came from.
  const botIds = new Set(conversations.map(({ botId }) => botId));
  await Promise.all(
    [...botIds].map(async botId => {
      const bot = await findBotCached(botId);
      if (bot) await enforceMessageQuota(bot, Date.now());
    }),
  );
}

function byConversation(changes: readonly StreamChange[]): ActiveConversation[] {
  const conversations = new Map<string, ActiveConversation>();
  for (const { event, kind, sequenceNumber, botId, id, position, after } of changes) {
    const counted = event === 'INSERT' && kind === 'timelineEntry' ? KINDS[String(after.k)] : undefined;
    if (!counted) continue;
    const key = `${botId}#${id}`;
    const conversation = conversations.get(key) ?? { botId, conversationId: id, activities: [] };
    conversation.activities.push({
      sequenceNumber,
      kind: counted,
      generation: Number(after.g ?? 0),
      isImported: after.j === true,
      userId: String(after.u),
      atMs: decodeTime(position),
    });
    conversations.set(key, conversation);
  }
  return [...conversations.values()];
}

async function countConversation({ botId, conversationId, activities }: ActiveConversation): Promise<void> {
  const bot = await findBotCached(botId);
  await countActivity(botId, conversationId, activities, bot?.workspaceId);
  const recent = activities.filter(({ kind, isImported }) => kind !== 'deletion' && !isImported);
  if (recent.length === 0) return;
  const activityMs = Math.max(...recent.map(({ atMs }) => atMs));
  let after: string | undefined;
  do {
    const page = await listParticipants(botId, conversationId, { after, limit: PARTICIPANTS_AT_ONCE });
    await Promise.all(page.map(participant => bumpActivity(botId, participant, activityMs)));
    after = page.length === PARTICIPANTS_AT_ONCE ? page.at(-1)!.userId : undefined;
  } while (after);
}
