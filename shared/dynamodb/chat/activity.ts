/**
 * Counts messages and events for the bot's analytics and the workspace's usage, each exactly once although the DynamoDB
 * stream may repeat its records and regroup them into other batches.
 *
 * Stream records of one conversation arrive in write order. The conversation stores the sequence number up to which it has
 * been counted (`countedTo`) and advances it in the transaction that adds to the counters.
 */
import * as z from 'zod/mini';
import { dayOf } from '#shared/calendar.ts';
import { conversationKey, userKey } from '#shared/dynamodb/keys/chat.ts';
import { timedSk } from '#shared/dynamodb/keys/lists.ts';
import { type Item, readItem, readItems } from '#shared/dynamodb/query.ts';
import { sortableSequence } from '#shared/dynamodb/streamChange.ts';
import { type Write, WriteConflict, write } from '#shared/dynamodb/transaction.ts';
import { addToDay, type DayCounts } from '#shared/dynamodb/workspace/analytics.ts';
import { addUsage } from '#shared/dynamodb/workspace/usage.ts';

/** A message, an event or the deletion of a message, read from a stream record. */
export interface Activity {
  /** The stream record's; greater than those of all earlier writes to the conversation. */
  sequenceNumber: string;
  kind: 'message' | 'event' | 'deletion';
  /** The generation of the conversation that it belongs to. */
  generation: number;
  /** Imported history adds to the message count, but is not activity. */
  isImported: boolean;
  userId: string;
  atMs: number;
}

const CountedConversation = z.object({
  countedTo: z.optional(z.string()),
  activeDay: z.optional(z.string()),
  updatedAtMs: z.number(),
  generation: z.number(),
  deletedAtMs: z.optional(z.number()),
});

const ATTEMPTS = 20;

/**
 * Adds what has not been counted yet to the counters and moves the conversation's `updatedAt` forward.
 * @param activities in stream order
 * @param workspaceId the workspace charged for the usage; undefined for a bot that is gone
 */
export async function countActivity(
  botId: string,
  conversationId: string,
  activities: readonly Activity[],
  workspaceId: string | undefined,
): Promise<void> {
  for (const run of splitByDay(activities)) {
    for (let attempt = 1; ; attempt++) {
      try {
        await write(await countingWrites(botId, conversationId, run, workspaceId));
        break;
      } catch (error) {
        if (!(error instanceof WriteConflict) || attempt === ATTEMPTS) throw error;
      }
    }
  }
}

interface DayRun {
  day: string;
  activities: Activity[];
}

/** Consecutive activities of the same UTC day. */
function splitByDay(activities: readonly Activity[]): DayRun[] {
  const runs: DayRun[] = [];
  for (const activity of activities) {
    const day = dayOf(activity.atMs);
    const run = runs.at(-1);
    if (run?.day === day) run.activities.push(activity);
    else runs.push({ day, activities: [activity] });
  }
  return runs;
}

async function countingWrites(
  botId: string,
  conversationId: string,
  { day, activities }: DayRun,
  workspaceId: string | undefined,
): Promise<Write[]> {
  const item = await readItem(conversationKey(botId, conversationId));
  // Deleted together with its bot.
  if (!item) return [];
  const { countedTo = '', activeDay = '', updatedAtMs, generation, deletedAtMs } = CountedConversation.parse(item);
  const fresh = activities.filter(({ sequenceNumber }) => sortableSequence(sequenceNumber) > countedTo);
  if (fresh.length === 0) return [];

  const ofGeneration = fresh.filter(activity => activity.generation === generation);
  const addedMessages = count(ofGeneration, 'message') - count(ofGeneration, 'deletion');
  const active = fresh.filter(({ kind, isImported }) => kind !== 'deletion' && !isImported);
  const byUsers = active.filter(({ userId }) => userId !== botId);
  const byBot = active.filter(({ userId }) => userId === botId);
  const userIds = [...new Set(byUsers.map(({ userId }) => userId))];
  const users = await readItems(userIds.map(id => userKey(botId, id)));
  const firstToday = userIds.filter((_, i) => users[i] && (users[i].activeDay ?? '') < day);
  const isNew = (user: Item) => dayOf(user.createdAtMs) === day;
  const newUsers = firstToday.filter(id => isNew(users[userIds.indexOf(id)]!)).length;
  const counts: DayCounts = {
    newUsers,
    returningUsers: firstToday.length - newUsers,
    sessions: active.length > 0 && activeDay < day ? 1 : 0,
    userMessages: count(byUsers, 'message'),
    botMessages: count(byBot, 'message'),
    events: count(active, 'event'),
  };
  const latestMs = Math.max(
    updatedAtMs,
    ...ofGeneration.filter(({ kind }) => kind !== 'deletion').map(each => each.atMs),
  );
  const nowMs = Math.max(0, ...active.map(each => each.atMs));
  return [
    {
      update: {
        Key: conversationKey(botId, conversationId),
        UpdateExpression: `SET countedTo = :to, activeDay = :day, updatedAtMs = :updated${deletedAtMs === undefined ? ', gsi2Sk = :gsi2Sk' : ''} ADD messageCount :messages`,
        // A caller's concurrent update may have set a later updatedAt.
        ConditionExpression: `${countedTo === '' ? 'attribute_not_exists(countedTo)' : 'countedTo = :before'} AND updatedAtMs = :seen`,
        ExpressionAttributeValues: {
          ':to': sortableSequence(fresh.at(-1)!.sequenceNumber),
          ':day': active.length === 0 || activeDay > day ? activeDay : day,
          ':updated': latestMs,
          ':seen': updatedAtMs,
          ...(deletedAtMs === undefined ? { ':gsi2Sk': timedSk(latestMs, conversationId) } : {}),
          ':messages': addedMessages,
          ...(countedTo === '' ? {} : { ':before': countedTo }),
        },
      },
      onRefused: () => new WriteConflict(),
    },
    ...(active.length > 0 ? [addToDay(botId, day, conversationId, counts)] : []),
    ...firstToday.map(id => setActiveDay(botId, id, day)),
    // Each message or event of a user invokes the bot once.
    ...(workspaceId && byUsers.length > 0
      ? [addUsage(workspaceId, 'invocation_calls', byUsers.length, { botId, of: conversationId, nowMs })]
      : []),
  ];
}

const count = (activities: readonly Activity[], kind: Activity['kind']) =>
  activities.filter(activity => activity.kind === kind).length;

/** Marks the user as counted for this day. */
const setActiveDay = (botId: string, userId: string, day: string): Write => ({
  update: {
    Key: userKey(botId, userId),
    UpdateExpression: 'SET activeDay = :day',
    ConditionExpression: 'attribute_exists(pk) AND (attribute_not_exists(activeDay) OR activeDay < :day)',
    ExpressionAttributeValues: { ':day': day },
  },
  onRefused: () => new WriteConflict(),
});
