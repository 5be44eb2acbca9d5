import { EXACT_DIGITS, faultOfNumber } from './exactNumber.ts';

export const [QUOTE, COMMA, COLON, OPENING_BRACKET, CLOSING_BRACKET, OPENING_BRACE, CLOSING_BRACE] = [
  0x22, 0x2c, 0x3a, 0x5b, 0x5d, 0x7b, 0x7d,
];
const BACKSLASH = 0x5c;
const [PLUS, MINUS, DOT, ZERO, NINE, UPPER_E, LOWER_E] = [0x2b, 0x2d, 0x2e, 0x30, 0x39, 0x45, 0x65];

export interface JsonScan {
  /** Objects, arrays and their contents. */
  values: number;
  /** Names of all objects. */
  members: number;
  depth: number;
  hasInexactNumber: boolean;
}

/** Measures JSON without parsing it. Stops once `isTooMuch`. Results for invalid JSON have no meaning. */
export function scanJson(text: string, isTooMuch: (scan: JsonScan) => boolean = () => false): JsonScan {
  const scan: JsonScan = { values: 1, members: 0, depth: 0, hasInexactNumber: false };
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === MINUS || (code >= ZERO && code <= NINE)) {
      const end = endOfNumber(text, i);
      scan.hasInexactNumber ||= mayBeInexact(text, i, end) && faultOfNumber(text.slice(i, end)) !== undefined;
      i = end - 1;
      continue;
    }
    switch (code) {
      case QUOTE:
        i = endOfString(text, i);
        continue;
      case OPENING_BRACE:
      case OPENING_BRACKET:
        scan.values++;
        if (++depth > scan.depth) scan.depth = depth;
        break;
      case CLOSING_BRACE:
      case CLOSING_BRACKET:
        depth--;
        continue;
      case COLON:
        scan.members++;
        continue;
      case COMMA:
        scan.values++;
        break;
      default:
        continue;
    }
    if (isTooMuch(scan)) break;
  }
  return scan;
}

/** Returns the index of the closing quote. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end >= 0) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}

/** Returns the index after the number. */
export function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  while (end < text.length && isPartOfNumber(text.charCodeAt(end))) end++;
  return end;
}

const isPartOfNumber = (code: number) =>
  (code >= ZERO && code <= NINE) ||
  code === DOT ||
  code === PLUS ||
  code === MINUS ||
  code === UPPER_E ||
  code === LOWER_E;

/** Most numbers have neither an exponent nor a long integer part. */
function mayBeInexact(text: string, start: number, end: number): boolean {
  let wholeEnd = end;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code === UPPER_E || code === LOWER_E) return true;
    if (code === DOT) wholeEnd = i;
  }
  return wholeEnd - start > EXACT_DIGITS || end - start > LONG_FRACTION;
}

/** A number without an exponent is too small for a double only after this many zeros. */
const LONG_FRACTION = 300;
