/** Reads limits on open work as an operator writes them: `off`, or as in `userStreams=20,botStreams=0`. */
import { OPEN_WORK_LIMITS, type OpenWorkLimitName } from '#shared/api/openWorkLimits.ts';
import { parsePairs } from './parsePairs.ts';

const NAMES = Object.keys(OPEN_WORK_LIMITS) as OpenWorkLimitName[];

/** @returns the functions' variable: `off`, or JSON with numbers. @throws Error that names the part that is wrong */
export function parseOpenWorkLimits(text: string): string {
  if (text === 'off') return text;
  const form = 'off, or name=number, where the name';
  return JSON.stringify(parsePairs(text, { kind: 'a limit on open work', form, names: NAMES, maxDigits: 7 }));
}
