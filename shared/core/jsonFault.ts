import { faultOfNumber } from './exactNumber.ts';
import {
  CLOSING_BRACE,
  CLOSING_BRACKET,
  COMMA,
  endOfNumber,
  endOfString,
  OPENING_BRACE,
  OPENING_BRACKET,
  QUOTE,
} from './jsonScan.ts';

/** Valid JSON that JavaScript would change. The message names the fix. */
export class JsonFault extends Error {
  override readonly name = 'JsonFault';
  readonly path: string;

  constructor(path: readonly string[], message: string) {
    super(message);
    this.path = path.join('.');
  }
}

interface Container {
  /** Undefined for an array. */
  names: Set<string> | undefined;
  /** The name or index of the current value. */
  at: string | number | undefined;
}

const NUMBER_START = /[-\d]/;

/** Returns the first fault of valid JSON. Slower than parsing, so callers call it only for text with a fault. */
export function findJsonFault(text: string): JsonFault | undefined {
  const open: Container[] = [];
  const failedWith = (fault: string) =>
    new JsonFault(
      open.map(({ at }) => String(at)),
      fault,
    );
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    const current = open.at(-1);
    if (code === OPENING_BRACE) open.push({ names: new Set(), at: undefined });
    else if (code === OPENING_BRACKET) open.push({ names: undefined, at: 0 });
    else if (code === CLOSING_BRACE || code === CLOSING_BRACKET) open.pop();
    else if (code === COMMA) current!.at = typeof current!.at === 'number' ? current!.at + 1 : undefined;
    else if (code === QUOTE) {
      const end = endOfString(text, i);
      if (current && current.at === undefined) {
        current.at = JSON.parse(text.slice(i, end + 1)) as string;
        const fault = faultOfName(current.at, current.names!);
        if (fault) return failedWith(fault);
        current.names!.add(current.at);
      }
      i = end;
    } else if (NUMBER_START.test(text[i]!)) {
      const end = endOfNumber(text, i);
      const fault = faultOfNumber(text.slice(i, end));
      if (fault) return failedWith(`The number ${fault}. Send it as a string.`);
      i = end - 1;
    }
  }
  return undefined;
}

/** Copying an object key by key loses this name, or changes the prototype of the copy. */
export const FORBIDDEN_NAME = '__proto__';
export const FORBIDDEN_NAME_FAULT = 'The name __proto__ is not allowed. Use another name.';

function faultOfName(name: string, names: ReadonlySet<string>): string | undefined {
  if (name === FORBIDDEN_NAME) return FORBIDDEN_NAME_FAULT;
  return names.has(name) ? 'An object cannot have this name twice. Send it once.' : undefined;
}
