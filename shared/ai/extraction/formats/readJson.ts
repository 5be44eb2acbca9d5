/**
 * JSON or JSON Lines, as lines of `path.to.field: value`. Each element of a list, field of an object or line is a
 * block.
 */

import { faultOfNumber } from '#shared/core/exactNumber.ts';
import { endOf } from '#shared/core/excerpt.ts';
import { placeOfFault } from '#shared/core/jsonPlace.ts';
import { scanJson } from '#shared/core/jsonScan.ts';
import { type Block, UnreadableFileError } from '#shared/core/passage.ts';

/** Every field below a path repeats it. */
const PATH_LIMIT_CHARS = 200;

export function* readJson(text: string): Generator<Block> {
  const trimmed = text.replace(/^\ufeff/, '').trim();
  const whole = parse(trimmed);
  if (whole.error === undefined) yield* readElements(whole.value);
  else yield* readLines(trimmed, whole.error);
}

type Parsed = { value: unknown; error?: undefined } | { error: string };

function parse(text: string): Parsed {
  try {
    return { value: JSON.parse(text, scanJson(text).isSuspect ? keepDigits : undefined) };
  } catch (error) {
    return { error: placeOfFault(text, error as Error) };
  }
}

/** Returns the text of a number that a double cannot represent, so that a search finds it. */
const keepDigits = (_: string, value: unknown, { source }: { source?: string } = {}) =>
  typeof value === 'number' && source !== undefined && faultOfNumber(source) ? source : value;

function* readLines(text: string, wholeError: string): Generator<Block> {
  let number = 0;
  for (const [line] of text.matchAll(/[^\r\n]+/g)) {
    number++;
    const parsed = parse(line);
    if (parsed.error !== undefined) {
      const error = number === 1 ? wholeError : parsed.error.replace('line 1', `line ${number}`);
      throw new UnreadableFileError(`The file is not valid JSON: ${error}.`);
    }
    yield blockOf(parsed.value, '');
  }
}

function* readElements(value: unknown): Generator<Block> {
  if (Array.isArray(value) && !value.every(isScalar)) for (const each of value) yield blockOf(each, '');
  else if (Array.isArray(value) || isScalar(value)) yield blockOf(value, '');
  else for (const [name, each] of Object.entries(value as object)) yield blockOf(each, name);
}

const isScalar = (value: unknown) => typeof value !== 'object' || value === null;

/** Avoids recursion, because deep nesting would exhaust the stack. */
function blockOf(root: unknown, rootPath: string): Block {
  const lines: string[] = [];
  const open: { value: unknown; path: string }[] = [{ value: root, path: rootPath }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, path } = next;
    const line = (text: string) => lines.push(path ? `${path}: ${text}` : text);
    if (value === null || value === '') continue;
    if (typeof value !== 'object') line(String(value));
    else if (Array.isArray(value) && value.every(isScalar)) {
      if (value.length > 0) line(value.filter(each => each !== null && each !== '').join(', '));
    } else {
      for (const [name, each] of Object.entries(value).reverse()) open.push({ value: each, path: joined(path, name) });
    }
  }
  return { type: 'paragraph', text: lines.join('\n') };
}

function joined(path: string, name: string): string {
  const whole = path ? `${path}.${name}` : name;
  return whole.length > PATH_LIMIT_CHARS ? `…${endOf(whole, PATH_LIMIT_CHARS - 1)}` : whole;
}
