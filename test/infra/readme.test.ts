/** The README keeps its promises where they can be checked. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { permissionsTable } from '#infra/permissions.ts';

const ROOT = join(import.meta.dirname, '../..');
const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');

/** A table's cells, however it is laid out. */
const cells = (table: string) =>
  table
    .split('\n')
    .filter(line => !/^\|[ :|-]+\|$/.test(line))
    .map(line => line.split('|').map(cell => cell.trim()));

it('its table of permissions is the one that the code goes by', () => {
  const [, shown = ''] = /<!-- npm run permissions -->\n+([\s\S]*?)\n+<!-- end -->/.exec(readme) ?? [];

  expect(cells(shown)).toEqual(cells(permissionsTable()));
});

it('names no script that is not there', () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  const named = [...readme.matchAll(/(?:^|`)npm (?:run )?([a-z]+)/gm)].map(([, name]) => name!);

  expect(named.filter(name => !(name in scripts) && name !== 'ci' && name !== 'run')).toEqual([]);
});
