/** Bundles a program that prints JSON with the stubs of the functions' bundles, and without them. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect } from 'vitest';
import { lambdaBuildOptions } from '#infra/bundle/bundle.ts';

/** Runs a command until its request is final. @param property code that reads a value from `request` */
export const finalizedRequest = (property: string): string => `
  class Stop extends Error {}
  async function finalized(client, command) {
    let value;
    client.middlewareStack.add(() => async ({ request }) => {
      value = ${property};
      throw new Stop();
    }, { step: 'finalizeRequest', priority: 'low' });
    await client.send(command).catch(error => {
      if (!(error instanceof Stop)) throw error;
    });
    return value;
  }`;

/** Bundles a program before all tests of the file. @returns a function that runs a bundle with environment variables */
export function bundleTwice(source: string) {
  let directory: string;
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'parley-bundles-'));
    const stdin = { contents: source, resolveDir: import.meta.dirname };
    const { plugins: _, ...withoutStubs } = lambdaBuildOptions;
    await Promise.all([
      build({ ...lambdaBuildOptions, stdin, outfile: join(directory, 'stubs.cjs') }),
      build({ ...withoutStubs, stdin, outfile: join(directory, 'sdk.cjs') }),
    ]);
  });
  afterAll(() => rmSync(directory, { recursive: true }));

  return <Output>(bundle: 'stubs' | 'sdk', variables: Record<string, string>): Output => {
    const env = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'secret', ...variables };
    const { stdout, stderr } = spawnSync(process.execPath, [join(directory, `${bundle}.cjs`)], {
      env,
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    return JSON.parse(stdout);
  };
}
