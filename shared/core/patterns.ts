/** User-supplied patterns. RE2 runs them in linear time, without back-references and look-around. */

import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';
import { clock } from './clock.ts';
import { startOf } from './excerpt.ts';

// Loaded on first use: the engine is half as large as the rest of a bundle, which has it in its own `node_modules`.
const load = createRequire(import.meta.filename);
let engine: typeof RE2JS | undefined;
const re2 = () => {
  engine ??= (load('re2js') as typeof import('re2js')).RE2JS;
  return engine;
};

/** In instructions: `x{1000}` has 1,002. Matching costs up to this times the text length: 100 KB may take a second. */
const SIZE_LIMIT = 1_200;

const LENGTH_LIMIT = 5_000;

export interface Pattern {
  programSize(): number;
  test(text: string): boolean;
}

/** Instructions times characters per value: 5 s in RE2's slowest mode. Most patterns are a thousand times faster. */
const VALUE_WORK_LIMIT = 25_000_000;
const TIME_LIMIT_MS = 5_000;

export class PatternTests {
  #spentMs = 0;

  /** Returns undefined without a test when the value or the call exceeds its budget. */
  test(pattern: Pattern, text: string): boolean | undefined {
    if (pattern.programSize() * text.length > VALUE_WORK_LIMIT || this.#spentMs > TIME_LIMIT_MS) return undefined;
    const startMs = clock.now();
    const isMatch = pattern.test(text);
    this.#spentMs += clock.now() - startMs;
    return isMatch;
  }
}

/** Compiles a column's pattern, in JSON Schema syntax. @throws Error with the reason */
export const compilePattern = (pattern: string): Pattern => compile(re2().translateRegExp(pattern));

export const compileRegex = (pattern: string, { ignoresCase }: { ignoresCase: boolean }): Pattern =>
  compile(pattern, ignoresCase ? re2().CASE_INSENSITIVE : 0);

function compile(pattern: string, flags = 0): Pattern {
  if (pattern.length > LENGTH_LIMIT) throw new Error(`it has more than ${LENGTH_LIMIT} characters`);
  const compiled = re2().compile(pattern, flags);
  if (compiled.programSize() > SIZE_LIMIT) throw new Error('it is too large; use smaller repetition counts');
  return compiled;
}

export function faultOfPattern(pattern: string): string | undefined {
  try {
    compilePattern(pattern);
  } catch (error) {
    return error instanceof Error ? startOf(error.message, 300) : 'unknown';
  }
}
