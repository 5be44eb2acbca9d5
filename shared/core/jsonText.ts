import { ApiError, invalidPayload } from './errors.ts';

/** Deeper JSON would overflow the stack of code that walks it. */
const DEPTH_LIMIT = 500;

/** `[[],[],…]` takes two to three bytes per value as text and fifty in memory. */
const VALUES_LIMIT = 1_000_000;

/** Parses a request body within limits. Errors never quote it. @throws ApiError InvalidPayload or PayloadTooLarge */
export function parseJson(text: string): unknown {
  // Shorter text cannot exceed either limit.
  if (text.length > DEPTH_LIMIT) requireParsable(text);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw invalidPayload(`The body is not valid JSON: see ${placeOfFault(text, error as Error)}.`);
  }
}

function requireParsable(text: string): void {
  let depth = 0;
  let values = 1;
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case QUOTE:
        i = endOfString(text, i);
        break;
      case OPENING_BRACE:
      case OPENING_BRACKET:
        values++;
        if (++depth > DEPTH_LIMIT) throw invalidPayload(`The body is nested more than ${DEPTH_LIMIT} levels deep.`);
        break;
      case CLOSING_BRACE:
      case CLOSING_BRACKET:
        depth--;
        break;
      case COMMA:
        values++;
    }
    if (values > VALUES_LIMIT) throw tooManyValues();
  }
}

const tooManyValues = () =>
  new ApiError(
    'PayloadTooLarge',
    `The body has more than ${VALUES_LIMIT} JSON values. Split it across several calls.`,
    {
      metadata: { limitValues: VALUES_LIMIT },
    },
  );

const [QUOTE, COMMA, COLON, OPENING_BRACKET, BACKSLASH, CLOSING_BRACKET, OPENING_BRACE, CLOSING_BRACE] = [
  0x22, 0x2c, 0x3a, 0x5b, 0x5c, 0x5d, 0x7b, 0x7d,
];

function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end >= 0) {
    let backslashes = 0;
    while (text.charCodeAt(end - 1 - backslashes) === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}

/** Returns `line 2, column 7`. V8's own message quotes the text, which may contain a secret. */
export function placeOfFault(text: string, error: Error): string {
  const before = text.slice(0, faultIndex(text, error)).split('\n');
  return `line ${before.length}, column ${before.at(-1)!.length + 1}`;
}

/** V8 reports the position except for an unexpected end and for a token where a value must start. */
function faultIndex(text: string, { message }: Error): number {
  const position = /at position (\d+)(?: \(line \d+ column \d+\))?$/.exec(message)?.[1];
  if (position !== undefined) return Number(position);
  return message.startsWith('Unexpected token') ? unexpectedToken(text) : text.length;
}

const SCALAR = /-?\d[\d.eE+-]*|true|false|null/y;

function unexpectedToken(text: string): number {
  const isInArray: boolean[] = [];
  let last: number | undefined;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 0x20 || (code >= 0x09 && code <= 0x0d)) continue;
    const expectsValue =
      last === undefined || last === OPENING_BRACKET || last === COLON || (last === COMMA && isInArray.at(-1) === true);
    if (code === QUOTE) i = endOfString(text, i);
    else if (code === OPENING_BRACE || code === OPENING_BRACKET) isInArray.push(code === OPENING_BRACKET);
    else if (code === CLOSING_BRACE || code === CLOSING_BRACKET) {
      if (expectsValue && !(last === OPENING_BRACKET && code === CLOSING_BRACKET)) return i;
      isInArray.pop();
    } else if (code === COMMA || code === COLON) {
      if (expectsValue) return i;
    } else {
      SCALAR.lastIndex = i;
      const scalar = SCALAR.exec(text)?.[0];
      if (scalar === undefined) return i;
      i += scalar.length - 1;
    }
    last = code;
  }
  return text.length;
}
