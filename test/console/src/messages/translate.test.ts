/** Texts with values. */
import { expect, it } from 'vitest';
import { firstSupported, localeOf } from '#console/src/messages/language.ts';
import { translator } from '#console/src/messages/translate.ts';

const t = translator('common', {
  plain: 'Loading',
  named: '{name} serves {what}',
  bots_one: '{count} bot',
  bots_other: '{count} bots',
});

it('inserts values, and formats numbers for the language', () => {
  expect(t('plain')).toBe('Loading');
  expect(t('named', { name: '{what}', what: '<b>' })).toBe('{what} serves <b>');
  expect([t('bots', { count: 1 }), t('bots', { count: 0 }), t('bots', { count: 1_200 })]).toEqual([
    '1 bot',
    '0 bots',
    '1,200 bots',
  ]);
});

it('keeps React elements between the parts of a text', () => {
  const parts = t.rich('named', { name: 'Ada', what: 'soup' }) as unknown[];

  expect(parts).toHaveLength(5);
  expect(parts[2]).toBe(' serves ');
});

it("selects the first supported language and the browser's region", () => {
  expect(firstSupported([null, 'nl-NL', 'de-AT', 'en'])).toBe('de');
  expect(firstSupported(['constructor', 'tlh'])).toBe('en');
  expect(localeOf('de', ['en-GB', 'de-AT'])).toBe('de-AT');
  expect(localeOf('de', ['en-GB'])).toBe('de');
  expect(localeOf('en', ['nl', 'en-GB'])).toBe('en-GB');
});
