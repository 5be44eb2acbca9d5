/** Tests the sizes of bundles, because each cold start reads and compiles one (docs/performance.md#bundles). */
import { expect, it } from 'vitest';
import { bundleSizes } from '#test/support/bundleSizes.ts';

it('limits bundles without an S3 or model client to 269 KB, with few exceptions', async () => {
  const bounded = (await bundleSizes()).flatMap(({ budget, ...size }) =>
    budget === undefined ? [] : { ...size, budget },
  );

  const tooLarge = bounded.filter(({ bytes, budget }) => bytes > budget);
  expect(tooLarge.map(({ name, bytes }) => `${name}: ${bytes}`)).toEqual([]);
  expect(bounded.length).toBeGreaterThan(200);
});
