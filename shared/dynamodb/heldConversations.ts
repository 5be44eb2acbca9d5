/**
 * The waiting room of deliveries: one small item for each conversation whose events cannot be delivered now. The events themselves
 * stay pending in the conversation. While the item is there, nothing of the conversation may be delivered but by its drain.
 */
import * as z from 'zod/mini';
import { decodeTime, encodeTime } from '#shared/ids.ts';
import { heldKey, heldListing, heldPk, heldTimerKey, heldTimerSubject } from './keys/deliveries.ts';
import { END } from './lists.ts';
import { inPartition, queryPage, readItem } from './query.ts';
import { consumeTimer, setTimerBefore } from './timers.ts';
import { tryWrite } from './transaction.ts';

const Held = z.object({
  conversationId: z.string(),
  /** The position of the first event that waits, see `orderOfEvent`. */
  firstPosition: z.string(),
  /** The event that the rest is about, usually the first one. */
  eventId: z.string(),
  /** Attempts at it. */
  attempts: z.number(),
  sinceMs: z.number(),
  /** The next attempt is not before then. */
  nextMs: z.number(),
});
export type Held = z.infer<typeof Held>;

const earlier = (a: string, b: string) => (a < b ? a : b);

export async function findHeld(botId: string, conversationId: string): Promise<Held | undefined> {
  const item = await readItem(heldKey(botId, conversationId));
  return item && Held.parse(item);
}

/** Holds a conversation, or changes for what it is held. @param seen the item as the caller knows it */
export async function holdConversation(botId: string, held: Held, seen: Held | undefined): Promise<void> {
  const { conversationId } = held;
  for (let known = seen; ; known = await findHeld(botId, conversationId)) {
    // An event before the known ones has arrived: it goes first.
    const firstPosition =
      known && known !== seen ? earlier(known.firstPosition, held.firstPosition) : held.firstPosition;
    const isHeld = await tryWrite({
      put: {
        Item: { ...heldKey(botId, conversationId), ...held, firstPosition, ...heldListing(botId, held) },
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
 * Makes sure that the drain of a held conversation finds an event, which may be older than those that wait: a scheduled one, or a
 * replay.
 * @returns false when the conversation is held no longer
 */
export async function joinHeld(botId: string, held: Held, position: string): Promise<boolean> {
  for (let known: Held | undefined = held; known; known = await findHeld(botId, held.conversationId)) {
    if (known.firstPosition <= position) return true;
    const isJoined = await tryWrite({
      update: {
        Key: heldKey(botId, held.conversationId),
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
export const releaseHeld = (botId: string, held: Held): Promise<boolean> =>
  tryWrite({
    remove: { Key: heldKey(botId, held.conversationId), ...isAsKnown(held, 'attribute_not_exists(pk) OR ') },
  });

/** Lets a conversation be tried at once. */
export async function bringForward(botId: string, conversationId: string, nowMs: number): Promise<void> {
  await tryWrite({
    update: {
      Key: heldKey(botId, conversationId),
      UpdateExpression: 'SET nextMs = :now, gsi1Sk = :gsi1Sk',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: {
        ':now': nowMs,
        ':gsi1Sk': heldListing(botId, { conversationId, nextMs: nowMs, sinceMs: 0 }).gsi1Sk,
      },
    },
  });
}

export async function isAnythingHeld(botId: string): Promise<boolean> {
  const { items } = await queryPage({ ...inPartition(heldPk(botId)), ConsistentRead: true, Limit: 1 });
  return items.length > 0;
}

type HeldKey = { conversationId: string; atMs: number };

async function listHeld(
  botId: string,
  { index, first, last, limit }: { index: 'gsi1' | 'gsi2'; first: string; last: string; limit: number },
): Promise<HeldKey[]> {
  const { items } = await queryPage({
    IndexName: index,
    KeyConditionExpression: `gsiPk = :pk AND ${index}Sk BETWEEN :first AND :last`,
    ExpressionAttributeValues: { ':pk': heldPk(botId), ':first': first, ':last': last },
    Limit: limit,
  });
  return items.map(item => ({ conversationId: item.sk, atMs: decodeTime(item[`${index}Sk`]) }));
}

/** Conversations that may be tried, those that became so first before the others. Those of the last moments may be missing. */
export const listReady = (botId: string, nowMs: number, limit: number): Promise<HeldKey[]> =>
  listHeld(botId, { index: 'gsi1', first: ' ', last: `${encodeTime(nowMs)}${END}`, limit });

/** Conversations that may be tried later, the next one first. */
export const listNext = (botId: string, nowMs: number, limit: number): Promise<HeldKey[]> =>
  listHeld(botId, { index: 'gsi1', first: encodeTime(nowMs + 1), last: END, limit });

/** Conversations whose event has waited since a time or longer, the longest first. */
export const listHeldSince = (botId: string, sinceMs: number, limit: number): Promise<HeldKey[]> =>
  listHeld(botId, { index: 'gsi2', first: ' ', last: `${encodeTime(sinceMs)}${END}`, limit });

/** Sees to it that what a bot's endpoint is waited for with is looked at by then. */
export async function lookBy(botId: string, atMs: number): Promise<void> {
  await tryWrite(setTimerBefore(heldTimerSubject(botId), atMs));
}

/** Nothing is held: nobody looks any more. @param dueMs as the timer is known @returns false when it was set anew */
export const stopLooking = (botId: string, dueMs: number): Promise<boolean> =>
  tryWrite(consumeTimer({ ...heldTimerKey(botId), dueMs }));
