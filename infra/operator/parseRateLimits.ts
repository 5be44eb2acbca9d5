/** Reads rate limits as an operator writes them: `off`, or as in `user=100,bot=0`. */
import { RATE_LIMITS, type RateLimitName } from '#shared/api/rateLimit.ts';

const NAMES = Object.keys(RATE_LIMITS) as RateLimitName[];

/** @returns the functions' variable: `off`, or JSON with calls in ten seconds. @throws Error that names the part that is wrong */
export function parseRateLimits(text: string): string {
  if (text === 'off') return text;
  const pairs = text.split(',').map(part => {
    const [, name, value] = /^\s*(\w+)\s*=\s*(\d{1,9})\s*$/.exec(part) ?? [];
    if (!NAMES.includes(name as RateLimitName)) {
      throw new Error(
        `"${part}" is not a rate limit. Write off, or name=number, where the name is one of ${NAMES.join(', ')}.`,
      );
    }
    return [name, Number(value)];
  });
  return JSON.stringify(Object.fromEntries(pairs));
}
