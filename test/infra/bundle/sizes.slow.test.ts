/** Bundles stay small, because each cold start reads and compiles one (docs/performance.md#bundles). */
import { basename, dirname } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { lambdaBuildOptions } from '#infra/bundle/bundle.ts';
import { functionNames } from '#infra/bundle/entries.ts';

const BUDGET_BYTES = 260_000;

/** Clients and engines that have no budget: what needs them at its start is about them. */
const UNBOUNDED = /node_modules\/(?:@aws-sdk\/client-(?:s3|s3vectors|bedrock-runtime)|quickjs-[^/]+)\//;

/** Finished texts. */
const TEXTS = /^(?:referenceScript|referencePage|webchatScript|webchatStyle|\w+Reference)$/;

/** What they do takes more code. */
const LARGER: Record<string, number> = {
  'admin-updateBot': 286_000,
  'tables-findTableRows': 285_000,
  'tables-upsertTableRows': 268_000,
  'tables-updateTable': 267_000,
  deliver: 268_000,
  fireTimers: 263_000,
};

it('is at most 260 KB without a client of S3 or of a model, but for a few', async () => {
  const { metafile } = await build({
    ...lambdaBuildOptions,
    entryPoints: functionNames.map(name => ({ in: `entry:${name}`, out: `${name}/index` })),
    outdir: 'unwritten',
    metafile: true,
    write: false,
  });
  const bounded = Object.entries(metafile.outputs)
    .map(([file, { bytes, inputs }]) => ({ name: basename(dirname(file)), bytes, inputs: Object.keys(inputs) }))
    .filter(({ name, inputs }) => !TEXTS.test(name) && !inputs.some(input => UNBOUNDED.test(input)));

  const tooLarge = bounded.filter(({ name, bytes }) => bytes > (LARGER[name] ?? BUDGET_BYTES));
  expect(tooLarge.map(({ name, bytes }) => `${name}: ${bytes}`)).toEqual([]);
  expect(bounded.length).toBeGreaterThan(200);
});
