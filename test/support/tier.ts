/** `npm test` runs in minutes. `npm run test:all` adds the files `*.slow.test.ts` and the rest of each matrix. */
export const isComplete = process.env.TESTS === 'all';

/**
 * Returns a part of a matrix for `npm test`, all of it for `npm run test:all`.
 * @param every the number of cases per selected one
 * @param from the first case, so that several matrices cover different cases
 */
export const sampled = <T>(cases: readonly T[], every: number, from = 0): readonly T[] =>
  isComplete ? cases : cases.filter((_, i) => i % every === from % every);
