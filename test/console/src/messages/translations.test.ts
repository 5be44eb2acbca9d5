/** The console's texts in each language. */
import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as german from '#console/src/messages/de/index.ts';

type Texts = Record<string, string>;

const FOLDER = join(import.meta.dirname, '../../../../console/src/messages/en');
const areas = await Promise.all(
  globSync('*.ts', { cwd: FOLDER }).map(async file => {
    const area = basename(file, '.ts');
    const english: Texts = (await import(join(FOLDER, file)))[area];
    return [area, english, (german as Record<string, Texts>)[area]] as const;
  }),
);

const placeholdersOf = (text = '') => (text.match(/\{\w+\}/g) ?? []).sort();

it('has a German translation for every area', () => {
  expect(Object.keys(german).sort()).toEqual(areas.map(([area]) => area).sort());
});

describe.each(areas)('%s', (_, english, translated) => {
  it('has the same keys in German', () => {
    expect(Object.keys(translated!).sort()).toEqual(Object.keys(english).sort());
  });

  it('has the same placeholders in German, and no empty texts', () => {
    for (const [key, text] of Object.entries(english)) {
      expect(text.trim(), key).not.toBe('');
      expect(translated![key]?.trim(), key).not.toBe('');
      expect(placeholdersOf(translated![key]), key).toEqual(placeholdersOf(text));
    }
  });

  it('has both plural forms', () => {
    const bases = (form: string) =>
      Object.keys(english)
        .filter(key => key.endsWith(form))
        .map(key => key.slice(0, -form.length));

    expect(bases('_one').sort()).toEqual(bases('_other').sort());
  });
});
