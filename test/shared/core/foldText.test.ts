import { describe, expect, it } from 'vitest';
import { findFolded, foldText } from '#shared/core/foldText.ts';

describe('the folding of a text', () => {
  it.each([
    ['MÜLLER', 'muller'],
    ['Müller', 'muller'],
    ['Straße', 'strasse'],
    ['Łódź', 'lodz'],
    ['Ａｃｍｅ', 'acme'],
    ['İstanbul', 'istanbul'],
    ['Ørsted', 'orsted'],
    ['Александр', 'александр'],
  ])('ignores case, diacritics and compatibility forms: %s', (text, folded) => {
    expect(foldText(text)).toBe(folded);
  });
});

describe('a match', () => {
  it.each([
    ['Guten Tag, Herr Müller.', 'muller', 'Müller'],
    ['Guten Tag, Herr Mu\u0308ller.', 'muller', 'Mu\u0308ller'],
    ['Die große Straße', 'strasse', 'Straße'],
    ['Caf\u00e9', 'cafe', 'Caf\u00e9'],
    ['Cafe\u0301 noir', 'cafe', 'Cafe\u0301'],
    ['👍 ＡＢＣ', 'abc', 'ＡＢＣ'],
    ['ﬁne', 'fi', 'ﬁ'],
  ])('is at the place of the original text: %s', (text, wanted, found) => {
    const { start, end } = findFolded(text, wanted)!;

    expect(text.slice(start, end)).toBe(found);
  });

  it.each(['', 'absent'])('is undefined for "%s"', wanted => {
    expect(findFolded('Guten Tag', wanted)).toBeUndefined();
  });
});
