import { expect, it } from 'vitest';
import { runAll } from '#console/src/api/runAll.ts';

it('runs five calls at a time, and reports each failure with its item', async () => {
  let [running, most] = [0, 0];
  const items = Array.from({ length: 23 }, (_, i) => i);

  const { done, failed } = await runAll(items, async item => {
    most = Math.max(most, ++running);
    await Promise.resolve();
    running--;
    if (item % 10 === 3) throw new Error(`No ${item}`);
    return item * 2;
  });

  expect(most).toBe(5);
  expect(done.map(({ item, result }) => result - 2 * item)).toEqual(Array(21).fill(0));
  expect(failed.map(({ item, error }) => [item, String(error)])).toEqual(
    [3, 13].map(each => [each, `Error: No ${each}`]),
  );
});
