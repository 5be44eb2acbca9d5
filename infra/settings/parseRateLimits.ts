/** Parses rate limits such as `user=100,bot=0`, or `off`. */
import { RATE_LIMITS, type RateLimitName } from '#shared/api/rateLimit.ts';
import { parsePairs } from './parsePairs.ts';

const NAMES = Object.keys(RATE_LIMITS) as RateLimitName[];

/** Returns `off` or JSON with calls in ten seconds. @throws Error that names the invalid part */
export function parseRateLimits(text: string): string {
  if (text === 'off') return text;
  const form = 'off, or name=number, where the name';
  return JSON.stringify(parsePairs(text, { kind: 'a rate limit', form, names: NAMES, maxDigits: 9 }));
}
