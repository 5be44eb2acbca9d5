/** Pauses work at one of its DynamoDB calls, so that a test can do something else in between. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { client } from '#shared/storage/dynamodb/engine/client.ts';

interface Work {
  pause(): Promise<void> | undefined;
}

const works = new AsyncLocalStorage<Work>();

/**
 * Runs work until its call number `at`, counted from 1, which is not sent yet. Runs `meanwhile`, and then the rest.
 * @returns false if the work has fewer calls; `meanwhile` then runs after it
 */
export async function holdWithin(
  at: number,
  run: () => Promise<unknown>,
  meanwhile: () => Promise<unknown>,
): Promise<boolean> {
  const name = `held ${crypto.randomUUID()}`;
  const reached = Promise.withResolvers<void>();
  const resumed = Promise.withResolvers<void>();
  let calls = 0;
  let isHeld = false;
  const work: Work = {
    pause: () => {
      if (++calls !== at) return undefined;
      isHeld = true;
      reached.resolve();
      return resumed.promise;
    },
  };
  client.middlewareStack.add(
    next => async args => {
      if (works.getStore() === work) await work.pause();
      return next(args);
    },
    { step: 'initialize', name },
  );
  try {
    const done = works.run(work, run);
    await Promise.race([reached.promise, done]);
    // Outside of the work's context.
    await meanwhile();
    resumed.resolve();
    await done;
  } finally {
    resumed.resolve();
    client.middlewareStack.remove(name);
  }
  return isHeld;
}
