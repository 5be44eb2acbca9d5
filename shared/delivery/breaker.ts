/**
 * The breaker before an endpoint, one for each lane. A call that hangs holds a function for a minute: an endpoint that is down would take the
 * functions of everybody. After five failures in a row it is left alone, for ever longer, and one delivery at a time tries it.
 */
import { clock } from '#shared/clock.ts';
import * as breakers from '#shared/dynamodb/breakers.ts';
import type { Lane } from '#shared/dynamodb/lanes.ts';
import type { CallOutcome } from '#shared/endpoints/callEndpoint.ts';
import { environment } from '#shared/environment.ts';
import { log } from '#shared/log.ts';
import { measured } from '#shared/metrics.ts';

const FAILURES = 5;
const LONGEST_MS = 5 * 60_000;

/** How long the endpoint is left alone. @param openings since it last answered */
export const openMsAfter = (openings: number): number =>
  Math.min(5 * environment.firstPauseMs * 2 ** openings, LONGEST_MS);

/** Closed: calls pass. Open: none does. Half open: the pause has ended, and one call tries the endpoint. */
export function phaseOf(breaker: breakers.Breaker | undefined, nowMs: number): 'closed' | 'open' | 'halfOpen' {
  if (!breaker || breaker.openings === 0) return 'closed';
  return nowMs < breaker.openUntilMs ? 'open' : 'halfOpen';
}

/** Leave to call an endpoint, and what is known of it. */
export interface Leave {
  lane: Lane;
  url: string;
  /** Undefined while nothing has failed. */
  breaker: breakers.Breaker | undefined;
}

/** @returns leave to call the endpoint; undefined while it is left alone */
export async function askLeave(
  lane: Lane,
  url: string,
  breaker: breakers.Breaker | undefined,
): Promise<Leave | undefined> {
  const nowMs = clock.now();
  const phase = phaseOf(breaker, nowMs);
  if (phase === 'closed') return { lane, url, breaker };
  if (phase === 'open') return undefined;
  const untilMs = nowMs + environment.deliveryTimeoutMs + openMsAfter(0);
  if (!(await breakers.mayTry(lane, breaker!, untilMs))) return undefined;
  return { lane, url, breaker: { ...breaker!, openUntilMs: untilMs } };
}

/** Takes note of how a call ended. @returns whether the endpoint was down and is not any more */
export async function noteOutcome({ lane, url, breaker }: Leave, outcome: CallOutcome): Promise<boolean> {
  const isDown = outcome.kind !== 'answered' || outcome.status >= 500;
  if (!isDown) {
    if (breaker) await breakers.close(lane);
    return breaker !== undefined && breaker.openings > 0;
  }
  const nowMs = clock.now();
  const now = await breakers.countFailure(lane, url, nowMs);
  if (!now || now.failures < FAILURES) return false;
  // Of many that fail at the same time, one opens it.
  const hasOpened = await breakers.open(
    lane,
    { openUntilMs: breaker?.openUntilMs ?? 0 },
    nowMs + openMsAfter(now.openings),
  );
  if (hasOpened)
    log.warn('An endpoint is down and is left alone for a while.', { lane, ...measured({ breakersOpened: 1 }) });
  return false;
}
