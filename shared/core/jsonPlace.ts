/** Loaded only for invalid JSON. */
import { endOfString } from './jsonScan.ts';

const [QUOTE, COMMA, COLON, OPENING_BRACKET, CLOSING_BRACKET, OPENING_BRACE, CLOSING_BRACE] = [
  0x22, 0x2c, 0x3a, 0x5b, 0x5d, 0x7b, 0x7d,
];

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
