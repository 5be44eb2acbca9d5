/**
 * Counts what was said, for the bot's analytics and its workspace's usage: each message and event once, however often and
 * in however many pieces the table's stream tells of it.
 *
 * The records of one conversation come in the order of its writes, so it remembers up to which one it is counted, and
 * moves that on in the same transaction that adds to the counters.
 */
import * as z from 'zod/mini';
import { dayOf } from '#shared/calendar.ts';
import { conversationKey, userKey } from '#shared/dynamodb/keys/chat.ts';
import { timedSk } from '#shared/dynamodb/keys/lists.ts';
import { type Item, readItem, readItems } from '#shared/dynamodb/query.ts';
import { type Write, WriteConflict, write } from '#shared/dynamodb/transaction.ts';
import { addToDay, type DayCounts } from '#shared/dynamodb/workspace/analytics.ts';
import { addUsage } from '#shared/dynamodb/workspace/usage.ts';

/** A message or event, or that a message was deleted, as the stream tells of it. */
export interface Activity {
  /** Of the stream's record; greater than those of all earlier writes to the conversation. */
  sequenceNumber: string;
  kind: 'message' | 'event' | 'deletion';
  /** The life of the conversation that it belongs to. */
  generation: number;
  /** History from elsewhere: one of its messages, and nobody's activity. */
  isImported: boolean;
  userId: string;
  atMs: number;
}

const Counted = z.object({
  countedTo: z.optional(z.string()),
  activeDay: z.optional(z.string()),
  updatedAtMs: z.number(),
  generation: z.number(),
  deletedAtMs: z.optional(z.number()),
});

/** Sequence numbers are numbers of many digits; as texts they sort when they are of one length. */
const sortable = (sequenceNumber: string) => sequenceNumber.padStart(48, '0');

const ATTEMPTS = 20;

/**
 * Counts what is not counted yet, and moves the conversation's `updatedAt` on.
 * @param said in the order of the stream
 * @param workspaceId whose usage it is, while the bot is some workspace's
 */
export async function countActivity(
  botId: string,
  conversationId: string,
  said: readonly Activity[],
  workspaceId: string | undefined,
): Promise<void> {
  for (const part of byDay(said)) {
    for (let attempt = 1; ; attempt++) {
      try {
        const writes = await writesOf(botId, conversationId, part, workspaceId);
        await write(writes);
        break;
      } catch (error) {
        if (!(error instanceof WriteConflict) || attempt === ATTEMPTS) throw error;
      }
    }
  }
}

/** Runs of what was said on one day. */
function byDay(said: readonly Activity[]): { day: string; said: Activity[] }[] {
  const runs: { day: string; said: Activity[] }[] = [];
  for (const each of said) {
    const day = dayOf(each.atMs);
    const run = runs.at(-1);
    if (run?.day === day) run.said.push(each);
    else runs.push({ day, said: [each] });
  }
  return runs;
}

async function writesOf(
  botId: string,
  conversationId: string,
  { day, said }: { day: string; said: readonly Activity[] },
  workspaceId: string | undefined,
): Promise<Write[]> {
  const item = await readItem(conversationKey(botId, conversationId));
  // Gone with its bot: there is nobody left to count for.
  if (!item) return [];
  const { countedTo = '', activeDay = '', updatedAtMs, generation, deletedAtMs } = Counted.parse(item);
  const fresh = said.filter(({ sequenceNumber }) => sortable(sequenceNumber) > countedTo);
  if (fresh.length === 0) return [];

  const counted = fresh.filter(each => each.generation === generation);
  const messages =
    counted.filter(({ kind }) => kind === 'message').length - counted.filter(({ kind }) => kind === 'deletion').length;
  const active = fresh.filter(({ kind, isImported }) => kind !== 'deletion' && !isImported);
  const ofUsers = active.filter(({ userId }) => userId !== botId);
  const userIds = [...new Set(ofUsers.map(({ userId }) => userId))];
  const users = await readItems(userIds.map(id => userKey(botId, id)));
  const arriving = userIds.filter((_, i) => users[i] && (users[i].activeDay ?? '') < day);
  const isNew = (user: Item) => dayOf(user.createdAtMs) === day;
  const newUsers = arriving.filter(id => isNew(users[userIds.indexOf(id)]!)).length;
  const counts: DayCounts = {
    newUsers,
    returningUsers: arriving.length - newUsers,
    sessions: active.length > 0 && activeDay < day ? 1 : 0,
    userMessages: ofUsers.filter(({ kind }) => kind === 'message').length,
    botMessages: active.filter(({ kind, userId }) => kind === 'message' && userId === botId).length,
    events: active.filter(({ kind }) => kind === 'event').length,
  };
  const latestMs = Math.max(updatedAtMs, ...counted.filter(({ kind }) => kind !== 'deletion').map(each => each.atMs));
  const nowMs = Math.max(0, ...active.map(each => each.atMs));
  return [
    {
      update: {
        Key: conversationKey(botId, conversationId),
        UpdateExpression: `SET countedTo = :to, activeDay = :day, updatedAtMs = :updated${deletedAtMs === undefined ? ', gsi2Sk = :gsi2Sk' : ''} ADD messageCount :messages`,
        // A caller may change the conversation meanwhile, and then later than this.
        ConditionExpression: `${countedTo === '' ? 'attribute_not_exists(countedTo)' : 'countedTo = :before'} AND updatedAtMs = :seen`,
        ExpressionAttributeValues: {
          ':to': sortable(fresh.at(-1)!.sequenceNumber),
          ':day': active.length === 0 || activeDay > day ? activeDay : day,
          ':updated': latestMs,
          ':seen': updatedAtMs,
          ...(deletedAtMs === undefined ? { ':gsi2Sk': timedSk(latestMs, conversationId) } : {}),
          ':messages': messages,
          ...(countedTo === '' ? {} : { ':before': countedTo }),
        },
      },
      onRefused: () => new WriteConflict(),
    },
    ...(active.length > 0 ? [addToDay(botId, day, conversationId, counts)] : []),
    ...arriving.map(id => arrive(botId, id, day)),
    // What users say is what a bot is invoked for.
    ...(workspaceId && ofUsers.length > 0
      ? [addUsage(workspaceId, 'invocation_calls', ofUsers.length, { botId, of: conversationId, nowMs })]
      : []),
  ];
}

/** The user is counted for this day. */
const arrive = (botId: string, userId: string, day: string): Write => ({
  update: {
    Key: userKey(botId, userId),
    UpdateExpression: 'SET activeDay = :day',
    ConditionExpression: 'attribute_exists(pk) AND (attribute_not_exists(activeDay) OR activeDay < :day)',
    ExpressionAttributeValues: { ':day': day },
  },
  onRefused: () => new WriteConflict(),
});
