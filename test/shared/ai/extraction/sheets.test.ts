/** Excel and CSV: headers, formats of numbers, and parts besides the cells. */
import { describe, expect, it } from 'vitest';
import { extract } from '#shared/ai/extraction/extract.ts';
import { bytesOf, fixture, OCTETS, officeParts, relations, sheetData, xlsx, zip } from './files.ts';

const textsOf = async (file: Uint8Array, key = 'a.xlsx') =>
  (await extract(file, { contentType: OCTETS, key })).blocks.map(({ text }) => text);
/** Without the title of the sheet. */
const rowsOf = async (file: Uint8Array) => (await textsOf(file)).slice(1);

describe('the header of a table', () => {
  it('is returned as a row if columns below it are empty', async () => {
    expect(await rowsOf(fixture('empty-columns.xlsx'))).toEqual([
      'Article: Lamp',
      'Article: Chair, Colour: red',
      'Article | Colour | Guarantee (months) | Country of origin',
    ]);
  });

  it.each([
    [
      'numbers',
      [
        ['Anna', 1985],
        ['Ben', 1990],
      ],
      ['Anna, 1985', 'Ben, 1990'],
    ],
    [
      'addresses',
      [
        ['Anna', 'anna@example.com'],
        ['Ben', 'ben@example.com'],
      ],
      ['Anna, anna@example.com', 'Ben, ben@example.com'],
    ],
    [
      'values that recur below it',
      [
        ['Lamp', 'red'],
        ['Chair', 'red'],
        ['Lamp', 'blue'],
      ],
      ['Lamp, red', 'Chair, red', 'Lamp, blue'],
    ],
  ])('is not the first row with %s', async (_, rows, expected) => {
    expect(await rowsOf(xlsx(sheetData(...rows)))).toEqual(expected);
  });

  it.each([
    ['years', 2024, 2025],
    ['dates', '2026-01-01', '2026-02-01'],
    ['quarters', 'Q1', 'Q2'],
  ])('may contain %s above other numbers', async (_, one, two) => {
    expect(await rowsOf(xlsx(sheetData(['Town', one, two], ['Oslo', 7, 9])))).toEqual([
      `Town: Oslo, ${one}: 7, ${two}: 9`,
    ]);
  });

  it('may contain the numbers of months, but not any numbers', async () => {
    expect(await rowsOf(xlsx(sheetData(['Town', 1, 2, 3], ['Oslo', 7, 9, 8])))).toEqual([
      'Town: Oslo, 1: 7, 2: 9, 3: 8',
    ]);
    expect(await rowsOf(xlsx(sheetData(['Rome', 4, 2, 3], ['Oslo', 7, 9, 8])))).toEqual([
      'Rome, 4, 2, 3',
      'Oslo, 7, 9, 8',
    ]);
  });

  it('is found below titles, and anew after an empty row', async () => {
    const rows = [
      ['Price list'],
      [],
      ['Article', 'Price'],
      ['Lamp', 12],
      [],
      ['Sites'],
      ['Town', 'Staff'],
      ['Oslo', 30],
    ];

    expect(await rowsOf(xlsx(sheetData(...rows)))).toEqual([
      'Price list',
      'Article: Lamp, Price: 12',
      'Sites',
      'Town: Oslo, Staff: 30',
    ]);
  });

  it('applies to rows after an empty row that begin no table', async () => {
    const rows = [['Article', 'Price'], ['Lamp', 12], [], ['Chair', 40], [], ['Source: catalogue']];

    expect(await rowsOf(xlsx(sheetData(...rows)))).toEqual([
      'Article: Lamp, Price: 12',
      'Article: Chair, Price: 40',
      'Source: catalogue',
    ]);
  });

  it('is the declared one of a table, although all values are texts', async () => {
    const rows = [
      ['Article', 'Colour'],
      ['Lamp', 'red'],
      ['Town', 'Head'],
      ['Oslo', 'Eve'],
    ];
    const file = xlsx(sheetData(...rows), {
      '_rels/one.xml.rels': relations(['r1', 'table', 'table.xml']),
      'table.xml': '<table ref="A3:B4"/>',
    });

    expect(await rowsOf(file)).toEqual(['Article: Lamp, Colour: red', 'Town: Oslo, Head: Eve']);
  });

  it('follows the same rules in CSV', async () => {
    expect(await textsOf(bytesOf('2026-01-02,12.50\n2026-01-03,7.00\n'), 'a.csv')).toEqual([
      '2026-01-02, 12.50',
      '2026-01-03, 7.00',
    ]);
  });
});

describe('a number', () => {
  it('keeps the zeros and literals of its format', async () => {
    expect(await rowsOf(fixture('zip-format.xlsx'))).toEqual([
      'City: Boston, ZIP: 02108, Phone: (555) 123-4567, Part: PN-0042',
    ]);
  });

  it.each([
    ['#,##0.00\\ "€"', 1234.5, '1234.50 €'],
    ['_-[$£-809]* #,##0.00_-', 1234.5, '£1234.50'],
    ['#,##0.00', 1234.567, '1234.567'],
    ['_(* #,##0.00_);_(* \\(#,##0.00\\)', -5.25, '-5.25'],
    ['0%', 0.255, '25.5%'],
    ['[h]:mm', 1.125, '27:00'],
    ['yyyy-mm-dd', 1, '1900-01-01'],
    ['dd.mm.yyyy', 61, '1900-03-01'],
    ['[$-407]d. mmmm yyyy', 45_000, '2023-03-15'],
    ['General', 0.1 + 0.2, '0.3'],
    ['"unclosed', 7, '7'],
  ])('with the format %s is displayed: %d as %s', async (code, value, expected) => {
    expect(await rowsOf(numberFile(code, value))).toEqual([expected]);
  });

  it('is a date of the 1904 system, or a time in it', async () => {
    const workbook = '<workbook><workbookPr date1904="1"/><sheets><sheet name="S" r:id="r1"/></sheets></workbook>';

    expect(await rowsOf(numberFile('yyyy-mm-dd', 1, { 'workbook.xml': workbook }))).toEqual(['1904-01-02']);
    expect(await rowsOf(numberFile('hh:mm', 0.5, { 'workbook.xml': workbook }))).toEqual(['12:00:00']);
  });
});

function numberFile(code: string, value: number, parts: Record<string, string> = {}): Uint8Array {
  const formatCode = code.replaceAll('"', '&quot;');
  return xlsx(`<sheetData><row r="1"><c r="A1" s="0"><v>${value}</v></c></row></sheetData>`, {
    'styles.xml': `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="${formatCode}"/></numFmts><cellXfs><xf numFmtId="164"/></cellXfs></styleSheet>`,
    ...parts,
  });
}

describe('a sheet', () => {
  it('returns charts, text boxes, comments, threads, and the text of the printed page', async () => {
    const file = xlsx(
      `${sheetData(['cell'])}<headerFooter><oddHeader>&amp;L&amp;"Arial,Bold"Acme GmbH&amp;RPage &amp;P</oddHeader></headerFooter>`,
      {
        '_rels/one.xml.rels': relations(
          ['r1', 'drawing', 'd.xml'],
          ['r2', 'comments', 'c.xml'],
          ['r3', 'threadedComment', 't.xml'],
        ),
        'd.xml':
          '<xdr:wsDr><xdr:sp><xdr:txBody><a:p><a:r><a:t>box</a:t></a:r></a:p></xdr:txBody></xdr:sp><c:chart r:id="r1"/></xdr:wsDr>',
        '_rels/d.xml.rels': relations(['r1', 'chart', 'chart.xml']),
        'chart.xml':
          '<c:chartSpace><c:title><c:tx><c:rich><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:rich></c:tx></c:title><c:ser><c:tx><c:v>2025</c:v></c:tx><c:val><c:pt idx="0"><c:v>3</c:v></c:pt></c:val></c:ser></c:chartSpace>',
        'c.xml':
          '<comments><commentList><comment ref="A1"><text><t>a note</t></text></comment><comment ref="B2"><text><t>[Threaded comment] Your version</t></text></comment></commentList></comments>',
        't.xml':
          '<ThreadedComments><threadedComment ref="B2"><text>a reply</text></threadedComment></ThreadedComments>',
      },
    );

    expect(await rowsOf(file)).toEqual(['cell', 'Acme GmbH Page', 'box', 'Sales', '2025', 'A1: a note', 'B2: a reply']);
  });

  it('includes hidden rows, and is omitted if it is hidden', async () => {
    const file = zip({
      ...officeParts('xlsx'),
      'xl/workbook.xml':
        '<workbook><sheets><sheet name="A" r:id="r1"/><sheet name="B" state="hidden" r:id="r2"/><sheet name="C" state="veryHidden" r:id="r2"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels': relations(['r1', 'worksheet', 'a.xml'], ['r2', 'worksheet', 'b.xml']),
      'xl/a.xml': '<worksheet><sheetData><row hidden="1"><c t="str"><v>filtered</v></c></row></sheetData></worksheet>',
      'xl/b.xml': '<worksheet><sheetData><row><c t="str"><v>internal</v></c></row></sheetData></worksheet>',
    });

    expect(await textsOf(file)).toEqual(['A', 'filtered']);
  });

  it('omits phonetic guides in cells', async () => {
    const file = xlsx(
      '<sheetData><row><c t="inlineStr"><is><r><t>東京</t></r><rPh><t>トウキョウ</t></rPh></is></c></row></sheetData>',
    );

    expect(await rowsOf(file)).toEqual(['東京']);
  });
});
