/** Tests the sizes of bundles, because each cold start reads and compiles one (docs/performance.md#bundles). */
import { expect, it } from 'vitest';
import { bundleSizes } from '#test/support/bundleSizes.ts';

it('limits bundles to 266 KB without a client of S3 or of a model, with few exceptions', async () => {
  const bounded = (await bundleSizes()).flatMap(({ budget, ...size }) =>
    budget === undefined ? [] : { ...size, budget },
  );

  const tooLarge = bounded.filter(({ bytes, budget }) => bytes > budget);
  expect(tooLarge.map(({ name, bytes }) => `${name}: ${bytes}`)).toEqual([]);
  expect(bounded.length).toBeGreaterThan(200);
});
