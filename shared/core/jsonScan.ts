/** Finds candidates for faults in JSON without allocating, because every request body passes here. */

/** Doubles keep 15 digits. A number too small for a double, without an exponent, has more than 300 characters. */
const EXACT_DIGITS = 15;
const EXACT_LENGTH = 300;

export interface JsonScan {
  /** Objects, arrays and their contents, except `numbers`. */
  values: number;
  /** Further numbers of arrays, which take 8 bytes each in memory. */
  numbers: number;
  /** Names of all objects. */
  members: number;
  depth: number;
  /** A number has an exponent or many digits. */
  isSuspect: boolean;
}

/** Deeper JSON would overflow the stack of code that walks it. */
export const DEPTH_LIMIT = 500;

/** `[[],[],…]` takes two to three bytes per value as text and fifty in memory. */
export const VALUES_LIMIT = 1_000_000;

/** Deployments of the vendor's CLI contain code as bytes, several MB of them. */
export const NUMBERS_LIMIT = 8_000_000;

export const isTooLong = ({ values, numbers }: JsonScan) => values > VALUES_LIMIT || numbers > NUMBERS_LIMIT;

export const isTooMuch = (scan: JsonScan) => scan.depth > DEPTH_LIMIT || isTooLong(scan);

/** Stops once `mustStop` is set. Results for invalid JSON are meaningless. */
export function scanJson(text: string, mustStop: (scan: JsonScan) => boolean = () => false): JsonScan {
  const scan: JsonScan = { values: 1, numbers: 0, members: 0, depth: 0, isSuspect: false };
  let depth = 0;
  let followsComma = false;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    switch (code) {
      case 0x22: // "
        i = endOfString(text, i);
        break;
      case 0x7b: // {
      case 0x5b: // [
        followsComma = false;
        scan.values++;
        scan.depth = Math.max(scan.depth, ++depth);
        if (mustStop(scan)) return scan;
        break;
      case 0x7d: // }
      case 0x5d: // ]
        depth--;
        break;
      case 0x3a: // :
        followsComma = false;
        scan.members++;
        break;
      case 0x2c: // ,
        followsComma = true;
        scan.values++;
        if (mustStop(scan)) return scan;
        break;
      default:
        if (code !== 0x2d /* - */ && (code < 0x30 || code > 0x39)) break;
        i = endOfNumber(text, i, scan);
        // In an object, a name follows a comma. The first number of an array counts with its array.
        if (!followsComma) break;
        scan.values--;
        scan.numbers++;
    }
  }
  return scan;
}

/** Returns the index of the closing quote. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end >= 0) {
    let backslashes = 0;
    while (text[end - 1 - backslashes] === '\\') backslashes++;
    if (backslashes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}

/** Returns the index of the last character. */
export function endOfNumber(text: string, start: number, scan: Pick<JsonScan, 'isSuspect'>): number {
  let end = start;
  let wholeEnd = 0;
  for (;;) {
    const code = text.charCodeAt(++end);
    if (code >= 0x30 && code <= 0x39) continue;
    if (code === 0x2e /* . */) wholeEnd ||= end;
    else if ((code | 0x20) === 0x65 /* e */) scan.isSuspect = true;
    else if (code !== 0x2b /* + */ && code !== 0x2d /* - */) break;
  }
  scan.isSuspect ||= (wholeEnd || end) - start > EXACT_DIGITS || end - start > EXACT_LENGTH;
  return end - 1;
}

/** Copying an object key by key loses `__proto__`, or changes the prototype of the copy. */
export const FORBIDDEN_NAME_FAULT = 'The name __proto__ is not allowed. Use another name.';

/** Returns true if JSON.parse dropped a repeated name, or a copy of the value would drop `__proto__`. */
export function losesNames(value: unknown, { members }: JsonScan): boolean {
  let left = members;
  const open = [value];
  while (open.length > 0) {
    const current = open.pop();
    if (typeof current !== 'object' || current === null) continue;
    if (Array.isArray(current)) {
      for (const each of current) if (typeof each === 'object') open.push(each);
      continue;
    }
    for (const name in current) {
      if (name === '__proto__') return true;
      left--;
      const each = (current as Record<string, unknown>)[name];
      if (typeof each === 'object') open.push(each);
    }
  }
  return left > 0;
}
