/**
 * Circuit breakers: what is known of an endpoint that does not answer, shared by all functions that would call it. After some
 * failures in a row it is left alone for a while, and then one call tries it.
 */
import * as z from 'zod/mini';
import { hashText } from '#shared/ids.ts';
import { breakerKey } from './keys/deliveries.ts';
import type { Lane } from './lanes.ts';
import { type Item, readItem } from './query.ts';
import { tryWrite } from './transaction.ts';

const Breaker = z.object({
  /** A changed endpoint starts afresh. */
  urlHash: z.string(),
  /** In a row. */
  failures: z.number(),
  /** Until then nobody calls. */
  openUntilMs: z.number(),
  /** How often it opened since the last success. */
  openings: z.number(),
});
export type Breaker = z.infer<typeof Breaker>;

/** Forgotten when nothing failed for so long. */
const KEPT_SECONDS = 24 * 3600;

/** @returns undefined for an endpoint that answered the last call */
export async function findBreaker(lane: Lane, url: string): Promise<Breaker | undefined> {
  return breakerOf(await readItem(breakerKey(lane)), url);
}

/** @param item as stored, if it is @param url a changed endpoint starts afresh */
export function breakerOf(item: Item | undefined, url: string | undefined): Breaker | undefined {
  const breaker = item && Breaker.parse(item);
  return url !== undefined && breaker?.urlHash === hashText(url) ? breaker : undefined;
}

/** Counts a failure. @returns the breaker with it */
export async function countFailure(lane: Lane, url: string, nowMs: number): Promise<Breaker | undefined> {
  const [Key, urlHash] = [breakerKey(lane), hashText(url)];
  const ttl = Math.floor(nowMs / 1000) + KEPT_SECONDS;
  const isCounted = await tryWrite({
    update: {
      Key,
      UpdateExpression: 'SET #ttl = :ttl ADD failures :one',
      ConditionExpression: 'urlHash = :url',
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: { ':ttl': ttl, ':one': 1, ':url': urlHash },
    },
  });
  if (!isCounted) await tryWrite({ put: { Item: { ...Key, urlHash, failures: 1, openUntilMs: 0, openings: 0, ttl } } });
  return findBreaker(lane, url);
}

/** Opens the breaker until a time. @param seen as the caller knows it @returns whether no other caller was faster */
export const open = (lane: Lane, seen: Seen, untilMs: number): Promise<boolean> =>
  leaveAlone(lane, seen, { untilMs, openings: 1 });

/** Lets one caller try the endpoint; the others wait until it must have ended. @returns whether it is this one */
export const mayTry = (lane: Lane, seen: Seen, untilMs: number): Promise<boolean> =>
  leaveAlone(lane, seen, { untilMs, openings: 0 });

type Seen = Pick<Breaker, 'openUntilMs'>;

const leaveAlone = (lane: Lane, seen: Seen, { untilMs, openings }: { untilMs: number; openings: number }) =>
  tryWrite({
    update: {
      Key: breakerKey(lane),
      UpdateExpression: 'SET openUntilMs = :until ADD openings :openings',
      ConditionExpression: 'openUntilMs = :seen',
      ExpressionAttributeValues: { ':until': untilMs, ':seen': seen.openUntilMs, ':openings': openings },
    },
  });

/** Forgets the failures of an endpoint that answers. */
export async function close(lane: Lane): Promise<void> {
  await tryWrite({ remove: { Key: breakerKey(lane) } });
}
