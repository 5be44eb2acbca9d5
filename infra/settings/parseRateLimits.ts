/** Reads rate limits as an operator writes them: `off`, or as in `user=100,bot=0`. */
import { RATE_LIMITS, type RateLimitName } from '#shared/api/rateLimit.ts';
import { parsePairs } from './parsePairs.ts';

const NAMES = Object.keys(RATE_LIMITS) as RateLimitName[];

/**
 * @returns the functions' variable: `off`, or JSON with calls in ten seconds.
 * @throws Error that names the part that is wrong
 */
export function parseRateLimits(text: string): string {
  if (text === 'off') return text;
  const form = 'off, or name=number, where the name';
  return JSON.stringify(parsePairs(text, { kind: 'a rate limit', form, names: NAMES, maxDigits: 9 }));
}
