/** Seeded randomness. A run prints its seed; `SEED=… npm test` repeats its choices. */
import { randomInt } from 'node:crypto';

// Workers inherit the variable from the main process.
process.env.SEED ??= String(randomInt(2 ** 31));
export const SEED = Number(process.env.SEED);

let state = SEED;

/** Returns a number from 0 up to 1, like `Math.random` (mulberry32). Every process starts the same sequence. */
export function random(): number {
  state = (state + 0x6d2b79f5) | 0;
  let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
  mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed);
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
}
