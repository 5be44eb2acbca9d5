/** The lockfile pins every package by its content, and names no registry. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ROOT } from '#test/support/documents.ts';

interface Locked {
  integrity?: string;
  resolved?: string;
  link?: boolean;
  /** Part of another package, whose hash covers it. */
  inBundle?: boolean;
  libc?: string[];
}

const { packages } = JSON.parse(readFileSync(`${ROOT}/package-lock.json`, 'utf8')) as {
  packages: Record<string, Locked>;
};
const installed = Object.entries(packages).filter(([path]) => path.includes('node_modules/'));

it('has a hash for every package of the registry', () => {
  const without = installed
    .filter(([, { integrity, link, inBundle }]) => !link && !inBundle && !integrity?.startsWith('sha512-'))
    .map(([path]) => path);

  expect(installed.length).toBeGreaterThan(500);
  expect(without).toEqual([]);
});

it('names no registry but the public one', () => {
  const foreign = installed
    .filter(([, { resolved, link }]) => !link && resolved && !resolved.startsWith('https://registry.npmjs.org/'))
    .map(([path]) => path);

  expect(foreign).toEqual([]);
});

it('names the C library of Linux binaries, so that npm installs only one variant', () => {
  const unnamed = installed
    .filter(([path]) => /linux-[^/]*-musl/.test(path))
    .filter(([, { libc }]) => libc?.join() !== 'musl')
    .map(([path]) => path);

  expect(unnamed).toEqual([]);
});
