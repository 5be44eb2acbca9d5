/** Paused conversations. While the item exists, only a resuming job may deliver the pending events. */
import * as z from 'zod/mini';
import { decodeTime, encodeTime } from '#shared/core/ids.ts';
import { queryPage, readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { tryWrite } from '#shared/storage/dynamodb/engine/transaction.ts';
import {
  conversationOfPaused,
  destinationOfWakeup,
  pausedKey,
  pausedListing,
  pausedListPk,
  pausedPk,
  pausedPrefix,
  wakeupKey,
  wakeupSubject,
} from '#shared/storage/dynamodb/keys/deliveries.ts';
import { END } from '#shared/storage/dynamodb/lists/lists.ts';
import { type Destination, parseDestination } from '#shared/storage/dynamodb/partitioning/destinations.ts';
import { consumeTimer, setTimerBefore, type Timer } from '#shared/storage/dynamodb/timers/timers.ts';

const PausedConversation = z.object({
  conversationId: z.string(),
  firstPosition: z.string(),
  eventId: z.string(),
  attempts: z.number(),
  badAttempts: z._default(z.number(), 0),
  /** Address of the bad attempts. A new address resets them, because the release may have been replaced. */
  badAddressHash: z.optional(z.string()),
  sinceMs: z.number(),
  nextMs: z.number(),
  /** Why the delivery is pending. Earlier releases did not store it. */
  reason: z.optional(z.string()),
});
export type PausedConversation = z.infer<typeof PausedConversation>;

const earlier = (a: string, b: string) => (a < b ? a : b);

export async function findPaused(
  destination: Destination,
  conversationId: string,
): Promise<PausedConversation | undefined> {
  const item = await readItem(pausedKey(destination, conversationId));
  return item && PausedConversation.parse(item);
}

export async function pauseConversation(
  destination: Destination,
  pause: PausedConversation,
  seen: PausedConversation | undefined,
): Promise<void> {
  const { conversationId } = pause;
  for (let known = seen; ; known = await findPaused(destination, conversationId)) {
    const firstPosition =
      known && known !== seen ? earlier(known.firstPosition, pause.firstPosition) : pause.firstPosition;
    const isPaused = await tryWrite({
      put: {
        Item: {
          ...pausedKey(destination, conversationId),
          ...pause,
          firstPosition,
          ...pausedListing(destination, pause),
        },
        ...(known ? isAsKnown(known) : { ConditionExpression: 'attribute_not_exists(pk)' }),
      },
    });
    if (isPaused) return;
  }
}

const isAsKnown = ({ firstPosition }: PausedConversation, orGone = '') => ({
  ConditionExpression: `${orGone}firstPosition = :known`,
  ExpressionAttributeValues: { ':known': firstPosition },
});

/** Extends the pause to an earlier event, which was scheduled or replayed. Returns false after its end. */
export async function joinPaused(
  destination: Destination,
  pause: PausedConversation,
  position: string,
): Promise<boolean> {
  for (
    let known: PausedConversation | undefined = pause;
    known;
    known = await findPaused(destination, pause.conversationId)
  ) {
    if (known.firstPosition <= position) return true;
    const isJoined = await tryWrite({
      update: {
        Key: pausedKey(destination, pause.conversationId),
        UpdateExpression: 'SET firstPosition = :position',
        ConditionExpression: 'attribute_exists(pk) AND firstPosition > :position',
        ExpressionAttributeValues: { ':position': position },
      },
    });
    if (isJoined) return true;
  }
  return false;
}

/** Ends the pause. Returns false if an earlier event was added. */
export const endPause = (destination: Destination, pause: PausedConversation): Promise<boolean> =>
  tryWrite({
    remove: { Key: pausedKey(destination, pause.conversationId), ...isAsKnown(pause, 'attribute_not_exists(pk) OR ') },
  });

export async function makeDueNow(destination: Destination, conversationId: string, nowMs: number): Promise<void> {
  await tryWrite({
    update: {
      Key: pausedKey(destination, conversationId),
      UpdateExpression: 'SET nextMs = :now, gsi1Sk = :gsi1Sk',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: {
        ':now': nowMs,
        ':gsi1Sk': pausedListing(destination, { conversationId, nextMs: nowMs, sinceMs: 0 }).gsi1Sk,
      },
    },
  });
}

export async function hasPausedConversations(destination: Destination): Promise<boolean> {
  const { items } = await queryPage({
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: {
      ':pk': pausedPk(parseDestination(destination).botId),
      ':prefix': pausedPrefix(destination),
    },
    ConsistentRead: true,
    Limit: 1,
  });
  return items.length > 0;
}

type PausedKey = { conversationId: string; atMs: number };

async function listPaused(
  destination: Destination,
  { index, first, last, limit }: { index: 'gsi1' | 'gsi2'; first: string; last: string; limit: number },
): Promise<PausedKey[]> {
  const { items } = await queryPage({
    IndexName: index,
    KeyConditionExpression: `gsiPk = :pk AND ${index}Sk BETWEEN :first AND :last`,
    ExpressionAttributeValues: { ':pk': pausedListPk(destination), ':first': first, ':last': last },
    Limit: limit,
  });
  return items.map(item => ({ conversationId: conversationOfPaused(item.sk), atMs: decodeTime(item[`${index}Sk`]) }));
}

/** Lists due conversations, longest due first. Eventually consistent. */
export const listReady = (destination: Destination, nowMs: number, limit: number): Promise<PausedKey[]> =>
  listPaused(destination, { index: 'gsi1', first: ' ', last: `${encodeTime(nowMs)}${END}`, limit });

export const listNext = (destination: Destination, nowMs: number, limit: number): Promise<PausedKey[]> =>
  listPaused(destination, { index: 'gsi1', first: encodeTime(nowMs + 1), last: END, limit });

/** Lists paused conversations, those with the next attempt first. Eventually consistent. */
export const listByNextAttempt = (destination: Destination, limit: number): Promise<PausedKey[]> =>
  listPaused(destination, { index: 'gsi1', first: ' ', last: END, limit });

export const listPausedSince = (destination: Destination, sinceMs: number, limit: number): Promise<PausedKey[]> =>
  listPaused(destination, { index: 'gsi2', first: ' ', last: `${encodeTime(sinceMs)}${END}`, limit });

/** Ensures that the destination's timer fires at a time or earlier. */
export async function scheduleWakeup(destination: Destination, atMs: number): Promise<void> {
  await tryWrite(setTimerBefore(wakeupSubject(destination), atMs));
}

/** Clears the timer when no delivery is pending. Returns false if it was set again. */
export const clearWakeup = (destination: Destination, dueMs: number): Promise<boolean> =>
  tryWrite(consumeTimer({ ...wakeupKey(destination), dueMs }));

export const destinationOfTimer = ({ pk, sk }: Timer): Destination | undefined => destinationOfWakeup({ pk, sk });
