import { describe, expect, it } from 'vitest';
import { cutPassages } from '#shared/ai/extraction/cutPassages.ts';
import { type Block, PASSAGE_TYPES, type Passage } from '#shared/core/passage.ts';
import fc from '#test/support/fastCheck.ts';

const SETTINGS = { minimumParagraphLength: 50, maximumChunkLength: 100 };
const LONG = 'This paragraph is long enough to stand for itself, all alone.';

const title = (text: string, level = 1): Block => ({ type: level === 1 ? 'title' : 'subtitle', text, level });
const paragraph = (text: string): Block => ({ type: 'paragraph', text });
const contents = (passages: Passage[]) => passages.map(({ content }) => content);

describe('titles', () => {
  it('is in the breadcrumb of all passages below, and begins the first of them', () => {
    const passages = cutPassages(
      [title('A'), title('B', 2), paragraph(LONG), paragraph(LONG), title('C', 2), paragraph(LONG)],
      SETTINGS,
    );

    expect(passages).toEqual([
      { type: 'paragraph', content: `A\nB\n${LONG}`, breadcrumb: ['A', 'B'] },
      { type: 'paragraph', content: LONG, breadcrumb: ['A', 'B'] },
      { type: 'paragraph', content: `C\n${LONG}`, breadcrumb: ['A', 'C'] },
    ]);
  });

  it('becomes a separate passage without following text', () => {
    const passages = cutPassages([title('A'), title('B', 2), title('C', 2), title('D')], SETTINGS);

    expect(passages).toEqual([
      { type: 'title', content: 'A\nB', breadcrumb: [] },
      { type: 'subtitle', content: 'C', breadcrumb: ['A'] },
      { type: 'title', content: 'D', breadcrumb: [] },
    ]);
  });

  it('is shortened in breadcrumbs', () => {
    const [first] = cutPassages([title('word '.repeat(100)), paragraph(LONG)], {
      ...SETTINGS,
      maximumChunkLength: 5_000,
    });

    expect(first?.breadcrumb[0]).toMatch(/^(word ?)+…$/);
    expect(first?.breadcrumb[0]?.length).toBeLessThanOrEqual(200);
  });
});

describe('short paragraphs', () => {
  it('is merged with the next paragraph', () => {
    expect(contents(cutPassages([paragraph('Short.'), paragraph(LONG), paragraph('End.')], SETTINGS))).toEqual([
      `Short.\n\n${LONG}`,
      'End.',
    ]);
  });

  it('is not merged across a title', () => {
    expect(contents(cutPassages([paragraph('Short.'), title('A'), paragraph('Text.')], SETTINGS))).toEqual([
      'Short.',
      'A\nText.',
    ]);
  });

  it('is filled up from a following paragraph that fills a passage', () => {
    const [first, second] = contents(cutPassages([paragraph('Steps:'), paragraph(`${LONG} ${LONG}`)], SETTINGS));

    expect(first).toBe(`Steps:\n\n${LONG}`);
    expect(second).toBe(LONG);
  });

  it('has the page of the first paragraph and the type of the longest', () => {
    const blocks: Block[] = [
      { ...paragraph('Steps:'), pageNumber: 1 },
      { type: 'list', text: `- ${LONG}`, pageNumber: 2 },
    ];

    expect(cutPassages(blocks, SETTINGS)).toMatchObject([{ type: 'list', pageNumber: 1 }]);
  });
});

describe('long blocks', () => {
  it('is split between sentences, then between words, then between characters', () => {
    const sentence = 'A sentence of some forty characters, yes. ';

    expect(contents(cutPassages([paragraph(sentence.repeat(4))], SETTINGS))).toEqual([
      sentence.repeat(2).trim(),
      sentence.repeat(2).trim(),
    ]);
    expect(contents(cutPassages([paragraph('word '.repeat(30))], SETTINGS))[0]).toMatch(/^(word )+word$/);
    expect(contents(cutPassages([paragraph('x'.repeat(250))], SETTINGS)).map(each => each.length)).toEqual([
      100, 100, 50,
    ]);
  });

  it('is not split inside a grapheme', () => {
    const family = '👩‍👩‍👧‍👦';

    for (const content of contents(cutPassages([paragraph(family.repeat(50))], SETTINGS))) {
      expect(content.replaceAll(family, '')).toBe('');
    }
  });

  it('repeats the table header on each piece', () => {
    const rows = Array.from({ length: 10 }, (_, index) => `row ${index} | some value`);

    const passages = contents(cutPassages([{ type: 'table', text: ['name | value', ...rows].join('\n') }], SETTINGS));

    expect(passages.length).toBeGreaterThan(1);
    expect(passages.every(content => content.startsWith('name | value\nrow '))).toBe(true);
    expect(passages.flatMap(content => content.split('\n').slice(1))).toEqual(rows);
  });

  it('keeps the indentation of code', () => {
    const code = '  if (someCondition) {\n    doSomething();\n  }\n'.repeat(5);

    expect(contents(cutPassages([{ type: 'code', text: code }], SETTINGS)).every(each => each.startsWith('  '))).toBe(
      true,
    );
  });
});

describe('any blocks', () => {
  const settings = fc.record({
    minimumParagraphLength: fc.integer({ min: 50, max: 2_000 }),
    maximumChunkLength: fc.integer({ min: 100, max: 5_000 }),
  });
  /** Words that fit into the smallest passage, so that none is cut. */
  const words = fc.array(fc.string({ unit: 'grapheme-ascii', maxLength: 30 }), { maxLength: 120, size: 'max' });
  const text = fc.oneof(
    words.map(each => each.join(' ')),
    words.map(each => each.join('\n')),
  );
  const blocksOf = (texts: fc.Arbitrary<string>) =>
    fc.array(
      fc.record({ type: fc.constantFrom(...PASSAGE_TYPES), text: texts, level: fc.integer({ min: 1, max: 4 }) }),
      { maxLength: 20, size: 'max' },
    );

  it('keeps all words in order', () => {
    fc.assert(
      fc.property(blocksOf(text), settings, (blocks, chosen) => {
        const found = cutPassages(blocks, chosen).flatMap(({ content }) => content.split(/\s+/));
        let at = 0;
        for (const word of blocks.flatMap(block => block.text.split(/\s+/)).filter(each => each !== '')) {
          at = found.indexOf(word, at) + 1;
          expect(at, `the word ${word}`).toBeGreaterThan(0);
        }
      }),
    );
  });

  it('yields passages that are within the limit, not empty and well-formed', () => {
    const anyText = fc.oneof(
      text,
      fc.string({ unit: 'binary', maxLength: 1_500, size: 'max' }),
      fc.string({ unit: 'grapheme', maxLength: 800, size: 'max' }),
    );
    fc.assert(
      fc.property(blocksOf(anyText), settings, (blocks, chosen) => {
        const wrong = cutPassages(blocks, chosen).filter(
          ({ content, breadcrumb }) =>
            content.length > chosen.maximumChunkLength ||
            content.trim() === '' ||
            ![content, ...breadcrumb].every(each => each.isWellFormed()),
        );

        expect(wrong).toEqual([]);
      }),
    );
  });

  it('keeps all characters of words of any length', () => {
    const solid = (each: string) => each.replace(/\s+/g, '');
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 3_000, size: 'max' }), settings, (long, chosen) => {
        const passages = cutPassages([paragraph(long)], chosen);

        expect(solid(contents(passages).join(''))).toBe(solid(long));
      }),
    );
  });
});
