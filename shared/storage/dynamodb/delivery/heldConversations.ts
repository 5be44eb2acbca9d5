/**
 * The waiting room of deliveries: one small item for each conversation whose events cannot be delivered now, in each
 * lane. The events themselves stay pending in the conversation. While the item is there, nothing of the conversation
 * may be delivered in the lane but by its drain.
 */
import * as z from 'zod/mini';
import { decodeTime, encodeTime } from '#shared/core/ids.ts';
import {
  conversationOfHeld,
  heldKey,
  heldListing,
  heldListPk,
  heldPk,
  heldPrefix,
  heldTimerKey,
  heldTimerSubject,
  laneOfHeldTimer,
} from '#shared/storage/dynamodb/keys/deliveries.ts';
import { type Lane, parseLane } from '#shared/storage/dynamodb/lanes.ts';
import { END } from '#shared/storage/dynamodb/lists.ts';
import { queryPage, readItem } from '#shared/storage/dynamodb/query.ts';
import { consumeTimer, setTimerBefore, type Timer } from '#shared/storage/dynamodb/timers.ts';
import { tryWrite } from '#shared/storage/dynamodb/transaction.ts';

const Held = z.object({
  conversationId: z.string(),
  /** The position of the first event that waits, see `orderOf`. */
  firstPosition: z.string(),
  /** The event that the rest is about, usually the first one. */
  eventId: z.string(),
  /** Attempts at it. */
  attempts: z.number(),
  /** The attempts among these that the endpoint could not handle, see `verdictOf`. */
  badAttempts: z._default(z.number(), 0),
  /**
   * The address that these called: attempts at another one do not count, because a broken release may have been
   * replaced.
   */
  badAddressHash: z.optional(z.string()),
  sinceMs: z.number(),
  /** The next attempt is not before then. */
  nextMs: z.number(),
});
export type Held = z.infer<typeof Held>;

const earlier = (a: string, b: string) => (a < b ? a : b);

export async function findHeld(lane: Lane, conversationId: string): Promise<Held | undefined> {
  const item = await readItem(heldKey(lane, conversationId));
  return item && Held.parse(item);
}

/** Holds a conversation, or changes for what it is held. @param seen the item as the caller knows it */
export async function holdConversation(lane: Lane, held: Held, seen: Held | undefined): Promise<void> {
  const { conversationId } = held;
  for (let known = seen; ; known = await findHeld(lane, conversationId)) {
    // An event before the known ones has arrived: it goes first.
    const firstPosition =
      known && known !== seen ? earlier(known.firstPosition, held.firstPosition) : held.firstPosition;
    const isHeld = await tryWrite({
      put: {
        Item: { ...heldKey(lane, conversationId), ...held, firstPosition, ...heldListing(lane, held) },
        ...(known ? isAsKnown(known) : { ConditionExpression: 'attribute_not_exists(pk)' }),
      },
    });
    if (isHeld) return;
  }
}

const isAsKnown = ({ firstPosition }: Held, orGone = '') => ({
  ConditionExpression: `${orGone}firstPosition = :known`,
  ExpressionAttributeValues: { ':known': firstPosition },
});

/**
 * Makes sure that the drain of a held conversation finds an event, which may be older than those that wait: a scheduled
 * one, or a replay.
 * @returns false when the conversation is held no longer
 */
export async function joinHeld(lane: Lane, held: Held, position: string): Promise<boolean> {
  for (let known: Held | undefined = held; known; known = await findHeld(lane, held.conversationId)) {
    if (known.firstPosition <= position) return true;
    const isJoined = await tryWrite({
      update: {
        Key: heldKey(lane, held.conversationId),
        UpdateExpression: 'SET firstPosition = :position',
        ConditionExpression: 'attribute_exists(pk) AND firstPosition > :position',
        ExpressionAttributeValues: { ':position': position },
      },
    });
    if (isJoined) return true;
  }
  return false;
}

/** Ends the holding of a conversation, unless an older event has joined. @returns whether it is held no longer */
export const releaseHeld = (lane: Lane, held: Held): Promise<boolean> =>
  tryWrite({
    remove: { Key: heldKey(lane, held.conversationId), ...isAsKnown(held, 'attribute_not_exists(pk) OR ') },
  });

/** Lets a conversation be tried at once. */
export async function bringForward(lane: Lane, conversationId: string, nowMs: number): Promise<void> {
  await tryWrite({
    update: {
      Key: heldKey(lane, conversationId),
      UpdateExpression: 'SET nextMs = :now, gsi1Sk = :gsi1Sk',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: {
        ':now': nowMs,
        ':gsi1Sk': heldListing(lane, { conversationId, nextMs: nowMs, sinceMs: 0 }).gsi1Sk,
      },
    },
  });
}

export async function isAnythingHeld(lane: Lane): Promise<boolean> {
  const { items } = await queryPage({
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': heldPk(parseLane(lane).botId), ':prefix': heldPrefix(lane) },
    ConsistentRead: true,
    Limit: 1,
  });
  return items.length > 0;
}

type HeldKey = { conversationId: string; atMs: number };

async function listHeld(
  lane: Lane,
  { index, first, last, limit }: { index: 'gsi1' | 'gsi2'; first: string; last: string; limit: number },
): Promise<HeldKey[]> {
  const { items } = await queryPage({
    IndexName: index,
    KeyConditionExpression: `gsiPk = :pk AND ${index}Sk BETWEEN :first AND :last`,
    ExpressionAttributeValues: { ':pk': heldListPk(lane), ':first': first, ':last': last },
    Limit: limit,
  });
  return items.map(item => ({ conversationId: conversationOfHeld(item.sk), atMs: decodeTime(item[`${index}Sk`]) }));
}

/**
 * Conversations that may be tried, those that became so first before the others. Those of the last moments may be
 * missing.
 */
export const listReady = (lane: Lane, nowMs: number, limit: number): Promise<HeldKey[]> =>
  listHeld(lane, { index: 'gsi1', first: ' ', last: `${encodeTime(nowMs)}${END}`, limit });

/** Conversations that may be tried later, the next one first. */
export const listNext = (lane: Lane, nowMs: number, limit: number): Promise<HeldKey[]> =>
  listHeld(lane, { index: 'gsi1', first: encodeTime(nowMs + 1), last: END, limit });

/** Conversations whose event has waited since a time or longer, the longest first. */
export const listHeldSince = (lane: Lane, sinceMs: number, limit: number): Promise<HeldKey[]> =>
  listHeld(lane, { index: 'gsi2', first: ' ', last: `${encodeTime(sinceMs)}${END}`, limit });

/** Sees to it that what waits in a lane is looked at by then. */
export async function scheduleWakeup(lane: Lane, atMs: number): Promise<void> {
  await tryWrite(setTimerBefore(heldTimerSubject(lane), atMs));
}

/** Nothing is held: nobody looks any more. @param dueMs as the timer is known @returns false when it was set anew */
export const stopLooking = (lane: Lane, dueMs: number): Promise<boolean> =>
  tryWrite(consumeTimer({ ...heldTimerKey(lane), dueMs }));

/** The lane whose held conversations a timer is about; undefined for the timer of a record. */
export const laneOfTimer = ({ pk, sk }: Timer): Lane | undefined => laneOfHeldTimer({ pk, sk });
