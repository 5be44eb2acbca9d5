/** Chance in tests: `SEED=… npm test` repeats the choices of a run, which prints its seed at the end. */
import { randomInt } from 'node:crypto';

// The first process that asks sets it for the workers.
process.env.SEED ??= String(randomInt(2 ** 31));
export const SEED = Number(process.env.SEED);

let state = SEED;

/** As `Math.random`, from the seed (mulberry32). Each process has the whole sequence. */
export function random(): number {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}
