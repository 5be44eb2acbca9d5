/**
 * Regular expressions of bots: by RE2, in a time that grows with the text and no faster, so without back-references and
 * look-around. The engine is loaded when it is first needed: it is half as big as all else that a function has.
 */
import { createRequire } from 'node:module';
import type { RE2JS } from 're2js';

// Beside a bundle lies the engine's, in a `node_modules` of its own.
const load = createRequire(import.meta.filename);
let engine: typeof RE2JS | undefined;
const re2 = () => {
  engine ??= (load('re2js') as typeof import('re2js')).RE2JS;
  return engine;
};

/**
 * In instructions, of which `x{1000}` has 1,002. What is linear still takes the text's length times this: 100 KB may
 * take a second.
 */
const SIZE_LIMIT = 1_200;

export interface Pattern {
  /** Whether a text has it anywhere, unless it has anchors. */
  test(text: string): boolean;
}

/**
 * The pattern of a column, as JSON Schema writes it.
 * @throws Error with why it cannot be used
 */
export const compilePattern = (pattern: string): Pattern => compile(re2().translateRegExp(pattern));

/**
 * The pattern of a filter, as RE2 writes it.
 * @throws Error with why it cannot be used
 */
export const compileRegex = (pattern: string, { ignoresCase }: { ignoresCase: boolean }): Pattern =>
  compile(pattern, ignoresCase ? re2().CASE_INSENSITIVE : 0);

function compile(pattern: string, flags = 0): Pattern {
  const compiled = re2().compile(pattern, flags);
  if (compiled.programSize() > SIZE_LIMIT) throw new Error('it is too big; use smaller numbers of repetitions');
  return compiled;
}

/** Why a pattern of a column cannot be used, if it cannot. */
export function faultOfPattern(pattern: string): string | undefined {
  try {
    compilePattern(pattern);
  } catch (error) {
    return error instanceof Error ? error.message.slice(0, 300) : 'unknown';
  }
}
