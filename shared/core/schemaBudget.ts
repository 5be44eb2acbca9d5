/** Limits the work of untrusted JSON schemas, in steps. */
import { compilePattern, type Pattern } from './patterns.ts';

/** Steps per value, about 5 µs each. Bounds nested alternatives, and many schemas that each read a long text. */
export const STEPS_LIMIT = 200_000;
/** Characters of a text, or names and values of a list, per step. */
export const READ_IN_STEP = 100;
/** Pattern instructions times text characters per step, in the engine's slowest mode. */
const MATCHED_IN_STEP = 50;
const COMPILING_STEPS = 20;

export interface Run {
  root: unknown;
  mayHaveMore: boolean;
  /** Ignores that properties are missing. */
  mayLack: boolean;
  stepsLeft: number;
  depth: number;
}

export function pay(run: Run, steps: number): boolean {
  run.stepsLeft -= Math.floor(steps);
  return run.stepsLeft > 0;
}
export const TOO_COMPLEX = 'is too complex for its schema';

const sizes = new WeakMap<object, number>();
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 1;
  const known = sizes.get(value);
  if (known !== undefined) return known;
  const size = JSON.stringify(value).length;
  sizes.set(value, size);
  return size;
}

/** Compiled patterns by their schema, or by their `patternProperties`. */
const compiled = new WeakMap<Record<string, unknown>, Map<string, Pattern | undefined>>();

/** Returns undefined for a pattern that RE2 rejects. It is ignored, because the caller cannot fix it. */
export function matches(
  schema: Record<string, unknown>,
  source: string,
  text: string,
  run: Run,
): boolean | undefined | 'too complex' {
  const known = compiled.get(schema) ?? new Map<string, Pattern | undefined>();
  compiled.set(schema, known);
  if (!known.has(source)) {
    if (!pay(run, COMPILING_STEPS + source.length / READ_IN_STEP)) return 'too complex';
    known.set(source, compiledPattern(source));
  }
  const pattern = known.get(source);
  if (!pattern) return undefined;
  return pay(run, (pattern.programSize() * text.length) / MATCHED_IN_STEP) ? pattern.test(text) : 'too complex';
}

function compiledPattern(pattern: string): Pattern | undefined {
  try {
    return compilePattern(pattern);
  } catch {
    return undefined;
  }
}
