/** Parses limits on open work, such as `userStreams=20,botStreams=0`, or `off`. */
import { OPEN_WORK_LIMITS, type OpenWorkLimitName } from '#shared/api/openWorkLimits.ts';
import { parsePairs } from './parsePairs.ts';

const NAMES = Object.keys(OPEN_WORK_LIMITS) as OpenWorkLimitName[];

/** Returns `off` or JSON for functions' environments. @throws Error that names the invalid part */
export function parseOpenWorkLimits(text: string): string {
  if (text === 'off') return text;
  const form = 'off, or name=number, where the name';
  return JSON.stringify(parsePairs(text, { kind: 'a limit on open work', form, names: NAMES, maxDigits: 7 }));
}
