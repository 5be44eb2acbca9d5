/** Views of handoffs for members and bots. */
import * as z from 'zod/mini';
import { dateTime, iso } from '#shared/api/views.ts';
import { decodeTime } from '#shared/core/ids.ts';
import {
  Actor,
  HANDOFF_OUTCOMES,
  HANDOFF_PRIORITIES,
  HANDOFF_STATUSES,
  type Handoff,
  type HandoffActor,
  type HandoffRating,
  isSnoozed,
  isUnread,
  startedAtMs,
  startPositionOf,
} from '#shared/storage/dynamodb/chat/handoffs.ts';

const RatingView = z.object({
  value: z.number(),
  comment: z.optional(z.string()),
  ratedAt: dateTime(),
  userId: z.string(),
});

export const HandoffView = z.object({
  id: z.string(),
  conversationId: z.string(),
  status: z.enum(HANDOFF_STATUSES),
  reason: z.optional(z.string()),
  priority: z.enum(HANDOFF_PRIORITIES),
  startedAt: dateTime(),
  startedBy: Actor,
  member: z.optional(z.object({ id: z.string(), name: z.string(), userId: z.string() })),
  servedAt: z.optional(dateTime()),
  assignedBy: z.optional(Actor),
  endedAt: z.optional(dateTime()),
  endedBy: z.optional(Actor),
  rating: z.optional(RatingView),
  outcome: z.optional(z.enum(HANDOFF_OUTCOMES)),
  snoozedUntil: z.optional(dateTime()),
  latestSnooze: z.optional(z.object({ by: Actor, at: dateTime(), until: dateTime(), endedAt: z.optional(dateTime()) })),
  updatedAt: dateTime(),
  updatedBy: z.optional(Actor),
  lastUserMessageAt: z.optional(dateTime()),
  isUnread: z.boolean(),
});

const viewRating = ({ value, comment, ratedAtMs, userId }: HandoffRating): z.infer<typeof RatingView> => ({
  value,
  comment,
  ratedAt: iso(ratedAtMs),
  userId,
});

export function viewHandoff(handoff: Handoff): z.infer<typeof HandoffView> {
  const {
    id,
    conversationId,
    status,
    reason,
    priority = 'normal',
    startedBy,
    member,
    servedAtMs,
    assignedBy,
    endPosition,
    endedBy,
    rating,
    outcome,
    snooze,
    change,
    changedBy,
    userMessageTo,
  } = handoff;
  return {
    id,
    conversationId,
    status,
    reason,
    priority,
    startedAt: iso(startedAtMs(handoff)),
    startedBy,
    member,
    servedAt: servedAtMs === undefined ? undefined : iso(servedAtMs),
    assignedBy,
    endedAt: endPosition === undefined ? undefined : iso(decodeTime(endPosition)),
    endedBy,
    rating: rating && viewRating(rating),
    outcome,
    snoozedUntil: isSnoozed(handoff) ? iso(snooze!.untilMs) : undefined,
    latestSnooze: snooze && viewSnooze(snooze),
    updatedAt: iso(decodeTime(change)),
    updatedBy: changedBy,
    lastUserMessageAt: userMessageTo === undefined ? undefined : iso(decodeTime(userMessageTo)),
    isUnread: isUnread(handoff),
  };
}

const viewSnooze = ({ by, atMs, untilMs, endedAtMs }: NonNullable<Handoff['snooze']>) => ({
  by,
  at: iso(atMs),
  until: iso(untilMs),
  ...(endedAtMs === undefined ? {} : { endedAt: iso(endedAtMs) }),
});

/**
 * The query of `listMessages` that returns all messages of a closed handoff. A message written by a fast clock may have
 * been withheld before the end, with a later position.
 */
export function messagesOf(handoff: Handoff) {
  const { conversationId, endPosition, withheldTo } = handoff;
  const last = withheldTo !== undefined && withheldTo > endPosition! ? withheldTo : endPosition!;
  return {
    conversationId,
    afterDate: iso(decodeTime(startPositionOf(handoff))),
    beforeDate: iso(decodeTime(last)),
  };
}

export const shownActor = ({ type, name }: HandoffActor) => (type === 'bot' ? `the bot ${name}` : name);
