/**
 * Counts messages and events for analytics and usage, exactly once although the stream may redeliver and regroup
 * records. Each conversation stores the last counted sequence number (`countedTo`), advanced in the transaction that
 * adds to the counters. A transaction counts many conversations, so that the bot's counters are written once per batch.
 */
import * as z from 'zod/mini';
import { dayOf } from '#shared/core/calendar.ts';
import { decodeTime } from '#shared/core/ids.ts';
import { addDailyCounts, type DayCounts } from '#shared/storage/dynamodb/bots/analytics.ts';
import { addToBot, countOne } from '#shared/storage/dynamodb/bots/reportCounters.ts';
import { type Item, readItem, readItems } from '#shared/storage/dynamodb/engine/query.ts';
import { sortableSequence } from '#shared/storage/dynamodb/engine/streamChange.ts';
import { retryConflicts, type Write, WriteConflict, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { conversationKey, userKey } from '#shared/storage/dynamodb/keys/chat.ts';
import { timedSk } from '#shared/storage/dynamodb/keys/lists.ts';
import { addUsage } from '#shared/storage/dynamodb/workspace/usage.ts';
import { UPDATE_LAG_MS } from './conversations.ts';
import { isOfEndUser } from './entry.ts';

export interface Activity {
  conversationId: string;
  sequenceNumber: string;
  kind: 'message' | 'event' | 'deletion';
  generation: number;
  /** Imported history counts as messages, not as activity. */
  isImported: boolean;
  userId: string;
  authorId: string;
  direction?: 'outgoing' | undefined;
  position: string;
  atMs: number;
}

const Counted = z.object({
  countedTo: z.optional(z.string()),
  activeDay: z.optional(z.string()),
  updatedAtMs: z.number(),
  generation: z.number(),
  deletedAtMs: z.optional(z.number()),
  gsi2Sk: z.optional(z.string()),
  handoffId: z.optional(z.string()),
  isHitlSession: z.optional(z.boolean()),
  lastPosition: z.optional(z.string()),
  lastUserId: z.optional(z.string()),
  /** Absent until a user writes, and in conversations that an earlier release counted. They have `lastUserId`. */
  firstUserMessageAtMs: z.optional(z.number()),
});

export interface HandoffOfActivity {
  id: string;
  isHitlSession: boolean;
}

/** A transaction has 100 items: a conversation and a user per activity, two counters of two days, and a month's. */
const TOGETHER = 45;

/**
 * Counts new activities, given in stream order per conversation, and advances `updatedAt`.
 * @returns the latest handoffs by conversation @throws WriteConflict
 */
export async function countActivity(
  botId: string,
  activities: readonly Activity[],
  workspaceId: string | undefined,
): Promise<ReadonlyMap<string, HandoffOfActivity>> {
  const handoffs = new Map<string, HandoffOfActivity>();
  for (const some of chunks(activities)) {
    await retryConflicts(async () => write(await countingWrites(botId, some, workspaceId, { handoffs })));
  }
  return handoffs;
}

/** Returns true if the activity or a later one was counted, or the conversation was deleted. */
export async function isActivityCounted(botId: string, { conversationId, sequenceNumber }: Activity): Promise<boolean> {
  const item = await readItem(conversationKey(botId, conversationId));
  return !item || sortableSequence(sequenceNumber) <= String(item.countedTo ?? '');
}

/** Counts an activity after later activities were counted. @param done part of the transaction, for idempotence */
export async function countActivityLate(
  botId: string,
  activity: Activity,
  workspaceId: string | undefined,
  done: Write,
): Promise<void> {
  await retryConflicts(async () =>
    write([...(await countingWrites(botId, [activity], workspaceId, { isLate: true })), done]),
  );
}

function* chunks(activities: readonly Activity[]): Generator<Activity[]> {
  let chunk: Activity[] = [];
  let records = new Set<string>();
  for (const activity of activities) {
    const { conversationId, userId } = activity;
    const joined = new Set([...records, conversationId, userId]);
    if (joined.size > 2 * TOGETHER) {
      yield chunk;
      chunk = [];
      records = new Set([conversationId, userId]);
    } else records = joined;
    chunk.push(activity);
  }
  if (chunk.length > 0) yield chunk;
}

async function countingWrites(
  botId: string,
  activities: readonly Activity[],
  workspaceId: string | undefined,
  { isLate = false, handoffs }: { isLate?: boolean; handoffs?: Map<string, HandoffOfActivity> },
): Promise<Write[]> {
  const ids = [...new Set(activities.map(({ conversationId }) => conversationId))];
  const userIds = [...new Set(activities.map(({ userId }) => userId))].filter(id => id !== botId);
  const items = await readItems([
    ...ids.map(id => conversationKey(botId, id)),
    ...userIds.map(id => userKey(botId, id)),
  ]);
  const tally = new Tally(new Map(userIds.map((id, i) => [id, items[ids.length + i]])));
  const counted = ids.flatMap((id, i) => {
    if (!items[i]) return [];
    const own = activities.filter(({ conversationId }) => conversationId === id);
    const conversation = Counted.parse(items[i]);
    const { handoffId, isHitlSession = false } = conversation;
    if (handoffId !== undefined) handoffs?.set(id, { id: handoffId, isHitlSession });
    return countConversation(botId, id, conversation, { activities: own, isLate }, tally);
  });
  if (counted.length === 0) return [];
  // Spreads the bot's conversations across the shards of its counters.
  const [of] = ids as [string];
  return [
    ...counted,
    ...tally.days.flatMap(([day, counts]) => addDailyCounts(botId, day, of, counts)),
    ...addToBot(
      botId,
      of,
      tally.conversationStarts.flatMap(atMs => countOne('conversations', atMs)),
    ),
    ...tally.firstOfDay.map(([userId, day]) => setActiveDay(botId, userId, day)),
    // Each user message or event invokes the bot once.
    ...(workspaceId && tally.invocations > 0
      ? [addUsage(workspaceId, 'invocation_calls', tally.invocations, { botId, of, nowMs: tally.latestMs })]
      : []),
  ];
}

class Tally {
  readonly #days = new Map<string, Required<DayCounts>>();
  readonly #users: ReadonlyMap<string, Item | undefined>;
  readonly #activeDays = new Map<string, string>();
  readonly #seen = new Set<string>();
  /** Times of the first messages of users in their conversations. */
  readonly conversationStarts: number[] = [];
  invocations = 0;
  latestMs = 0;

  constructor(users: ReadonlyMap<string, Item | undefined>) {
    this.#users = users;
    for (const [id, user] of users) this.#activeDays.set(id, user?.activeDay ?? '');
  }

  get days() {
    return [...this.#days];
  }

  get firstOfDay() {
    return [...this.#seen].map(id => [id, this.#activeDays.get(id)!] as const);
  }

  add({ kind, userId, atMs }: Activity, { isSession, botId }: { isSession: boolean; botId: string }): void {
    const day = this.#of(dayOf(atMs));
    this.latestMs = Math.max(this.latestMs, atMs);
    if (isSession) day.sessions++;
    if (kind === 'event') day.events++;
    else if (userId === botId) day.botMessages++;
    else day.userMessages++;
    if (userId === botId) return;
    this.invocations++;
    this.#addUser(userId, dayOf(atMs));
  }

  #addUser(userId: string, day: string): void {
    const user = this.#users.get(userId);
    if (!user || day <= this.#activeDays.get(userId)!) return;
    const counts = this.#of(day);
    if (dayOf(user.createdAtMs) === day) counts.newUsers++;
    else counts.returningUsers++;
    this.#activeDays.set(userId, day);
    this.#seen.add(userId);
  }

  #of(day: string): Required<DayCounts> {
    const known = this.#days.get(day);
    if (known) return known;
    const counts = { newUsers: 0, returningUsers: 0, sessions: 0, userMessages: 0, botMessages: 0, events: 0 };
    this.#days.set(day, counts);
    return counts;
  }
}

function countConversation(
  botId: string,
  id: string,
  conversation: z.infer<typeof Counted>,
  { activities, isLate }: { activities: readonly Activity[]; isLate: boolean },
  tally: Tally,
): Write[] {
  const { countedTo = '', activeDay = '', updatedAtMs, generation, deletedAtMs, gsi2Sk } = conversation;
  const fresh = activities.filter(({ sequenceNumber }) => isLate || sortableSequence(sequenceNumber) > countedTo);
  if (fresh.length === 0) return [];
  let [day, latestMs, messages] = [activeDay, updatedAtMs, 0];
  for (const activity of fresh) {
    const { kind, isImported, atMs } = activity;
    const isOwn = activity.generation === generation;
    if (isOwn && kind === 'message') messages++;
    if (isOwn && kind === 'deletion') messages--;
    if (isOwn && kind !== 'deletion') latestMs = Math.max(latestMs, atMs);
    if (kind === 'deletion' || isImported) continue;
    const isSession = day < dayOf(atMs);
    if (isSession) day = dayOf(atMs);
    tally.add(activity, { isSession, botId });
  }
  // The update list lags a few seconds behind, see `listConversations`.
  const isListed = deletedAtMs === undefined && gsi2Sk !== undefined;
  const isMoved = isListed && latestMs - decodeTime(gsi2Sk) >= UPDATE_LAG_MS;
  const latest = latestOf(botId, conversation, fresh);
  const first = firstUserMessage(botId, conversation, fresh);
  if (first && !first.isImported) tally.conversationStarts.push(first.atMs);
  return [
    {
      update: {
        Key: conversationKey(botId, id),
        UpdateExpression: `SET ${isLate ? '' : 'countedTo = :to, '}activeDay = :day, updatedAtMs = :updated${isMoved ? ', gsi2Sk = :gsi2Sk' : ''}${latest.set}${first ? ', firstUserMessageAtMs = :first' : ''} ADD messageCount :messages`,
        // A concurrent update may have set a later updatedAt.
        ConditionExpression: `${isLate ? '' : countedTo === '' ? 'attribute_not_exists(countedTo) AND ' : 'countedTo = :before AND '}updatedAtMs = :seen`,
        ExpressionAttributeValues: {
          ...(isLate ? {} : { ':to': sortableSequence(fresh.at(-1)!.sequenceNumber) }),
          ':day': day,
          ':updated': latestMs,
          ':seen': updatedAtMs,
          ':messages': messages,
          ...latest.values,
          ...(first ? { ':first': first.atMs } : {}),
          ...(isMoved ? { ':gsi2Sk': timedSk(latestMs, id) } : {}),
          ...(countedTo === '' || isLate ? {} : { ':before': countedTo }),
        },
      },
      onRefused: () => new WriteConflict(),
    },
  ];
}

/** Returns the first message of a user, unless one was found before. A session continues another conversation. */
function firstUserMessage(
  botId: string,
  { generation, lastUserId, firstUserMessageAtMs, isHitlSession = false }: z.infer<typeof Counted>,
  fresh: readonly Activity[],
): Activity | undefined {
  if (isHitlSession || lastUserId !== undefined || firstUserMessageAtMs !== undefined) return undefined;
  return fresh.find(
    ({ kind, generation: own, authorId, direction }) =>
      kind === 'message' && own === generation && isOfEndUser(botId, { userId: authorId, direction }, false),
  );
}

/** Updates what lists show of a conversation: its last message, and the user who wrote last. */
function latestOf(
  botId: string,
  { lastPosition = '', lastUserId, generation, isHitlSession = false }: z.infer<typeof Counted>,
  fresh: readonly Activity[],
): { set: string; values: Record<string, string> } {
  let [position, userId] = [lastPosition, lastUserId];
  for (const { kind, generation: own, position: at, authorId, direction } of fresh) {
    if (kind !== 'message' || own !== generation || at <= position) continue;
    position = at;
    if (isOfEndUser(botId, { userId: authorId, direction }, isHitlSession)) userId = authorId;
  }
  return {
    set: `${position === lastPosition ? '' : ', lastPosition = :position'}${userId === lastUserId ? '' : ', lastUserId = :lastUser'}`,
    values: {
      ...(position === lastPosition ? {} : { ':position': position }),
      ...(userId === undefined || userId === lastUserId ? {} : { ':lastUser': userId }),
    },
  };
}

const setActiveDay = (botId: string, userId: string, day: string): Write => ({
  update: {
    Key: userKey(botId, userId),
    UpdateExpression: 'SET activeDay = :day',
    ConditionExpression: 'attribute_exists(pk) AND (attribute_not_exists(activeDay) OR activeDay < :day)',
    ExpressionAttributeValues: { ':day': day },
  },
  onRefused: () => new WriteConflict(),
});
