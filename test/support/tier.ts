/**
 * `npm test` gives a verdict in minutes; `npm run test:all` adds the files `*.slow.test.ts` and the rest of each
 * matrix.
 */
export const isComplete = process.env.TESTS === 'all';

/**
 * A part of a matrix for `npm test`; the whole of it for `npm run test:all`.
 * @param every how many cases one stands for
 * @param from the first to take, so that the parts of several matrices cover different cases
 */
export const sampled = <T>(cases: readonly T[], every: number, from = 0): readonly T[] =>
  isComplete ? cases : cases.filter((_, i) => i % every === from % every);
