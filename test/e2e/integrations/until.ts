import { setTimeout as sleep } from 'node:timers/promises';

/** Polls until a value is found. */
export async function until<T>(what: string, find: () => T | undefined | Promise<T | undefined>): Promise<T> {
  for (let tries = 0; tries < 200; tries++) {
    const found = await find();
    if (found) return found;
    await sleep(100);
  }
  throw new Error(`It did not happen within 20 seconds: ${what}`);
}
