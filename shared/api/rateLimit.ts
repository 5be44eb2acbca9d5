/**
 * Rate limits: calls of a caller in windows of ten seconds (docs/api/conventions.md#rate-limits).
 *
 * A write for every call would cost as much as many calls do. So each function counts by itself and adds its count to
 * the table's now and then, while the operation runs: at every call where the limit is small, after a hundredth of the
 * limit where it is large. Between two additions a function knows the others only as they were, so a limit is exceeded
 * by at most a hundredth for each function that runs at the moment.
 */

import { environment } from '#shared/core/environment.ts';
import { hashText } from '#shared/core/ids.ts';
import { errorFields, log } from '#shared/core/log.ts';
import { addCalls } from '#shared/storage/dynamodb/limits/rateLimits.ts';

/** Calls in a window; 0 lifts a limit. */
export const RATE_LIMITS = {
  /** Calls without a token or key that change something, by address. */
  anonymousWrites: 50,
  /** Calls without a token or key that read, by address. */
  anonymousReads: 500,
  /** Calls with a wrong token or key, by address. */
  failures: 50,
  /** Calls of an end user. */
  user: 300,
  /** Calls with a token or key of an account, bot or integration. */
  token: 3_000,
  /** Calls of an installation's webhook. */
  webhook: 3_000,
  /** Calls with an installation's admin secret. */
  adminSecret: 3_000,
  /** All calls about a bot, for each {@link callsAbout audience}. */
  bot: 20_000,
};
export type RateLimitName = keyof typeof RATE_LIMITS;

/** A kind of caller. */
type Audience = 'users' | 'tokens' | 'webhooks' | 'adminSecret';

/**
 * Returns the counter of an audience's calls about a bot. Strangers and end users must not exhaust the limit of the bot
 * and its team.
 */
export const callsAbout = (botId: string, by: Audience): readonly ['bot', string] => ['bot', `${by} ${botId}`];

const WINDOW_SECONDS = 10;
/** A window's count is kept for clocks that run behind. */
const KEPT_SECONDS = 600;

/** A caller's standing, as the headers of an answer show it. */
export interface Rate {
  name: RateLimitName;
  limit: number;
  remaining: number;
  resetSeconds: number;
  isExceeded: boolean;
}

interface Count {
  window: number;
  /** The sum of all functions when this one last added its own. */
  known: number;
  /** The calls that were not added yet. */
  own: number;
}

const CALLERS_LIMIT = 5_000;
const counts = new Map<string, Count>();

/** The limits as the operator set them. */
function limitOf(name: RateLimitName): number {
  const { rateLimits } = environment;
  if (rateLimits === 'off') return 0;
  return rateLimits[name] ?? RATE_LIMITS[name];
}

/**
 * Counts a call.
 * @returns the caller's standing, undefined where there is no limit; and a promise of the addition, where one is due
 */
export function countCall(name: RateLimitName, caller: string, nowMs: number): { rate?: Rate; adding?: Promise<void> } {
  const limit = limitOf(name);
  if (limit === 0) return {};
  const nowSeconds = nowMs / 1000;
  const window = Math.floor(nowSeconds / WINDOW_SECONDS);
  const hash = hashText('rate', name, caller).slice(0, 22);
  const count = countIn(window, hash);
  const isOver = count.known + count.own >= limit;
  // A caller over the limit costs no more writes.
  if (!isOver) count.own++;
  const isDue = !isOver && count.own >= Math.max(1, Math.floor(limit / 100));
  return {
    rate: {
      name,
      limit,
      remaining: Math.max(0, limit - count.known - count.own),
      resetSeconds: Math.ceil((window + 1) * WINDOW_SECONDS - nowSeconds),
      isExceeded: isOver,
    },
    ...(isDue ? { adding: add(hash, count) } : {}),
  };
}

function countIn(window: number, hash: string): Count {
  const current = counts.get(hash);
  if (current?.window === window) return current;
  if (counts.size >= CALLERS_LIMIT) counts.clear();
  const fresh = { window, known: 0, own: 0 };
  counts.set(hash, fresh);
  return fresh;
}

/** Never fails a call: a count that cannot be added is dropped. */
async function add(hash: string, count: Count): Promise<void> {
  const { window, own } = count;
  count.own = 0;
  count.known += own;
  try {
    const expiresAtSeconds = (window + 1) * WINDOW_SECONDS + KEPT_SECONDS;
    const sum = await addCalls(hash, { window, count: own, expiresAtSeconds });
    count.known = Math.max(count.known, sum);
  } catch (error) {
    log.warn('Could not count calls for the rate limit.', { error: errorFields(error) });
  }
}

/** The network of an address: an IPv6 subscriber has 2^64 addresses. */
export const networkOf = (address: string) =>
  address.includes(':') && !address.includes('.') ? address.split(':').slice(0, 4).join(':') : address;
