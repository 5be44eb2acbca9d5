import { OPEN_WORK_LIMITS, type OpenWorkLimitName } from '#shared/api/openWorkLimits.ts';
import { parsePairs } from './parsePairs.ts';

const NAMES = Object.keys(OPEN_WORK_LIMITS) as OpenWorkLimitName[];

/** Parses limits such as `userStreams=20,botStreams=0` to `off` or JSON. @throws Error that names the invalid part */
export function parseOpenWorkLimits(text: string): string {
  if (text === 'off') return text;
  const form = 'off, or name=number, where the name';
  return JSON.stringify(parsePairs(text, { kind: 'a limit on open work', form, names: NAMES, maxDigits: 7 }));
}
