/** PDFs whose text needs more than the glyphs of the pages, and PDFs without text. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { extract } from '#shared/ai/extraction/extract.ts';
import { pdf } from '#test/support/pdf.ts';
import { bytesOf, OCTETS } from './files.ts';

const fixture = (name: string) => readFileSync(join(import.meta.dirname, 'files', name));
const read = (file: Uint8Array | string) =>
  extract(typeof file === 'string' ? bytesOf(file) : file, { contentType: OCTETS, key: 'a.pdf' });
const textsOf = async (file: Uint8Array | string) => (await read(file)).blocks.map(({ text }) => text);

interface RawPage {
  content: string;
  /** Entries of the page's dictionary. */
  entries?: string;
}

/** Returns a PDF without a table of objects, which pdf.js rebuilds. `objects` have numbers from 100. */
function rawPdf(pages: RawPage[], objects: string[] = []): string {
  const kids = pages.map((_, index) => `${1000 + 2 * index} 0 R`).join(' ');
  return [
    '%PDF-1.7',
    '1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj',
    `2 0 obj <</Type/Pages/Kids[${kids}]/Count ${pages.length}/MediaBox[0 0 600 800]>> endobj`,
    '3 0 obj <</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>> endobj',
    ...pages.flatMap(({ content, entries = '' }, index) => [
      `${1000 + 2 * index} 0 obj <</Type/Page/Parent 2 0 R/Contents ${1001 + 2 * index} 0 R/Resources<</Font<</F 3 0 R/U 100 0 R>>/XObject<</I 101 0 R>>>>${entries}>> endobj`,
      `${1001 + 2 * index} 0 obj <</Length ${content.length}>> stream\n${content}\nendstream endobj`,
    ]),
    ...objects.map((object, index) => `${100 + index} 0 obj ${object} endobj`),
    'trailer <</Root 1 0 R/Size 9999>>',
  ].join('\n');
}

const shown = (text: string) => `BT /F 12 Tf 50 700 Td (${text}) Tj ET`;
const IMAGE_PAGE: RawPage = { content: 'q 600 0 0 800 0 0 cm /I Do Q' };
const UNDECODABLE_PAGE: RawPage = { content: 'BT /U 12 Tf 50 700 Td <E001E002E003E004> Tj ET' };
const BLANK_PAGE: RawPage = { content: '' };
const OBJECTS = [
  '<</Type/Font/Subtype/Type0/BaseFont/Nameless/Encoding/Identity-H/DescendantFonts[102 0 R]>>',
  '<</Type/XObject/Subtype/Image/Width 2/Height 2/ColorSpace/DeviceGray/BitsPerComponent 8/Length 4>> stream\nabcd\nendstream',
  '<</Type/Font/Subtype/CIDFontType2/BaseFont/Nameless/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/FontDescriptor 103 0 R>>',
  '<</Type/FontDescriptor/FontName/Nameless/Flags 4/FontBBox[0 0 1000 1000]/ItalicAngle 0/Ascent 800/Descent -200/CapHeight 700/StemV 80>>',
];

describe('a PDF in Chinese or Japanese', () => {
  it('is read with the predefined character maps of its fonts', async () => {
    expect(await textsOf(fixture('cjk-ja.pdf'))).toEqual([
      '返品は十四日以内に受け付けます。倉庫で検品後に返金します。',
    ]);
    expect(await textsOf(fixture('cjk-mixed.pdf'))).toEqual([
      'Return policy 2026, page one of the contract, English title',
      '退货须在十四天内提出，仓库检验后退款。',
    ]);
  });
});

describe('a PDF in a right-to-left script', () => {
  it('has its words in reading order, and Arabic letters instead of their shapes', async () => {
    // Printed by Chromium, which writes words from the left.
    expect(await textsOf(fixture('rtl.pdf'))).toEqual([
      'שלום לכולם, המחיר הוא 42 שקלים היום.',
      'مرحبا بكم في المتجر رقم 15 اليوم English with שלום עולם inside.',
    ]);
  });
});

describe('what people add to a PDF', () => {
  it('is read from form fields, with their labels', async () => {
    expect(await textsOf(fixture('form.pdf'))).toEqual([
      'Name of the insured:',
      'Policy number:',
      'insured: Wilhelmina Quackenbush',
      'policy: POL-77-4411-X',
    ]);
  });

  it('is read from chosen options, text boxes and notes, once, and not if hidden', async () => {
    const annotations = [
      '<</Type/Annot/Subtype/FreeText/Rect[0 0 9 9]/DA(/F 9 Tf)/Contents(A box of text)>>',
      '<</Type/Annot/Subtype/Text/Rect[0 0 9 9]/Contents(A note)>>',
      '<</Type/Annot/Subtype/Text/Rect[0 0 9 9]/Contents(A note)>>',
      '<</Type/Annot/Subtype/Text/F 2/Rect[0 0 9 9]/Contents(A hidden note)>>',
      '<</Type/Annot/Subtype/Highlight/Rect[0 0 9 9]/QuadPoints[0 0 9 0 0 9 9 9]/Contents(Text of the  page)>>',
      '<</Type/Annot/Subtype/Widget/FT/Ch/T(country)/TU(Country)/Opt[[(de)(Germany)][(fr)(France)]]/V(fr)/Rect[0 0 9 9]>>',
      '<</Type/Annot/Subtype/Widget/FT/Btn/T(consent)/V/Yes/AS/Yes/AP<</N<</Yes 104 0 R/Off 104 0 R>>>>/Rect[0 0 9 9]>>',
      '<</Type/Annot/Subtype/Widget/FT/Btn/T(newsletter)/V/Off/AS/Off/AP<</N<</Yes 104 0 R/Off 104 0 R>>>>/Rect[0 0 9 9]>>',
      '<</Type/Annot/Subtype/Widget/FT/Tx/Ff 8192/T(password)/V(secretive)/Rect[0 0 9 9]>>',
    ];
    const form = '<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Length 0>> stream\n\nendstream';

    const texts = await textsOf(
      rawPdf([{ content: shown('Text of the page'), entries: `/Annots[${annotations.join('')}]` }], [...OBJECTS, form]),
    );

    expect(texts).toEqual(['Text of the page', 'A box of text', 'A note', 'Country: France', 'consent: Yes']);
  });
});

describe('a PDF with pages that have no readable text', () => {
  it('reports pages of images, and neither blank pages nor images beside text', async () => {
    const { blocks, unread } = await read(
      rawPdf(
        [
          { content: shown('Text') },
          IMAGE_PAGE,
          BLANK_PAGE,
          { content: `${shown('More')} ${IMAGE_PAGE.content}` },
          IMAGE_PAGE,
        ],
        OBJECTS,
      ),
    );

    expect(blocks.map(({ text }) => text)).toEqual(['Text', 'More']);
    expect(unread).toEqual([
      '2 pages (2, 5) contain only images. Run text recognition (OCR) on the file and upload it again.',
    ]);
  });

  it('names few of many pages', async () => {
    const { unread } = await read(
      rawPdf([{ content: shown('Text') }, ...Array.from({ length: 1_200 }, () => IMAGE_PAGE)], OBJECTS),
    );

    expect(unread).toEqual([expect.stringMatching(/^1,200 pages \(2, 3, 4, 5, 6, …\) contain only images\./)]);
  });

  it('reports text in fonts without characters, and does not claim images', async () => {
    const { unread } = await read(rawPdf([{ content: shown('Text') }, UNDECODABLE_PAGE], OBJECTS));

    expect(unread).toEqual([expect.stringMatching(/^Page 2 has text in fonts that do not declare their characters\./)]);
  });

  it('reports letters that are drawings', async () => {
    const drawing = '50 50 m 60 60 l 70 50 l h f\n'.repeat(80);

    const { unread } = await read(rawPdf([{ content: shown('Text') }, { content: drawing }], OBJECTS));

    expect(unread).toEqual([expect.stringMatching(/^Page 2 contains only drawings\./)]);
  });

  it('reports damaged pages', async () => {
    const whole = rawPdf([{ content: shown('Text') }, { content: shown('More') }]);

    const { blocks, unread } = await read(whole.replace('/Kids[1000 0 R 1002 0 R]', '/Kids[1000 0 R 99 0 R]'));

    expect(blocks.map(({ text }) => text)).toEqual(['Text']);
    expect(unread).toEqual(['Page 2 is damaged. Save the file again and re-upload it.']);
  });

  it('is rejected without any text, with the reason of its pages', async () => {
    await expect(read(rawPdf([IMAGE_PAGE, IMAGE_PAGE], OBJECTS))).rejects.toMatchObject({
      name: 'UnreadableFileError',
      message:
        'No text could be read. 2 pages (1, 2) contain only images. Run text recognition (OCR) on the file and upload it again.',
    });
    await expect(read(rawPdf([UNDECODABLE_PAGE], OBJECTS))).rejects.toThrow(/Page 1 has text in fonts/);
    await expect(read(pdf([[]]))).rejects.toThrow('The file contains no text.');
  });
});
