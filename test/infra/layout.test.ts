/** Tests that the folders of tests mirror those of the code. */
import { existsSync, globSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

it('finds a folder of the code for every folder of tests', () => {
  const tests = globSync('test/{functions,shared,infra}/**/*.test.ts', { cwd: ROOT });
  const folders = [...new Set(tests.map(file => relative('test', dirname(file))))].sort();

  expect(folders.length).toBeGreaterThan(10);
  expect(folders.filter(folder => !existsSync(join(ROOT, folder)))).toEqual([]);
});

it('names every test of an operation or consumer after it', () => {
  const tests = globSync('test/functions/**/*.test.ts', { cwd: ROOT });
  const tested = tests.map(file => relative('test', file).replace(/\.test\.ts$/, '.ts')).sort();

  expect(tested.length).toBeGreaterThan(100);
  expect(tested.filter(file => !existsSync(join(ROOT, file)))).toEqual([]);
});
