/**
 * Rate limits in windows of ten seconds (docs/api/conventions.md#rate-limits). Functions count locally and synchronize
 * after every 1 % of a limit, because a write per call would be expensive. Each running function can exceed a limit by
 * 1 %.
 */

import { environment } from '#shared/core/environment.ts';
import { hashText } from '#shared/core/ids.ts';
import { errorFields, log } from '#shared/core/log.ts';
import { addCalls } from '#shared/storage/dynamodb/limits/rateLimits.ts';

export const RATE_LIMITS = {
  anonymousWrites: 50,
  anonymousReads: 500,
  failures: 50,
  user: 300,
  token: 3_000,
  webhook: 3_000,
  adminSecret: 3_000,
  bot: 20_000,
};
export type RateLimitName = keyof typeof RATE_LIMITS;

type Audience = 'users' | 'tokens' | 'webhooks' | 'adminSecret';

/** Separates the counters of a bot's audiences, so that end users cannot exhaust the limit of the bot's team. */
export const callsAbout = (botId: string, by: Audience): readonly ['bot', string] => ['bot', `${by} ${botId}`];

const WINDOW_SECONDS = 10;
/** Retention of counts, for clock skew. */
const RETENTION_SECONDS = 600;

export interface Rate {
  name: RateLimitName;
  limit: number;
  remaining: number;
  resetSeconds: number;
  isExceeded: boolean;
}

interface Count {
  window: number;
  known: number;
  own: number;
}

const CALLERS_LIMIT = 5_000;
const counts = new Map<string, Count>();

function limitOf(name: RateLimitName): number {
  const { rateLimits } = environment;
  if (rateLimits === 'off') return 0;
  return rateLimits[name] ?? RATE_LIMITS[name];
}

/** Counts a call. `adding` settles after a due synchronization. */
export function countCall(name: RateLimitName, caller: string, nowMs: number): { rate?: Rate; adding?: Promise<void> } {
  const limit = limitOf(name);
  if (limit === 0) return {};
  const nowSeconds = nowMs / 1000;
  const window = Math.floor(nowSeconds / WINDOW_SECONDS);
  const hash = hashText('rate', name, caller).slice(0, 22);
  const count = countIn(window, hash);
  const isOver = count.known + count.own >= limit;
  // Calls over the limit cost no writes.
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

async function add(hash: string, count: Count): Promise<void> {
  const { window, own } = count;
  count.own = 0;
  count.known += own;
  try {
    const expiresAtSeconds = (window + 1) * WINDOW_SECONDS + RETENTION_SECONDS;
    const sum = await addCalls(hash, { window, count: own, expiresAtSeconds });
    count.known = Math.max(count.known, sum);
  } catch (error) {
    log.warn('Could not count calls for the rate limit.', { error: errorFields(error) });
  }
}

/** Returns the /64 network of an IPv6 address, because a subscriber has 2^64 addresses. */
export const networkOf = (address: string) =>
  address.includes(':') && !address.includes('.') ? address.split(':').slice(0, 4).join(':') : address;
