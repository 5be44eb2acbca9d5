import { RATE_LIMITS, type RateLimitName } from '#shared/api/rateLimit.ts';
import { parsePairs } from './parsePairs.ts';

const NAMES = Object.keys(RATE_LIMITS) as RateLimitName[];

/** Parses limits such as `user=100,bot=0` to `off` or JSON. @throws Error that names the invalid part */
export function parseRateLimits(text: string): string {
  if (text === 'off') return text;
  const form = 'off, or name=number, where the name';
  return JSON.stringify(parsePairs(text, { kind: 'a rate limit', form, names: NAMES, maxDigits: 9 }));
}
