import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import writeXlsxFile from 'write-excel-file/node';
import { extract } from '#shared/ai/extraction/extract.ts';
import type { Block } from '#shared/core/passage.ts';
import { pdf } from '#test/support/pdf.ts';
import { bytesOf, docx, OCTETS, officeParts, relations, zip } from './files.ts';

/** Extracts a file. Without a content type, its bytes and name determine the format. */
const read = async (file: Uint8Array | string, key: string, contentType = OCTETS) =>
  (await extract(typeof file === 'string' ? bytesOf(file) : file, { contentType, key })).blocks;
const fixture = (name: string) => readFileSync(join(import.meta.dirname, 'files', name));
/** Returns only types and texts. */
const outline = (blocks: Block[]) => blocks.map(({ type, text }) => [type, text]);

describe('the format of a file', () => {
  it.each([
    ['its bytes are PDF, despite its name', 'a.txt', 'text/plain', async () => pdf([[{ text: 'Hello' }]])],
    ['its bytes are Word, despite its name', 'a.bin', 'text/html', async () => docx('<w:p><w:t>Hello</w:t></w:p>')],
    ['its content type is HTML', 'a', 'text/html; charset=utf-8', async () => bytesOf('<p>Hello</p>')],
    ['its name is Markdown and its type only text', 'a.md', 'text/plain', async () => bytesOf('*Hello*')],
    [
      'its name says CSV and its type Excel, as on Windows',
      'a.csv',
      'application/vnd.ms-excel',
      async () => bytesOf('Hello'),
    ],
    ['it is text without a known name or type', 'README', OCTETS, async () => bytesOf('Hello')],
    ['it is YAML by its type', 'a', 'application/yaml', async () => bytesOf('Hello')],
    ['it quotes the header of PDF', 'a.txt', 'text/plain', async () => bytesOf('Hello')],
  ])('is detected by %s', async (_, key, contentType, file) => {
    expect((await read(await file(), key, contentType))[0]?.text).toBe('Hello');
  });

  it.each([
    ['an image', 'a.png', 'image/png', '\x89PNG', /type image\/png cannot be indexed\. PDF, HTML, .* can be indexed/],
    ['an archive', 'a.zip', 'application/zip', zip({ 'a.txt': 'hello' }), /type application\/zip cannot/],
    ['Word of 2003', 'a.doc', 'application/msword', Buffer.from('d0cf11e0a1b11ae1', 'hex'), /before 2007/],
    [
      'Word under a password',
      'a.docx',
      OCTETS,
      Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from('EncryptedPackage', 'utf16le')]),
      /password-protected/,
    ],
    ['junk of no known type', 'a.xyz', OCTETS, Buffer.alloc(100), /type \.xyz cannot/],
    ['binary data declared as text', 'a.txt', 'text/plain', Buffer.alloc(100), /binary data/],
    ['text that is declared as PDF', 'a.pdf', 'application/pdf', 'hello', /not a PDF/],
    ['nothing', 'a.txt', 'text/plain', '', /is empty/],
    ['white space', 'a.txt', 'text/plain', ' \n\n\t ', /no text/],
  ])('is rejected for %s, with advice', async (_, key, contentType, file, reason) => {
    await expect(read(file, key, contentType)).rejects.toMatchObject({
      name: 'UnreadableFileError',
      message: expect.stringMatching(reason),
    });
  });
});

describe('plain text', () => {
  it('has paragraphs separated by empty lines, with any line ending', async () => {
    const blocks = await read('One\r\nline\r\n\r\nTwo\n \nThree', 'a.txt');

    expect(outline(blocks)).toEqual([
      ['paragraph', 'One\nline'],
      ['paragraph', 'Two'],
      ['paragraph', 'Three'],
    ]);
  });

  it.each([
    ['UTF-8', bytesOf('grün שלום 👩‍👩‍👧'), 'grün שלום 👩‍👩‍👧'],
    ['UTF-8 with a mark', Buffer.from('\ufeffgrün'), 'grün'],
    [
      'UTF-8 with one bad byte',
      Buffer.concat([Buffer.from('grün '.repeat(20)), Buffer.of(0xff)]),
      `${'grün '.repeat(20)}\ufffd`,
    ],
    ['UTF-16, little end first', Buffer.from('\ufeffgrün 😀', 'utf16le'), 'grün 😀'],
    ['UTF-16, big end first', Buffer.from('\ufeffgrün 😀', 'utf16le').swap16(), 'grün 😀'],
    ['windows-1252', Buffer.from([0x67, 0x72, 0xfc, 0x6e, 0x20, 0x80]), 'grün €'],
  ])('is decoded from %s', async (_, bytes, expected) => {
    expect((await read(bytes, 'a.txt'))[0]?.text).toBe(expected);
  });

  it('is decoded with the charset of its content type', async () => {
    const [block] = await read(Buffer.from([0xcf, 0xf0, 0xe8]), 'a.txt', 'text/plain; charset=windows-1251');

    expect(block?.text).toBe('При');
  });

  it.each([
    ['sjis.csv', '品名: ランプ, 説明: 保証期間は三十か月です'],
    ['gbk.txt', '退货须在十四天内提出，仓库检验后退款。保修期为三十个月。'],
    ['cp1251.txt', 'Гарантия на лампу составляет тридцать месяцев со дня покупки.'],
    ['iso2022jp.html', '保証期間は三十か月です'],
    ['decl.xml', expect.stringContaining('<b>Гарантия на лампу тридцать месяцев</b>')],
  ])('is decoded from the encoding of %s', async (name, text) => {
    expect((await read(fixture(name), name)).at(-1)?.text).toEqual(text);
  });

  it('is rejected if no encoding gives plausible words, and suggests a fix', async () => {
    const bytes = Buffer.from(Array.from({ length: 500 }, (_, index) => 128 + ((index * 37) % 128)));

    await expect(read(bytes, 'a.txt')).rejects.toThrow(/encoding of the file cannot be determined\. Save it as UTF-8/);
  });

  it('drops NUL characters', async () => {
    const [block] = await read(`a\0b${'c'.repeat(100)}`, 'a.txt');

    expect(block?.text).toBe(`ab${'c'.repeat(100)}`);
  });

  it('produces one indented block for a program', async () => {
    expect(outline(await read('  if (a)\n\n    b();\n', 'a.ts', 'video/mp2t'))).toEqual([
      ['code', '  if (a)\n\n    b();\n'],
    ]);
  });
});

describe('HTML', () => {
  it('returns the visible text', async () => {
    const blocks = await read(
      `<html><head><title>Page</title><style>p {}</style></head><body><nav>Menu</nav><script>alert(1)</script>
       <h1>Head <b>bold</b></h1><p>One &amp; <a href="x">two</a><br>three<img src="a.png" alt="A cat"> end</p>
       <iframe src="http://evil">frame</iframe><noscript>none</noscript><template><p>t</p></template><div hidden>no</div>
       <blockquote><p>Said</p></blockquote><ul><li>a<ol><li>b</li><li>c</li></ol></li><li>d</li></ul>
       <table><tr><th>H</th><th>I</th></tr><tr><td>1</td><td></td></tr></table><pre><code>  x\n    y\n</code></pre>
       <h2>Sub</h2>text`,
      'a.html',
    );

    expect(outline(blocks)).toEqual([
      ['title', 'Page'],
      ['title', 'Head bold'],
      ['paragraph', 'One & two\nthree end'],
      ['image', 'A cat'],
      ['blockquote', 'Said'],
      ['list', '- a\n  1. b\n  2. c\n- d'],
      ['table', 'H | I\n1 | '],
      ['code', '  x\n    y'],
      ['subtitle', 'Sub'],
      ['paragraph', 'text'],
    ]);
  });

  it('starts with the document title as the top heading if there is none', async () => {
    const blocks = await read('<title>Page</title><p>Text', 'a.html');

    expect(blocks).toEqual([
      { type: 'title', text: 'Page', level: 1 },
      { type: 'paragraph', text: 'Text' },
    ]);
  });

  it('starts with a document title that differs from the top headings, above them', async () => {
    const page = (title: string) => read(`<title>${title}</title><h1>Overview</h1><p>Text`, 'a.html');

    expect((await page('Refunds'))[0]).toEqual({ type: 'title', text: 'Refunds', level: 0 });
    expect((await page(' Overview '))[0]).toEqual({ type: 'title', text: 'Overview', level: 1 });
  });

  it('keeps headings inside a layout table', async () => {
    const blocks = await read('<table><tr><td>Side</td><td><h1>Head</h1><p>Text</p></td></tr></table>', 'a.html');

    expect(outline(blocks)).toEqual([
      ['paragraph', 'Side'],
      ['title', 'Head'],
      ['paragraph', 'Text'],
    ]);
  });

  it('returns the rest of a page after an element that is never closed', async () => {
    expect(outline(await read(fixture('unclosed.html'), 'a.html'))).toEqual([
      ['paragraph', 'Before.'],
      ['paragraph', 'Home'],
      ['paragraph', expect.stringMatching(/^The walrus article after an unclosed nav/)],
    ]);
    expect(outline(await read('<p>Two<script>code()', 'a.html'))).toEqual([['paragraph', 'Two']]);
    expect(outline(await read('<nav>Menu</nav><button>A<p>One</p><nav>Menu</nav><svg><text>B', 'a.html'))).toEqual([
      ['paragraph', 'A'],
      ['paragraph', 'One'],
      ['paragraph', 'B'],
    ]);
  });

  it('omits what nobody sees, and keeps what only screen readers omit', async () => {
    const texts = (await read(fixture('hidden.html'), 'a.html')).map(({ text }) => text);

    expect(texts).toEqual([
      'Page',
      'ARIA-HIDDEN-2',
      'AREA-4',
      'Visible text of the page about walrus food in winter.',
      'x=5',
      'Sum-8',
      'Det-9',
    ]);
    const page =
      '<p style="color:red; VISIBILITY : hidden">a</p><p style="display:none!important">b</p><p hidden="until-found">c';
    expect((await read(page, 'a.html')).map(({ text }) => text)).toEqual(['c']);
  });

  it('tolerates closing tags without an opening tag', async () => {
    expect(outline(await read('</table></ul></li></pre></h1>Text</p>', 'a.html'))).toEqual([['paragraph', 'Text']]);
  });
});

describe('Markdown', () => {
  it('returns headings, lists, tables, code, quotes, images and embedded HTML', async () => {
    const blocks = await read(
      '---\ntags: x\n---\n# A\n\nText *bold*\n\n> q\n\n- one\n- two\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\n  f();\n```\n\n![cat](x.png)\n\n<p>html</p><script>no</script>\n\n### C',
      'a.md',
    );

    expect(blocks).toEqual([
      { type: 'code', text: 'tags: x' },
      { type: 'title', text: 'A', level: 1 },
      { type: 'paragraph', text: 'Text bold' },
      { type: 'blockquote', text: 'q' },
      { type: 'list', text: '- one\n- two' },
      { type: 'table', text: 'a | b\n1 | 2' },
      { type: 'code', text: '  f();' },
      { type: 'image', text: 'cat' },
      { type: 'paragraph', text: 'html' },
      { type: 'subtitle', text: 'C', level: 3 },
    ]);
  });
});

describe('Markdown with tags that are no elements', () => {
  it('keeps placeholders and the rest of their paragraph, and drops the attributes of headings', async () => {
    expect(outline(await read(fixture('headings.md'), 'a.md'))).toEqual([
      ['title', 'Install'],
      ['paragraph', 'Run the installer and wait for the lamp to blink twice in a row please.'],
      ['subtitle', 'Options'],
      [
        'paragraph',
        'Use Map<String, Object> here. Generic List<object> text without backticks continues until the end of the paragraph. Placeholder <your-token> is needed.',
      ],
    ]);
  });
});

describe('CSV', () => {
  it.each([
    ['commas', 'a.csv', 'name,town\n"Li, Wei","New\nYork"\nEve,\n'],
    ['semicolons', 'a.csv', 'name;town\r\nLi, Wei;"New York"\r\nEve;\r\n'],
    ['tabs', 'a.tsv', '\ufeffname\ttown\nLi, Wei\tNew York\nEve\t\n'],
  ])('returns self-contained rows from %s', async (_, key, text) => {
    expect(outline(await read(text, key))).toEqual([
      ['table', 'name: Li, Wei, town: New York'],
      ['table', 'name: Eve'],
    ]);
  });

  it('accepts one column, one row, and rows of different lengths', async () => {
    expect(outline(await read('name\nEve\nAda\n', 'a.csv'))).toEqual([
      ['table', 'name: Eve'],
      ['table', 'name: Ada'],
    ]);
    expect(outline(await read('name,town\n', 'a.csv'))).toEqual([['table', 'name | town']]);
    expect(outline(await read('a,b\n1,2,3\nx"y",z\n', 'a.csv'))).toEqual([
      ['table', 'a: 1, b: 2, 3'],
      ['table', 'a: x"y", b: z'],
    ]);
  });

  it.each(['sep=;\n', '\ufeffsep=;\r\n', '"sep=;"\n'])('accepts the separator line of Excel: %j', async line => {
    expect(outline(await read(`${line}name;town, country\nEve;Paris, France\n`, 'a.csv'))).toEqual([
      ['table', 'name: Eve, town, country: Paris, France'],
    ]);
  });

  it.each([
    ['numbers', 'Ada,36\nBob,7\nEve,9\n', ['Ada, 36', 'Bob, 7', 'Eve, 9']],
    ['dates', 'Ada,1815-12-10\nBob,1901-01-02\n', ['Ada, 1815-12-10', 'Bob, 1901-01-02']],
    ['addresses', 'Ada,ada@example.com\nBob,bob@example.com\n', ['Ada, ada@example.com', 'Bob, bob@example.com']],
    ['one column', '36\n7\n', ['36', '7']],
  ])('does not repeat a first row of data in every row: %s', async (_, text, expected) => {
    expect(outline(await read(text, 'a.csv'))).toEqual(expected.map(row => ['table', row]));
  });

  it.each([
    ['years', 'town,2023,2024\nBern,5,6\n', 'town: Bern, 2023: 5, 2024: 6'],
    ['a series', 'town,1,2,3\nBern,5,6,7\n', 'town: Bern, 1: 5, 2: 6, 3: 7'],
    ['dates above numbers', 'town,2024-01-01\nBern,5\n', 'town: Bern, 2024-01-01: 5'],
  ])('accepts headers of %s', async (_, text, expected) => {
    expect(outline(await read(text, 'a.csv'))).toEqual([['table', expected]]);
  });

  it('rejects an unclosed quote with its line', async () => {
    await expect(read('a,b\n1,"2\n', 'a.csv')).rejects.toThrow(/opening quote at line/);
  });
});

describe('JSON', () => {
  it('returns one block per list element', async () => {
    const blocks = await read('[{"a":{"b":1,"c":[true,"x"]},"d":[{"e":null},{"e":"y"}]},{"a":2}]', 'a.json');

    expect(outline(blocks)).toEqual([
      ['paragraph', 'a.b: 1\na.c: true, x\nd.1.e: y'],
      ['paragraph', 'a: 2'],
    ]);
  });

  it('returns one block per object field, and per line of JSON Lines', async () => {
    expect(outline(await read('{"a":{"b":1},"c":"x"}', 'a', 'application/json'))).toEqual([
      ['paragraph', 'a.b: 1'],
      ['paragraph', 'c: x'],
    ]);
    expect(outline(await read('{"a":1}\n\n{"a":2}\n', 'a.jsonl'))).toEqual([
      ['paragraph', 'a: 1'],
      ['paragraph', 'a: 2'],
    ]);
  });

  it('rejects invalid JSON with its position', async () => {
    await expect(read('{"a":1}\n{"a":}', 'a.jsonl')).rejects.toThrow(/not valid JSON: line 2/);
  });

  it('keeps the digits of long numbers', async () => {
    const [block] = await read(fixture('bigint.json'), 'a.json');

    expect(block?.text).toContain('device.snowflake: 1234567890123456789');
  });

  it('keeps the digits of numbers that a double cannot represent', async () => {
    const blocks = await read('{"a":9007199254740993,"b":[1e400,1.0]}', 'a.json');

    expect(blocks.map(({ text }) => text)).toEqual(['a: 9007199254740993', 'b: 1e400, 1']);
  });

  it('drops lone surrogates', async () => {
    expect((await read('{"a":"x\\ud800y"}', 'a.json'))[0]?.text).toBe('a: x\ufffdy');
  });
});

describe('a notebook', () => {
  it.each(['application/json', 'application/x-ipynb+json', OCTETS])('is detected by its name: %s', async type => {
    expect(outline(await read(fixture('image.ipynb'), 'a.ipynb', type))).toEqual([
      ['code', 'plot()'],
      ['title', 'Walrus analysis'],
      ['paragraph', 'The walrus eats clams.'],
    ]);
  });

  it('returns Markdown, code and the text of outputs', async () => {
    const notebook = {
      cells: [
        {
          cell_type: 'markdown',
          source: ['# Title\n', '\n', 'Text'],
          attachments: { 'a.png': { 'image/png': 'AAAA' } },
        },
        {
          cell_type: 'code',
          source: 'f()',
          outputs: [
            { output_type: 'stream', text: ['\x1b[31mred\x1b[0m\n', 'line'] },
            { output_type: 'execute_result', data: { 'text/html': '<table><tr><td>1', 'text/plain': '1' } },
            { output_type: 'display_data', data: { 'image/png': 'AAAA', 'text/plain': '<Figure>' } },
            { output_type: 'error', ename: 'ValueError', evalue: 'no', traceback: ['long'] },
          ],
        },
        { cell_type: 'raw', source: 'raw' },
      ],
    };

    expect(outline(await read(JSON.stringify(notebook), 'a.ipynb'))).toEqual([
      ['title', 'Title'],
      ['paragraph', 'Text'],
      ['code', 'f()'],
      ['code', 'red\nline'],
      ['table', '1'],
      ['code', '<Figure>'],
      ['code', 'ValueError: no'],
      ['paragraph', 'raw'],
    ]);
  });

  it('of version 3 is read, and one that is no notebook is rejected', async () => {
    const old = {
      worksheets: [
        {
          cells: [
            { cell_type: 'heading', level: 2, source: 'Old' },
            { cell_type: 'code', input: ['g()'] },
          ],
        },
      ],
    };

    expect(outline(await read(JSON.stringify(old), 'a.ipynb'))).toEqual([
      ['subtitle', 'Old'],
      ['code', 'g()'],
    ]);
    await expect(read('[1]', 'a.ipynb')).rejects.toThrow('not a valid notebook');
    await expect(read('{"cells":', 'a.ipynb')).rejects.toThrow(/not a valid notebook: line 1/);
    await expect(read('{"cells":[null,{"source":5}]}', 'a.ipynb')).rejects.toThrow('no text');
  });
});

describe('Word', () => {
  it('returns headings, lists and tables of a file that the npm package docx wrote', async () => {
    const file = readFileSync(join(import.meta.dirname, '../../../fixtures/office/handbook.docx'));

    const blocks = await read(file, 'a.docx');

    expect(blocks).toEqual([
      { type: 'title', text: 'Handbook', level: 1 },
      { type: 'title', text: 'Start', level: 2 },
      { type: 'paragraph', text: 'Read this.' },
      { type: 'list', text: '- one\n- two' },
      { type: 'subtitle', text: 'More', level: 3 },
      { type: 'table', text: 'a | b\n1 | 2' },
    ]);
  });

  it('omits deleted and duplicate text, and appends notes', async () => {
    const paragraph = (text: string) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
    const file = docx(
      `<w:p><w:pPr><w:tabs><w:tab/></w:tabs></w:pPr><w:r><w:t>a</w:t><w:tab/><w:t xml:space="preserve"> &lt;b</w:t></w:r>
       <w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:r><w:instrText>PAGE</w:instrText></w:r></w:p>
       <w:p><mc:AlternateContent><mc:Choice>${paragraph('box')}</mc:Choice><mc:Fallback>${paragraph('box')}</mc:Fallback></mc:AlternateContent></w:p>
       <w:p><w:r><w:drawing><wp:docPr descr="A dog"/></w:drawing></w:r></w:p>`,
      {
        'word/_rels/document.xml.rels': relations(['r1', 'footnotes', 'footnotes.xml']),
        'word/footnotes.xml': `<w:footnotes>${paragraph('note')}</w:footnotes>`,
      },
    );

    expect(outline(await read(file, 'a.docx'))).toEqual([
      ['paragraph', 'a\t <b'],
      ['paragraph', 'box'],
      ['image', 'A dog'],
      ['paragraph', 'note'],
    ]);
  });
});

describe('Excel', () => {
  it('returns sheets with dates, percentages and numbers as displayed', async () => {
    const bytes = await writeXlsxFile([
      {
        sheet: 'Prices',
        data: [
          [{ value: 'Our prices' }],
          [{ value: 'name' }, { value: 'since' }, { value: 'share' }, { value: 'price' }, { value: 'sold' }],
          [
            { value: 'Tea', type: String },
            { value: new Date('2026-03-04T00:00:00Z'), type: Date, format: 'dd/mm/yyyy' },
            { value: 0.255, type: Number, format: '0.0%' },
            { value: 0.1 + 0.2, type: Number },
            { value: true, type: Boolean },
          ],
        ],
      },
      {
        sheet: 'Second',
        data: [
          [{ value: 'x' }, { value: 'y' }],
          [null, { value: 2, type: Number }],
        ],
      },
    ]).toBuffer();

    expect(await read(bytes, 'a.xlsx')).toEqual([
      { type: 'title', text: 'Prices', level: 1 },
      { type: 'paragraph', text: 'Our prices' },
      { type: 'table', text: 'name: Tea, since: 2026-03-04, share: 25.5%, price: 0.3, sold: TRUE' },
      { type: 'title', text: 'Second', level: 1 },
      { type: 'table', text: 'y: 2' },
      { type: 'table', text: 'x | y' },
    ]);
  });

  it('resolves shared strings, and reads a cell of the last column as cheaply as one of the first', async () => {
    const file = zip({
      ...officeParts('xlsx'),
      'xl/workbook.xml': '<workbook><sheets><sheet name="S" r:id="r1"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels': relations(
        ['r1', 'worksheet', '/xl/worksheets/one.xml'],
        ['r2', 'sharedStrings', 'strings.xml'],
      ),
      'xl/strings.xml': '<sst><si><r><t>he</t></r><r><t>ad</t></r><rPh><t>no</t></rPh></si><si><t>far</t></si></sst>',
      'xl/worksheets/one.xml':
        '<worksheet><sheetData><row><c r="A1" t="s"><v>0</v></c><c r="XFD1" t="s"><v>1</v></c></row><row><c r="A2"><f>1+1</f><v>2</v></c><c r="XFD2" t="str"><v>x</v></c></row></sheetData></worksheet>',
    });

    expect(outline(await read(file, 'a.xlsx'))).toEqual([
      ['title', 'S'],
      ['table', 'head: 2, far: x'],
    ]);
  });
});

describe('PowerPoint', () => {
  it('returns slides in order, each with title, text and notes', async () => {
    const shape = (text: string, type: string) =>
      `<p:sp><p:nvPr><p:ph type="${type}"/></p:nvPr><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:sp>`;
    const file = zip({
      ...officeParts('pptx'),
      'ppt/presentation.xml':
        '<p:presentation><p:sldIdLst><p:sldId id="256" r:id="r2"/><p:sldId id="257" r:id="r1"/></p:sldIdLst></p:presentation>',
      'ppt/_rels/presentation.xml.rels': relations(
        ['r1', 'slide', 'slides/slide1.xml'],
        ['r2', 'slide', 'slides/slide2.xml'],
      ),
      'ppt/slides/slide1.xml': `<p:sld>${shape('7', 'sldNum')}${shape('Body', 'body')}<a:tbl><a:tr><a:tc><a:p><a:t>1</a:t></a:p></a:tc><a:tc><a:p><a:t>2</a:t></a:p></a:tc></a:tr></a:tbl></p:sld>`,
      'ppt/slides/slide2.xml': `<p:sld>${shape('Text', 'body')}${shape('First', 'ctrTitle')}<p:pic><p:cNvPr descr="A chart"/></p:pic></p:sld>`,
      'ppt/slides/_rels/slide2.xml.rels': relations(['r1', 'notesSlide', '../notesSlides/n.xml']),
      'ppt/notesSlides/n.xml': `<p:notes>${shape('Say hello', 'body')}</p:notes>`,
    });

    const blocks = await read(file, 'a.pptx');

    expect(blocks.map(({ type, text, pageNumber }) => [pageNumber, type, text])).toEqual([
      [1, 'title', 'First'],
      [1, 'paragraph', 'Text'],
      [1, 'image', 'A chart'],
      [1, 'paragraph', 'Say hello'],
      [2, 'title', 'Slide 2'],
      [2, 'paragraph', 'Body'],
      [2, 'table', '1 | 2'],
    ]);
  });
});

describe('PDF', () => {
  it('returns pages, headings by font size, paragraphs from lines, and dehyphenated words', async () => {
    const file = pdf([
      [
        { text: 'Annual report', size: 24 },
        { text: 'Overview', size: 14, gap: 2 },
        { text: 'The first paragraph is about docu-', gap: 2 },
        { text: 'ments, and goes on here. It is written in' },
        { text: 'three lines.' },
        { text: 'The second one is shorter.', gap: 2.5 },
        { text: '- a point', gap: 2.5 },
        { text: '- another' },
      ],
      [{ text: 'On the second page.' }],
    ]);

    expect(await read(file, 'a.pdf')).toEqual([
      { type: 'title', text: 'Annual report', level: 1, pageNumber: 1 },
      { type: 'subtitle', text: 'Overview', level: 2, pageNumber: 1 },
      {
        type: 'paragraph',
        text: 'The first paragraph is about documents, and goes on here. It is written in three lines.',
        pageNumber: 1,
      },
      { type: 'paragraph', text: 'The second one is shorter.', pageNumber: 1 },
      { type: 'list', text: '- a point', pageNumber: 1 },
      { type: 'list', text: '- another', pageNumber: 1 },
      { type: 'paragraph', text: 'On the second page.', pageNumber: 2 },
    ]);
  });

  it('rejects a password-protected file, and suggests a fix', async () => {
    // Common security handler and key length. No password opens the file.
    const hash = `<${'ab'.repeat(32)}>`;
    const file = `%PDF-1.4
1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
2 0 obj <</Type/Pages/Kids[]/Count 0>> endobj
3 0 obj <</Filter/Standard/V 2/R 3/Length 128/P -44/O ${hash}/U ${hash}>> endobj
trailer <</Root 1 0 R/Encrypt 3 0 R/ID[<01><01>]/Size 4>>`;

    await expect(read(file, 'a.pdf')).rejects.toThrow(
      'The PDF is password-protected. Remove the password and upload it again.',
    );
  });

  it('reads or rejects a truncated file', async () => {
    const whole = pdf([[{ text: 'Hello' }]]);

    await expect(read(whole.slice(0, 40), 'a.pdf')).rejects.toMatchObject({
      name: 'UnreadableFileError',
      message: /damaged/,
    });
  });
});
