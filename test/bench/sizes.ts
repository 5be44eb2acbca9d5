/** Section `sizes`: the code that a function loads at its start. */
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type BundleSize, bundleSizes } from '#test/support/bundleSizes.ts';
import { bundles } from './bundles.ts';
import { type Section, times, verdict } from './report.ts';
import type { Services } from './services.ts';

export async function measure({ directory }: Services): Promise<Section> {
  const { bare, bareTuned, ours } = await bundles(directory);
  const bareKb = await sizeKb(bare);

  const floor = async (name: string, file: string) => {
    const kb = await sizeKb(file);
    return [name, kb.toFixed(1), times(kb / bareKb), '', '', ''];
  };
  const own = async ({ name, bytes, budget }: BundleSize) => {
    const kb = bytes / 1000;
    const objectsKb = await sizeKb(join(dirname(ours.get(name)!), 'objects.js')).catch(() => undefined);
    const held = budget === undefined ? ['none', ''] : [`≤ ${budget / 1000}`, verdict(bytes <= budget)];
    return [name, kb.toFixed(1), times(kb / bareKb), objectsKb?.toFixed(1) ?? '', ...held];
  };

  return {
    title: 'Bundle sizes',
    measures: 'The code that a function loads at its start, minified, in KB of 1,000 bytes.',
    columns: ['bundle', 'KB', '× bare', 'objects.js, KB', 'budget, KB', ''],
    rows: await Promise.all([floor('bare', bare), floor('bare, tuned', bareTuned), ...(await bundleSizes()).map(own)]),
    notes: [
      '`objects.js` lies beside a function and loads only for a value too large for the table; it has no budget.',
      'Texts, and bundles with the client of S3 or of a model, have no budget either.',
    ],
  };
}

const sizeKb = async (file: string) => (await stat(file)).size / 1000;
