/**
 * Vitest for the tests of `@botpress/chat`. One of them does not await an expectation, which Vitest rejects today; here
 * it is awaited at the end of the test.
 */
import { expect as baseExpect, test as baseTest } from 'vitest';

const left: Promise<unknown>[] = [];

/** Wraps an assertion and everything that it returns, and collects its promises. */
const kept = (assertion: object): object =>
  new Proxy(assertion, {
    get: (target, name) => {
      const value = Reflect.get(target, name, target);
      if (typeof value !== 'function') return typeof value === 'object' && value !== null ? kept(value) : value;
      return (...args: unknown[]) => {
        const result = value.apply(target, args);
        if (result instanceof Promise || typeof result?.then === 'function') {
          const promise = Promise.resolve(result);
          left.push(promise);
          promise.catch(() => {});
          return promise;
        }
        return result;
      };
    },
  });

export const expect = Object.assign((value: unknown) => kept(baseExpect(value) as object), baseExpect);

export const test = (name: string, run: () => Promise<void>) =>
  baseTest(name, async () => {
    await run();
    await Promise.all(left.splice(0));
  });
