/**
 * Regular expressions from callers, run by RE2 in time linear in the text, hence without back-references and
 * look-around. The engine is loaded on first use: it is half as big as the rest of a function's bundle.
 */
import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';
import { clock } from './clock.ts';

// A bundle has the engine beside it, in a `node_modules` of its own.
const load = createRequire(import.meta.filename);
let engine: typeof RE2JS | undefined;
const re2 = () => {
  engine ??= (load('re2js') as typeof import('re2js')).RE2JS;
  return engine;
};

/**
 * In instructions; `x{1000}` has 1,002. Matching takes up to the length of the text times this: 100 KB may take a
 * second.
 */
const SIZE_LIMIT = 1_200;

/** Longer ones are not compiled: the time that takes grows with their length. */
const LENGTH_LIMIT = 5_000;

export interface Pattern {
  /** In instructions: the price of a character of a text. */
  programSize(): number;
  /** Whether the pattern matches anywhere in a text, unless it is anchored. */
  test(text: string): boolean;
}

/**
 * Of one value, in instructions times characters: about 5 s where the engine is slowest. Most patterns are a thousand
 * times as fast.
 */
const VALUE_WORK_LIMIT = 25_000_000;
/** For all values of a call, or of a chunk of an import. */
const TIME_LIMIT_MS = 5_000;

/** Tests the values of a call against the patterns of columns, for a limited time. */
export class PatternTests {
  #spentMs = 0;

  /** Returns undefined, without a test, for more work than a value may take, and once the time is used up. */
  test(pattern: Pattern, text: string): boolean | undefined {
    if (pattern.programSize() * text.length > VALUE_WORK_LIMIT || this.#spentMs > TIME_LIMIT_MS) return undefined;
    const startMs = clock.now();
    const isMatch = pattern.test(text);
    this.#spentMs += clock.now() - startMs;
    return isMatch;
  }
}

/** Compiles the pattern of a column, in the syntax of JSON Schema. @throws Error with the reason it is not accepted */
export const compilePattern = (pattern: string): Pattern => compile(re2().translateRegExp(pattern));

/** Compiles the pattern of a filter, in the syntax of RE2. @throws Error with the reason it is not accepted */
export const compileRegex = (pattern: string, { ignoresCase }: { ignoresCase: boolean }): Pattern =>
  compile(pattern, ignoresCase ? re2().CASE_INSENSITIVE : 0);

function compile(pattern: string, flags = 0): Pattern {
  if (pattern.length > LENGTH_LIMIT) throw new Error(`it has more than ${LENGTH_LIMIT} characters`);
  const compiled = re2().compile(pattern, flags);
  if (compiled.programSize() > SIZE_LIMIT) throw new Error('it is too large; use smaller repetition counts');
  return compiled;
}

/** Why the pattern of a column is not accepted, if it is not. */
export function faultOfPattern(pattern: string): string | undefined {
  try {
    compilePattern(pattern);
  } catch (error) {
    return error instanceof Error ? error.message.slice(0, 300) : 'unknown';
  }
}
