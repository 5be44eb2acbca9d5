/** Held conversations. While the item exists, only a drain may deliver the pending events. */
import * as z from 'zod/mini';
import { decodeTime, encodeTime } from '#shared/core/ids.ts';
import { queryPage, readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { tryWrite } from '#shared/storage/dynamodb/engine/transaction.ts';
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
import { END } from '#shared/storage/dynamodb/lists/lists.ts';
import { type Lane, parseLane } from '#shared/storage/dynamodb/partitioning/destinations.ts';
import { consumeTimer, setTimerBefore, type Timer } from '#shared/storage/dynamodb/timers/timers.ts';

const Held = z.object({
  conversationId: z.string(),
  firstPosition: z.string(),
  eventId: z.string(),
  attempts: z.number(),
  badAttempts: z._default(z.number(), 0),
  /** Address of the bad attempts. A new address resets them, because the release may have been replaced. */
  badAddressHash: z.optional(z.string()),
  sinceMs: z.number(),
  nextMs: z.number(),
});
export type Held = z.infer<typeof Held>;

const earlier = (a: string, b: string) => (a < b ? a : b);

export async function findHeld(lane: Lane, conversationId: string): Promise<Held | undefined> {
  const item = await readItem(heldKey(lane, conversationId));
  return item && Held.parse(item);
}

export async function holdConversation(lane: Lane, held: Held, seen: Held | undefined): Promise<void> {
  const { conversationId } = held;
  for (let known = seen; ; known = await findHeld(lane, conversationId)) {
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

/** Includes an earlier event, scheduled or replayed, in the drain. Returns false after the release. */
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

/** Releases a conversation. Returns false if an earlier event has joined. */
export const releaseHeld = (lane: Lane, held: Held): Promise<boolean> =>
  tryWrite({
    remove: { Key: heldKey(lane, held.conversationId), ...isAsKnown(held, 'attribute_not_exists(pk) OR ') },
  });

export async function makeDueNow(lane: Lane, conversationId: string, nowMs: number): Promise<void> {
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

export async function hasHeldConversations(lane: Lane): Promise<boolean> {
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

/** Lists due conversations, longest due first. Eventually consistent. */
export const listReady = (lane: Lane, nowMs: number, limit: number): Promise<HeldKey[]> =>
  listHeld(lane, { index: 'gsi1', first: ' ', last: `${encodeTime(nowMs)}${END}`, limit });

export const listNext = (lane: Lane, nowMs: number, limit: number): Promise<HeldKey[]> =>
  listHeld(lane, { index: 'gsi1', first: encodeTime(nowMs + 1), last: END, limit });

export const listHeldSince = (lane: Lane, sinceMs: number, limit: number): Promise<HeldKey[]> =>
  listHeld(lane, { index: 'gsi2', first: ' ', last: `${encodeTime(sinceMs)}${END}`, limit });

/** Ensures that the lane's timer fires at a time or earlier. */
export async function scheduleWakeup(lane: Lane, atMs: number): Promise<void> {
  await tryWrite(setTimerBefore(heldTimerSubject(lane), atMs));
}

/** Clears the timer when no delivery is pending. Returns false if it was set again. */
export const clearWakeup = (lane: Lane, dueMs: number): Promise<boolean> =>
  tryWrite(consumeTimer({ ...heldTimerKey(lane), dueMs }));

export const laneOfTimer = ({ pk, sk }: Timer): Lane | undefined => laneOfHeldTimer({ pk, sk });
