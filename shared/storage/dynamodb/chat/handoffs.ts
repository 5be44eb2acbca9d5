/**
 * Handoffs of conversations to members. A conversation has at most one open handoff. Its span starts at its position
 * and ends at `endPosition`. Spans of a conversation do not overlap.
 */
import * as z from 'zod/mini';
import { decodeTime, encodeTime, parseTimelineId } from '#shared/core/ids.ts';
import { decode, encode } from '#shared/storage/dynamodb/engine/aliases.ts';
import { type Item, prefixQuery, queryPage, readItem, readItems } from '#shared/storage/dynamodb/engine/query.ts';
import { tryWrite, type Write, WriteConflict } from '#shared/storage/dynamodb/engine/transaction.ts';
import {
  conversationKey,
  conversationPk,
  handoffKey,
  handoffListing,
  handoffPrefix,
} from '#shared/storage/dynamodb/keys/chat.ts';
import { OF_GENERATION } from '#shared/storage/dynamodb/keys/generation.ts';
import { type Conversation, parseConversation } from './conversations.ts';

export const HANDOFF_STATUSES = ['waiting', 'served', 'closed'] as const;

/** `resolved`: the request is finished. `handedBack`: the bot continues with it. */
export const HANDOFF_OUTCOMES = ['handedBack', 'resolved'] as const;
export type HandoffOutcome = (typeof HANDOFF_OUTCOMES)[number];

/** Of the queue, first to last. */
export const HANDOFF_PRIORITIES = ['urgent', 'high', 'normal', 'low'] as const;
export type HandoffPriority = (typeof HANDOFF_PRIORITIES)[number];
export const storedPriority = (priority: HandoffPriority | undefined) => (priority === 'normal' ? undefined : priority);

/** Lists contain a snoozed handoff under `snoozed` instead of its status. */
export const LISTED_STATUSES = [...HANDOFF_STATUSES, 'snoozed'] as const;
export type ListedStatus = (typeof LISTED_STATUSES)[number];

/** The account, and its user in the conversation. The name is the one at the time of the change. */
const Member = z.object({ id: z.string(), name: z.string(), userId: z.string() });
/**
 * `user`: the last user of the conversation left. Their id and name are not stored, because they may be erased.
 * `system`: automatic assignment.
 */
export const Actor = z.object({ type: z.enum(['bot', 'member', 'user', 'system']), id: z.string(), name: z.string() });
export type HandoffActor = z.infer<typeof Actor>;

/** The rating of the end user. `userId` names its author, with whom it is erased. */
const Rating = z.object({
  value: z.number(),
  comment: z.optional(z.string()),
  ratedAtMs: z.number(),
  userId: z.string(),
});
export type HandoffRating = z.infer<typeof Rating>;
/** The latest snooze. It has no end while the handoff is snoozed. */
const Snooze = z.object({ by: Actor, atMs: z.number(), untilMs: z.number(), endedAtMs: z.optional(z.number()) });

const Stored = z.object({
  id: z.string(),
  conversationId: z.string(),
  webhookId: z.string(),
  status: z.enum(HANDOFF_STATUSES),
  reason: z.optional(z.string()),
  /** Absent for `normal`. */
  priority: z.optional(z.enum(HANDOFF_PRIORITIES)),
  startedBy: Actor,
  member: z.optional(Member),
  servedAtMs: z.optional(z.number()),
  /** Actor of the latest assignment. Handoffs that were assigned before it was stored have none. */
  assignedBy: z.optional(Actor),
  endedBy: z.optional(Actor),
  /** Time of the first reply of a member since the start. */
  firstReplyAtMs: z.optional(z.number()),
  rating: z.optional(Rating),
  /** Absent on handoffs that ended automatically, or in an earlier release. */
  outcome: z.optional(z.enum(HANDOFF_OUTCOMES)),
  snooze: z.optional(Snooze),
  /** Set while the assignee has not seen that the snooze has ended. */
  isWoken: z.optional(z.boolean()),
  /** Author of the last change of status, member or snooze. Absent on handoffs of earlier releases. */
  changedBy: z.optional(Actor),
  endPosition: z.optional(z.string()),
  /** Position of the last message that was withheld from the bot while the handoff was open. */
  withheldTo: z.optional(z.string()),
  /** Position of the last user message, set about a second after the message. */
  userMessageTo: z.optional(z.string()),
  readTo: z.optional(z.string()),
  change: z.string(),
  version: z.number(),
  g: z.optional(z.number()),
});
export const parseHandoff = (item: Item) => decode(OF_GENERATION, Stored.parse(item));
export type Handoff = ReturnType<typeof parseHandoff>;

export const isUnread = ({
  status,
  userMessageTo,
  readTo = '',
  isWoken = false,
}: Pick<Handoff, 'status' | 'userMessageTo' | 'readTo' | 'isWoken'>) =>
  status !== 'closed' && (isWoken || (userMessageTo !== undefined && userMessageTo > readTo));

export const isOpen = ({ status }: Pick<Handoff, 'status'>) => status !== 'closed';

export const isSnoozed = ({ status, snooze }: Pick<Handoff, 'status' | 'snooze'>) =>
  status !== 'closed' && snooze !== undefined && snooze.endedAtMs === undefined;

export const listedStatus = (handoff: Handoff): ListedStatus => (isSnoozed(handoff) ? 'snoozed' : handoff.status);
/** The account to which an open handoff is assigned. */
export const assigneeOf = (handoff: Pick<Handoff, 'status' | 'member'> | undefined): string | undefined =>
  handoff && isOpen(handoff) ? handoff.member?.id : undefined;

const placeOf = ({ id }: Pick<Handoff, 'id'>) => parseTimelineId('handoff', id)!;
export const startPositionOf = (handoff: Pick<Handoff, 'id'>): string => placeOf(handoff).position;
export const startedAtMs = (handoff: Pick<Handoff, 'id'>) => decodeTime(startPositionOf(handoff));

/** Position by which the list of a member sorts an assigned conversation. */
export const activityOf = ({ change }: Pick<Handoff, 'change'>, userMessageTo = ''): string =>
  userMessageTo > change ? userMessageTo : change;

export const keyOfHandoff = (botId: string, handoff: Pick<Handoff, 'id'>) => {
  const { conversationId, position } = placeOf(handoff);
  return handoffKey(botId, conversationId, position);
};

/**
 * Starts of the places in the queue. A place of normal priority starts with its time, as those of earlier releases do:
 * a digit or a letter.
 */
export const QUEUE_RANKS: Readonly<Record<HandoffPriority, string>> = {
  urgent: '!1',
  high: '!2',
  normal: '',
  low: '{',
};

const itemOf = (botId: string, handoff: Handoff) => ({
  ...keyOfHandoff(botId, handoff),
  ...encode(OF_GENERATION, handoff),
  ...handoffListing(botId, {
    ...handoff,
    status: listedStatus(handoff),
    start: startPositionOf(handoff),
    rank: QUEUE_RANKS[handoff.priority ?? 'normal'],
    snoozedUntil: isSnoozed(handoff) ? encodeTime(handoff.snooze!.untilMs) : undefined,
    activity: activityOf(handoff, handoff.userMessageTo),
    memberId: handoff.member?.id,
    unread: isUnread(handoff) && !isSnoozed(handoff) ? unreadSince(handoff) : undefined,
  }),
});

/** Returns the position by which the list of unread handoffs is sorted. */
const unreadSince = ({ isWoken, userMessageTo, change }: Handoff) => (isWoken ? change : userMessageTo);
/** Fails with `refusal` unless the handoff is open and assigned to the account. */
export const mustBeAssigned = (botId: string, id: string, accountId: string, refusal: () => Error): Write => ({
  check: {
    Key: keyOfHandoff(botId, { id }),
    ConditionExpression: '#status = :served AND #member.id = :account',
    ExpressionAttributeNames: { '#status': 'status', '#member': 'member' },
    ExpressionAttributeValues: { ':served': 'served', ':account': accountId },
  },
  onRefused: refusal,
});

/** Fails with `refusal` while the handoff is open and assigned to the account. */
export const mustNotBeAssigned = (botId: string, id: string, accountId: string, refusal: () => Error): Write => ({
  check: {
    Key: keyOfHandoff(botId, { id }),
    ConditionExpression: 'attribute_not_exists(pk) OR #status <> :served OR #member.id <> :account',
    ExpressionAttributeNames: { '#status': 'status', '#member': 'member' },
    ExpressionAttributeValues: { ':served': 'served', ':account': accountId },
  },
  onRefused: refusal,
});

export const putNewHandoff = (botId: string, handoff: Handoff): Write => ({
  put: { Item: itemOf(botId, handoff), ConditionExpression: 'attribute_not_exists(pk)' },
  onRefused: () => new WriteConflict(),
});

/** Attributes that messages change (`handoffMarks.ts`). They do not increment the version. */
const MARKS = ['withheldTo', 'userMessageTo', 'readTo'] as const;

/** Condition that attributes have not changed since the read. */
export function asRead(before: Handoff, names: readonly (keyof Handoff)[]) {
  const given = names.filter(name => before[name] !== undefined);
  return {
    ConditionExpression: names
      .map(name => (given.includes(name) ? `${name} = :${name}` : `attribute_not_exists(${name})`))
      .join(' AND '),
    ExpressionAttributeValues: Object.fromEntries(given.map(name => [`:${name}`, before[name]])),
  };
}

/** Fails with {@link WriteConflict} if a change or a message came first. */
export const changeHandoff = (botId: string, before: Handoff, after: Omit<Handoff, 'version'>): Write => ({
  put: {
    Item: itemOf(botId, { ...after, version: before.version + 1 }),
    ...asRead(before, ['version', ...MARKS]),
  },
  onRefused: () => new WriteConflict(),
});

/** Stores the rating of a closed handoff. Fails with {@link WriteConflict} after another change since the read. */
export const recordRating = (botId: string, before: Handoff, rating: HandoffRating): Write => ({
  update: {
    Key: keyOfHandoff(botId, before),
    UpdateExpression: 'SET rating = :rating, version = :next',
    ConditionExpression: 'version = :version',
    ExpressionAttributeValues: { ':rating': rating, ':next': before.version + 1, ':version': before.version },
  },
  onRefused: () => new WriteConflict(),
});

/** Removes texts of people. The version makes a concurrent change read the handoff again. */
export async function dropTexts({ pk, sk }: Item, texts: readonly ('reason' | 'rating')[]): Promise<boolean> {
  if (texts.length === 0) return false;
  await tryWrite({
    update: {
      Key: { pk, sk },
      UpdateExpression: `REMOVE ${texts.join(', ')} ADD version :one`,
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':one': 1 },
    },
  });
  return true;
}

export async function findHandoff(
  botId: string,
  id: string,
): Promise<{ handoff: Handoff; conversation: Conversation } | undefined> {
  const place = parseTimelineId('handoff', id);
  if (!place) return undefined;
  const [item, conversationItem] = await readItems([
    keyOfHandoff(botId, { id }),
    conversationKey(botId, place.conversationId),
  ]);
  const handoff = item && parseHandoff(item);
  const conversation = parseConversation(conversationItem);
  if (!handoff || !conversation || (handoff.generation ?? 0) !== conversation.generation) return undefined;
  return { handoff, conversation };
}

export async function findLatestHandoff(botId: string, { handoffId }: Conversation): Promise<Handoff | undefined> {
  if (handoffId === undefined) return undefined;
  const item = await readItem(keyOfHandoff(botId, { id: handoffId }));
  return item && parseHandoff(item);
}

/** Returns the latest handoff and the latest closed one of a conversation. At most the latest is open. */
export async function findLastHandoffs(
  botId: string,
  { id, generation }: Pick<Conversation, 'id' | 'generation'>,
): Promise<{ latest: Handoff | undefined; closed: Handoff | undefined }> {
  const { items } = await queryPage({
    ...prefixQuery(conversationPk(botId, id), handoffPrefix),
    ConsistentRead: true,
    ScanIndexForward: false,
    Limit: 2,
  });
  const own = items.map(parseHandoff).filter(handoff => (handoff.generation ?? 0) === generation);
  return { latest: own[0], closed: own.find(handoff => !isOpen(handoff)) };
}

/** Without the conversations that have no handoff. */
export async function findLatestHandoffs(botId: string, conversations: readonly Conversation[]): Promise<Handoff[]> {
  const handedOver = conversations.flatMap(({ handoffId, generation }) =>
    handoffId === undefined ? [] : { handoffId, generation },
  );
  const items = await readItems(handedOver.map(({ handoffId }) => keyOfHandoff(botId, { id: handoffId })));
  return items.flatMap((item, i) => {
    const handoff = item && parseHandoff(item);
    return handoff && (handoff.generation ?? 0) === handedOver[i]!.generation ? [handoff] : [];
  });
}

/** Returns the handoff whose span contains a position of the conversation. */
export async function findHandoffAt(
  botId: string,
  { id, generation }: Conversation,
  position: string,
): Promise<Handoff | undefined> {
  const {
    items: [item],
  } = await queryPage({
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
    ExpressionAttributeValues: {
      ':pk': conversationPk(botId, id),
      ':first': handoffPrefix,
      ':last': `${handoffPrefix}${position}`,
    },
    ConsistentRead: true,
    ScanIndexForward: false,
    Limit: 1,
  });
  const handoff = item && parseHandoff(item);
  if (!handoff || (handoff.generation ?? 0) !== generation) return undefined;
  return handoff.endPosition === undefined || position <= handoff.endPosition ? handoff : undefined;
}
