/**
 * Circuit breakers: the failures of an endpoint, shared by all functions that would call it. While an item exists
 * for an endpoint, its successes are counted too; an endpoint without failures costs no write. See
 * `shared/events/delivery/breaker.ts` for the rules.
 */
import * as z from 'zod/mini';
import { hashText } from '#shared/core/ids.ts';
import { breakerKey } from '#shared/storage/dynamodb/keys/deliveries.ts';
import type { Lane } from '#shared/storage/dynamodb/lanes.ts';
import { type Item, readItem } from '#shared/storage/dynamodb/query.ts';
import { tryWrite } from '#shared/storage/dynamodb/transaction.ts';

const Breaker = z.object({
  /** A changed endpoint starts afresh. */
  urlHash: z.string(),
  /** Calls in a row that the endpoint did not answer. */
  failures: z.number(),
  /** Events that the endpoint could not handle. Items of earlier releases have no such counts. */
  badEvents: z._default(z.number(), 0),
  /** Events that it handled since the first of these. */
  goodEvents: z._default(z.number(), 0),
  /** Opened because most events were bad. */
  isBroken: z._default(z.boolean(), false),
  /** Until then nobody calls. */
  openUntilMs: z.number(),
  /** How often it opened since the last success. */
  openings: z.number(),
});
export type Breaker = z.infer<typeof Breaker>;

/** Forgotten when nothing failed for so long. */
const KEPT_SECONDS = 24 * 3600;

/** Returns undefined for an endpoint without recent failures. */
export async function findBreaker(lane: Lane, url: string): Promise<Breaker | undefined> {
  return breakerOf(await readItem(breakerKey(lane)), url);
}

/** @param item as stored, if it is @param url a changed endpoint starts afresh */
export function breakerOf(item: Item | undefined, url: string | undefined): Breaker | undefined {
  const breaker = item && Breaker.parse(item);
  return url !== undefined && breaker?.urlHash === hashText(url) ? breaker : undefined;
}

/** Counts a call that the endpoint did not answer. @returns the breaker with it */
export const countFailure = (lane: Lane, url: string, nowMs: number): Promise<Breaker | undefined> =>
  count(lane, url, nowMs, 'failures');

/** Counts an event that the endpoint could not handle. @returns the breaker with it */
export const countBadEvent = (lane: Lane, url: string, nowMs: number): Promise<Breaker | undefined> =>
  count(lane, url, nowMs, 'badEvents');

const COUNTS = { failures: 0, badEvents: 0, goodEvents: 0 };

async function count(
  lane: Lane,
  url: string,
  nowMs: number,
  what: 'failures' | 'badEvents',
): Promise<Breaker | undefined> {
  const [Key, urlHash] = [breakerKey(lane), hashText(url)];
  const ttl = Math.floor(nowMs / 1000) + KEPT_SECONDS;
  const increment = () =>
    tryWrite({
      update: {
        Key,
        UpdateExpression: 'SET #ttl = :ttl ADD #count :one',
        ConditionExpression: 'urlHash = :url',
        ExpressionAttributeNames: { '#ttl': 'ttl', '#count': what },
        ExpressionAttributeValues: { ':ttl': ttl, ':one': 1, ':url': urlHash },
      },
    });
  if (!(await increment())) {
    const isNew = await tryWrite({
      put: {
        Item: { ...Key, urlHash, ...COUNTS, [what]: 1, openUntilMs: 0, openings: 0, ttl },
        ConditionExpression: 'attribute_not_exists(pk) OR urlHash <> :url',
        ExpressionAttributeValues: { ':url': urlHash },
      },
    });
    if (!isNew) await increment();
  }
  return findBreaker(lane, url);
}

/** Counts an event that the endpoint handled, in an item that has bad ones and is closed. */
export async function countGoodEvent(lane: Lane): Promise<void> {
  await tryWrite({
    update: {
      Key: breakerKey(lane),
      UpdateExpression: 'SET failures = :none ADD goodEvents :one',
      ConditionExpression: 'attribute_exists(pk) AND openings = :none',
      ExpressionAttributeValues: { ':one': 1, ':none': 0 },
    },
  });
}

/**
 * Closes the breaker of an endpoint that answers again, but could not handle the event.
 * @param seen as the caller knows it
 */
export const closeWithBadEvent = (lane: Lane, seen: Seen): Promise<boolean> =>
  tryWrite({
    update: {
      Key: breakerKey(lane),
      UpdateExpression:
        'SET failures = :none, openings = :none, openUntilMs = :none, badEvents = :one, goodEvents = :none',
      ConditionExpression: 'openUntilMs = :seen',
      ExpressionAttributeValues: { ':none': 0, ':one': 1, ':seen': seen.openUntilMs },
    },
  });

/**
 * Opens the breaker until a time.
 * @param seen as the caller knows it
 * @param isBroken because most events are bad
 * @returns whether no other caller was faster
 */
export const open = (lane: Lane, seen: Seen, untilMs: number, { isBroken = false } = {}): Promise<boolean> =>
  leaveAlone(lane, seen, { untilMs, openings: 1, isBroken });

/** Lets one caller try the endpoint; the others wait until it must have ended. @returns whether it is this one */
export const mayTry = (lane: Lane, seen: Seen, untilMs: number): Promise<boolean> =>
  leaveAlone(lane, seen, { untilMs, openings: 0, isBroken: false });

type Seen = Pick<Breaker, 'openUntilMs'>;

const leaveAlone = (
  lane: Lane,
  seen: Seen,
  { untilMs, openings, isBroken }: { untilMs: number; openings: number; isBroken: boolean },
) =>
  tryWrite({
    update: {
      Key: breakerKey(lane),
      UpdateExpression: `SET openUntilMs = :until${isBroken ? ', isBroken = :isBroken' : ''} ADD openings :openings`,
      ConditionExpression: 'openUntilMs = :seen',
      ExpressionAttributeValues: {
        ':until': untilMs,
        ':seen': seen.openUntilMs,
        ':openings': openings,
        ...(isBroken ? { ':isBroken': true } : {}),
      },
    },
  });

/** Forgets the failures of an endpoint that answers. */
export async function close(lane: Lane): Promise<void> {
  await tryWrite({ remove: { Key: breakerKey(lane) } });
}
