/**
 * Circuit breaker of a destination's endpoint. It opens in two cases, for longer each time, then allows one probe:
 *
 * - Down: five consecutive calls had no response. Each hanging call occupies a function for a minute.
 * - Broken: at least five bad events, and more than good ones. Events then stay pending instead of failing. Counting
 *   starts at the first bad event and ends when good events are in the majority.
 */
import { clock } from '#shared/core/clock.ts';
import { environment } from '#shared/core/environment.ts';
import { log } from '#shared/core/log.ts';
import { measured } from '#shared/core/metrics.ts';
import * as breakers from '#shared/storage/dynamodb/delivery/breakers.ts';
import type { Destination } from '#shared/storage/dynamodb/partitioning/destinations.ts';
import type { Outcome } from './verdict.ts';

const FAILURES = 5;
/**
 * Minimum number of bad events that indicates a broken release, and of good events that indicates a working release.
 */
const EVENTS = 5;
const MAX_MS = 5 * 60_000;

/** Returns the pause before the next probe. @param openings since the last response */
export const openMsAfter = (openings: number): number => Math.min(5 * environment.firstPauseMs * 2 ** openings, MAX_MS);

/** Closed: calls pass. Open: calls are blocked. Half open: one call probes the endpoint. */
export function phaseOf(breaker: breakers.Breaker | undefined, nowMs: number): 'closed' | 'open' | 'halfOpen' {
  if (!breaker || breaker.openings === 0) return 'closed';
  return nowMs < breaker.openUntilMs ? 'open' : 'halfOpen';
}

/** Admits a call, with the breaker's state at that time. */
export interface Permit {
  destination: Destination;
  address: string;
  breaker: breakers.Breaker | undefined;
}

interface BreakerChange {
  hasRecovered: boolean;
  isClosed: boolean;
}

const CLOSED: BreakerChange = { hasRecovered: false, isClosed: true };

/** Counts a call, and opens or closes the breaker. `isFirstBad` unless the event was already counted as bad. */
export function recordCall(permit: Permit, outcome: Outcome, isFirstBad: boolean): Promise<BreakerChange> {
  if (outcome.kind !== 'retry') return recordSuccess(permit);
  const { reason } = outcome;
  return outcome.isBad ? recordBadEvent(permit, reason, isFirstBad) : recordFailure(permit, reason);
}

async function recordFailure({ destination, address, breaker }: Permit, reason: string): Promise<BreakerChange> {
  const now = await breakers.countFailure(destination, address, { nowMs: clock.now(), reason });
  const isKnownBroken = breaker?.isBroken && breaker.openings > 0;
  if (!now || (now.failures < FAILURES && !isKnownBroken)) return CLOSED;
  await open(destination, now, breaker, 'An endpoint is down. Its breaker opened.');
  return { hasRecovered: false, isClosed: false };
}

async function recordBadEvent(
  { destination, address, breaker }: Permit,
  reason: string,
  isFirstBad: boolean,
): Promise<BreakerChange> {
  const failure = { nowMs: clock.now(), reason };
  if (breaker && breaker.openings > 0 && !breaker.isBroken) {
    // The endpoint was down and responds again. If it is also broken, the next events show it.
    return { hasRecovered: await breakers.closeWithBadEvent(destination, breaker, failure), isClosed: true };
  }
  const now = isFirstBad
    ? await breakers.countBadEvent(destination, address, failure)
    : // Another event may have opened the breaker during this call.
      await breakers.findBreaker(destination, address);
  if (!now) return CLOSED;
  const isProbe = breaker !== undefined && breaker.openings > 0;
  const isMostlyBad = now.badEvents >= EVENTS && now.badEvents > now.goodEvents;
  if (isProbe || (now.openings === 0 && isMostlyBad)) {
    const message = 'An endpoint fails most of its events. Its breaker opened.';
    await open(destination, now, breaker, message, { isBroken: true });
    return { hasRecovered: false, isClosed: false };
  }
  return { hasRecovered: false, isClosed: now.openings === 0 };
}

async function recordSuccess({ destination, breaker }: Permit): Promise<BreakerChange> {
  if (!breaker) return CLOSED;
  const goodEvents = breaker.goodEvents + 1;
  const isProbe = breaker.openings > 0;
  if (isProbe || breaker.badEvents === 0 || (goodEvents >= EVENTS && goodEvents > breaker.badEvents)) {
    await breakers.close(destination);
  } else {
    await breakers.countGoodEvent(destination);
  }
  return { hasRecovered: isProbe, isClosed: true };
}

async function open(
  destination: Destination,
  now: breakers.Breaker,
  before: breakers.Breaker | undefined,
  message: string,
  options?: { isBroken: boolean },
): Promise<void> {
  // Exactly one of several concurrent failures opens the breaker.
  const seen = { openUntilMs: before?.openUntilMs ?? 0 };
  const hasOpened = await breakers.open(destination, seen, clock.now() + openMsAfter(now.openings), options);
  if (hasOpened) log.warn(message, { destination, ...measured({ breakersOpened: 1 }) });
}
