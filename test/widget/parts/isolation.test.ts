/** Texts of others in the widget stand alone in their elements, or are isolated in the phrases that contain them. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { h } from 'preact';
import { expect, it } from 'vitest';
import { mixedTextsIn } from '#test/support/mixedTexts.ts';
import { named } from '#widget/languages.ts';
import { Media } from '#widget/parts/Media.tsx';
import { shown } from './shown.ts';

const SOURCES = join(import.meta.dirname, '../../../widget');

it('renders user text apart from all other text', () => {
  const files = globSync('**/*.tsx', { cwd: SOURCES });

  expect(files.length).toBeGreaterThan(10);
  expect(files.flatMap(file => mixedTextsIn(file, readFileSync(join(SOURCES, file), 'utf8')))).toEqual([]);
});

it('is isolated in phrases that it could reorder', () => {
  expect(named('Talk to {name}', 'Ada')).toBe('Talk to Ada');
  expect(named('Talk to {name}', 'עדה')).toBe('Talk to \u2068עדה\u2069');
  expect(named('{name} أنت تتحدث إلى', 'Ada')).toBe('\u2068Ada\u2069 أنت تتحدث إلى');
  expect(named('{name}!', '\u202eAda\u2069')).toBe('\u2068\u202eAda\u2069!');
});

it('is isolated in the label of media that is not shown', () => {
  const { elements, text } = shown(
    h(Media, { kind: 'image', address: 'https://elsewhere.example/a.png', label: 'עדה' }),
  );

  expect(elements).toContain('bdi');
  expect(text).toContain('Picture: עדה');
});
