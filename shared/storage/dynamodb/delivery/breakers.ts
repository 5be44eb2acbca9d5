/**
 * Stores failures of endpoints. Successful calls cost no write. See `shared/events/delivery/breaker.ts` for the rules.
 */
import * as z from 'zod/mini';
import { startOf } from '#shared/core/excerpt.ts';
import { hashText } from '#shared/core/ids.ts';
import { type Item, readItem, readItemsEventually } from '#shared/storage/dynamodb/engine/query.ts';
import { tryWrite } from '#shared/storage/dynamodb/engine/transaction.ts';
import { breakerKey } from '#shared/storage/dynamodb/keys/deliveries.ts';
import type { Destination } from '#shared/storage/dynamodb/partitioning/destinations.ts';

const Breaker = z.object({
  /** A changed URL resets the breaker. */
  urlHash: z.string(),
  failures: z.number(),
  /** Events that the endpoint could not handle. Earlier releases did not count them. */
  badEvents: z._default(z.number(), 0),
  goodEvents: z._default(z.number(), 0),
  isBroken: z._default(z.boolean(), false),
  openUntilMs: z.number(),
  openings: z.number(),
  /** First of the consecutive calls without a response, and first bad event. Earlier releases did not store them. */
  downSinceMs: z.optional(z.number()),
  badSinceMs: z.optional(z.number()),
  lastError: z.optional(z.string()),
});
export type Breaker = z.infer<typeof Breaker>;

const RETENTION_SECONDS = 24 * 3600;

export async function findBreaker(destination: Destination, url: string): Promise<Breaker | undefined> {
  return breakerOf(await readItem(breakerKey(destination)), url);
}

export function breakerOf(item: Item | undefined, url: string | undefined): Breaker | undefined {
  const breaker = item && Breaker.parse(item);
  return url !== undefined && breaker?.urlHash === hashText(url) ? breaker : undefined;
}

/** Reads the breakers of several destinations with one call, 0.5 read units each. Eventually consistent. */
export async function findBreakers(
  endpoints: readonly { destination: Destination; url: string | undefined }[],
): Promise<(Breaker | undefined)[]> {
  const items = await readItemsEventually(endpoints.map(({ destination }) => breakerKey(destination)));
  return items.map((item, i) => breakerOf(item, endpoints[i]!.url));
}

/** A call that failed. */
interface Failure {
  nowMs: number;
  reason: string;
}

export const countFailure = (destination: Destination, url: string, failure: Failure): Promise<Breaker | undefined> =>
  count(destination, url, failure, 'failures');

export const countBadEvent = (destination: Destination, url: string, failure: Failure): Promise<Breaker | undefined> =>
  count(destination, url, failure, 'badEvents');

const COUNTS = { failures: 0, badEvents: 0, goodEvents: 0 };
const SINCE = { failures: 'downSinceMs', badEvents: 'badSinceMs' } as const;

/** Keeps the item within one write unit. */
const ERROR_LENGTH = 300;

async function count(
  destination: Destination,
  url: string,
  { nowMs, reason }: Failure,
  what: 'failures' | 'badEvents',
): Promise<Breaker | undefined> {
  const [Key, urlHash] = [breakerKey(destination), hashText(url)];
  const lastError = startOf(reason, ERROR_LENGTH);
  const ttl = Math.floor(nowMs / 1000) + RETENTION_SECONDS;
  const increment = () =>
    tryWrite({
      update: {
        Key,
        UpdateExpression: 'SET #ttl = :ttl, #since = if_not_exists(#since, :now), lastError = :error ADD #count :one',
        ConditionExpression: 'urlHash = :url',
        ExpressionAttributeNames: { '#ttl': 'ttl', '#count': what, '#since': SINCE[what] },
        ExpressionAttributeValues: { ':ttl': ttl, ':one': 1, ':url': urlHash, ':now': nowMs, ':error': lastError },
      },
    });
  if (!(await increment())) {
    const isNew = await tryWrite({
      put: {
        Item: {
          ...{ ...Key, urlHash, ...COUNTS, [what]: 1, openUntilMs: 0, openings: 0, ttl },
          ...{ [SINCE[what]]: nowMs, lastError },
        },
        ConditionExpression: 'attribute_not_exists(pk) OR urlHash <> :url',
        ExpressionAttributeValues: { ':url': urlHash },
      },
    });
    if (!isNew) await increment();
  }
  return findBreaker(destination, url);
}

/** Counts a handled event if bad events are recorded and the breaker is closed. */
export async function countGoodEvent(destination: Destination): Promise<void> {
  await tryWrite({
    update: {
      Key: breakerKey(destination),
      UpdateExpression: 'SET failures = :none REMOVE downSinceMs ADD goodEvents :one',
      ConditionExpression: 'attribute_exists(pk) AND openings = :none',
      ExpressionAttributeValues: { ':one': 1, ':none': 0 },
    },
  });
}

/** Closes the breaker of an endpoint that responds again, but could not handle the event. */
export const closeWithBadEvent = (destination: Destination, seen: Seen, { nowMs, reason }: Failure): Promise<boolean> =>
  tryWrite({
    update: {
      Key: breakerKey(destination),
      UpdateExpression:
        'SET failures = :none, openings = :none, openUntilMs = :none, badEvents = :one, goodEvents = :none, badSinceMs = :now, lastError = :error REMOVE downSinceMs',
      ConditionExpression: 'openUntilMs = :seen',
      ExpressionAttributeValues: {
        ...{ ':none': 0, ':one': 1, ':seen': seen.openUntilMs },
        ...{ ':now': nowMs, ':error': startOf(reason, ERROR_LENGTH) },
      },
    },
  });

export const open = (
  destination: Destination,
  seen: Seen,
  untilMs: number,
  { isBroken = false } = {},
): Promise<boolean> => setOpenUntil(destination, seen, { untilMs, openings: 1, isBroken });

/** Allows a single caller to probe the endpoint. Returns true for that caller. */
export const claimProbe = (destination: Destination, seen: Seen, untilMs: number): Promise<boolean> =>
  setOpenUntil(destination, seen, { untilMs, openings: 0, isBroken: false });

/** Ends the pause of an open breaker, so that the next call probes the endpoint. */
export const allowProbe = (destination: Destination, nowMs: number): Promise<boolean> =>
  tryWrite({
    update: {
      Key: breakerKey(destination),
      UpdateExpression: 'SET openUntilMs = :now',
      ConditionExpression: 'openings > :none AND openUntilMs > :now',
      ExpressionAttributeValues: { ':now': nowMs, ':none': 0 },
    },
  });

type Seen = Pick<Breaker, 'openUntilMs'>;

const setOpenUntil = (
  destination: Destination,
  seen: Seen,
  { untilMs, openings, isBroken }: { untilMs: number; openings: number; isBroken: boolean },
) =>
  tryWrite({
    update: {
      Key: breakerKey(destination),
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

export async function close(destination: Destination): Promise<void> {
  await tryWrite({ remove: { Key: breakerKey(destination) } });
}
