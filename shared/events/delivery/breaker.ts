/**
 * The breaker before an endpoint, one for each lane. It opens in two cases, for longer each time, and one delivery at a
 * time tries the endpoint:
 *
 * - The endpoint is down: five calls in a row were not answered. A call that hangs holds a function for a minute, so an
 *   endpoint that is down would take the functions of everybody.
 * - The endpoint is broken: it could not handle at least five events, and more than it handled. Events are then held
 *   instead of failed. The counts start at the first bad event and end when the handled events are in the majority.
 */
import { clock } from '#shared/core/clock.ts';
import { environment } from '#shared/core/environment.ts';
import { log } from '#shared/core/log.ts';
import { measured } from '#shared/core/metrics.ts';
import * as breakers from '#shared/storage/dynamodb/delivery/breakers.ts';
import type { Lane } from '#shared/storage/dynamodb/lanes.ts';
import type { Verdict } from './outcome.ts';

const FAILURES = 5;
/** Fewer bad events are no sign of a broken release, and as many handled ones are a sign of a working one. */
const EVENTS = 5;
const LONGEST_MS = 5 * 60_000;

/** How long the endpoint is left alone. @param openings since it last answered */
export const openMsAfter = (openings: number): number =>
  Math.min(5 * environment.firstPauseMs * 2 ** openings, LONGEST_MS);

/** Closed: calls pass. Open: none does. Half open: the pause has ended, and one call tries the endpoint. */
export function phaseOf(breaker: breakers.Breaker | undefined, nowMs: number): 'closed' | 'open' | 'halfOpen' {
  if (!breaker || breaker.openings === 0) return 'closed';
  return nowMs < breaker.openUntilMs ? 'open' : 'halfOpen';
}

/** Permit to call an endpoint, and what is known of it. */
export interface Permit {
  lane: Lane;
  url: string;
  /** Undefined while nothing has failed. */
  breaker: breakers.Breaker | undefined;
}

/** Returns a permit to call the endpoint; undefined while its breaker is open. */
export async function acquirePermit(
  lane: Lane,
  url: string,
  breaker: breakers.Breaker | undefined,
): Promise<Permit | undefined> {
  const nowMs = clock.now();
  const phase = phaseOf(breaker, nowMs);
  if (phase === 'closed') return { lane, url, breaker };
  if (phase === 'open') return undefined;
  const untilMs = nowMs + environment.deliveryTimeoutMs + openMsAfter(0);
  if (!(await breakers.mayTry(lane, breaker!, untilMs))) return undefined;
  return { lane, url, breaker: { ...breaker!, openUntilMs: untilMs } };
}

/** The effect of a call on the breaker. */
interface BreakerChange {
  /** The endpoint was down or broken, and works again. */
  hasRecovered: boolean;
  /** The breaker lets calls pass. */
  isClosed: boolean;
}

const CLOSED: BreakerChange = { hasRecovered: false, isClosed: true };

/**
 * Counts how a call ended, and opens or closes the breaker accordingly.
 * @param isFirst whether no earlier attempt at the event was bad: an event counts once
 */
export function recordOutcome(permit: Permit, verdict: Verdict, isFirst: boolean): Promise<BreakerChange> {
  if (verdict === 'again') return recordFailure(permit);
  return verdict === 'bad' ? recordBadEvent(permit, isFirst) : recordSuccess(permit);
}

async function recordFailure({ lane, url, breaker }: Permit): Promise<BreakerChange> {
  const nowMs = clock.now();
  const now = await breakers.countFailure(lane, url, nowMs);
  const isKnownBroken = breaker?.isBroken && breaker.openings > 0;
  if (!now || (now.failures < FAILURES && !isKnownBroken)) return CLOSED;
  await open(lane, now, breaker, 'An endpoint is down and is left alone for a while.');
  return { hasRecovered: false, isClosed: false };
}

async function recordBadEvent({ lane, url, breaker }: Permit, isFirst: boolean): Promise<BreakerChange> {
  if (breaker && breaker.openings > 0 && !breaker.isBroken) {
    // It was down, and answers again. If it is broken instead, the next events show it.
    return { hasRecovered: await breakers.closeWithBadEvent(lane, breaker), isClosed: true };
  }
  const now = isFirst
    ? await breakers.countBadEvent(lane, url, clock.now())
    : // Another event may have opened it during this call.
      await breakers.findBreaker(lane, url);
  if (!now) return CLOSED;
  const isProbe = breaker !== undefined && breaker.openings > 0;
  const isMostlyBad = now.badEvents >= EVENTS && now.badEvents > now.goodEvents;
  if (isProbe || (now.openings === 0 && isMostlyBad)) {
    const message = 'An endpoint fails most of its events and is left alone for a while.';
    await open(lane, now, breaker, message, { isBroken: true });
    return { hasRecovered: false, isClosed: false };
  }
  return { hasRecovered: false, isClosed: now.openings === 0 };
}

async function recordSuccess({ lane, breaker }: Permit): Promise<BreakerChange> {
  if (!breaker) return CLOSED;
  const goodEvents = breaker.goodEvents + 1;
  const isProbe = breaker.openings > 0;
  if (isProbe || breaker.badEvents === 0 || (goodEvents >= EVENTS && goodEvents > breaker.badEvents)) {
    await breakers.close(lane);
  } else {
    await breakers.countGoodEvent(lane);
  }
  return { hasRecovered: isProbe, isClosed: true };
}

/** @param now the breaker after the count @param before as it was before the call */
async function open(
  lane: Lane,
  now: breakers.Breaker,
  before: breakers.Breaker | undefined,
  message: string,
  options?: { isBroken: boolean },
): Promise<void> {
  // Of many that fail at the same time, one opens it.
  const seen = { openUntilMs: before?.openUntilMs ?? 0 };
  const hasOpened = await breakers.open(lane, seen, clock.now() + openMsAfter(now.openings), options);
  if (hasOpened) log.warn(message, { lane, ...measured({ breakersOpened: 1 }) });
}
