/** OpenDocument, RTF, EPUB and email. */
import { describe, expect, it } from 'vitest';
import { extract } from '#shared/ai/extraction/extract.ts';
import { pdf } from '#test/support/pdf.ts';
import { bytesOf, docx, OCTETS, odf, relations, xlsx, zip } from './files.ts';

const read = async (file: Uint8Array | string, key: string, contentType = OCTETS) =>
  (await extract(typeof file === 'string' ? bytesOf(file) : file, { contentType, key })).blocks;
const textsOf = async (file: Uint8Array | string, key: string, contentType = OCTETS) =>
  (await read(file, key, contentType)).map(({ text }) => text);

const p = (text: string) => `<text:p>${text}</text:p>`;

describe('OpenDocument text', () => {
  it('returns headings, lists, tables, images, notes and comments', async () => {
    const file = odf(
      'text',
      `<text:tracked-changes><text:p>deleted</text:p></text:tracked-changes>
       <text:h text:outline-level="1">Manual</text:h><text:h text:outline-level="2">Start</text:h>
       ${p('one<text:s text:c="2"/><text:span>two</text:span><text:line-break/>three<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>a note</text:p></text:note-body></text:note>')}
       ${p('price<office:annotation><dc:creator>Ada</dc:creator><dc:date>2026</dc:date><text:p>too high</text:p></office:annotation>')}
       <text:list><text:list-item>${p('a')}<text:list><text:list-item>${p('b')}</text:list-item></text:list></text:list-item></text:list>
       <table:table><table:table-row><table:table-cell>${p('x')}</table:table-cell><table:table-cell>${p('y')}</table:table-cell></table:table-row></table:table>
       ${p('<draw:frame><draw:image/><svg:desc>A dog</svg:desc></draw:frame>')}
       ${p('<draw:frame><draw:text-box><text:p>box</text:p></draw:text-box></draw:frame>')}`,
      {
        'styles.xml': `<office:document-styles><style:master-page><style:header>${p('Letterhead')}</style:header><style:footer>${p('Letterhead')}${p('Page <text:page-number>1</text:page-number>')}</style:footer></style:master-page></office:document-styles>`,
      },
    );

    expect(await read(file, 'a.odt')).toEqual([
      { type: 'paragraph', text: 'Letterhead' },
      { type: 'title', text: 'Manual', level: 1 },
      { type: 'subtitle', text: 'Start', level: 2 },
      { type: 'paragraph', text: 'a note' },
      { type: 'paragraph', text: 'one  two\nthree' },
      { type: 'paragraph', text: 'Ada: too high' },
      { type: 'paragraph', text: 'price' },
      { type: 'list', text: '- a\n  - b' },
      { type: 'table', text: 'x | y' },
      { type: 'image', text: 'A dog' },
      { type: 'paragraph', text: 'box' },
    ]);
  });

  it('is rejected under a password, with advice', async () => {
    const file = odf('text', p('x'), {
      'META-INF/manifest.xml':
        '<!DOCTYPE manifest:manifest PUBLIC "x" "Manifest.dtd"><manifest:manifest><manifest:file-entry><manifest:encryption-data/></manifest:file-entry></manifest:manifest>',
    });

    await expect(read(file, 'a.odt')).rejects.toThrow(/password-protected/);
  });
});

describe('an OpenDocument spreadsheet', () => {
  const cell = (text: string, attributes = '') => `<table:table-cell ${attributes}>${p(text)}</table:table-cell>`;
  const row = (...cells: string[]) => `<table:table-row>${cells.join('')}</table:table-row>`;

  it('returns rows with headers, dates in ISO form, and values as displayed', async () => {
    const file = odf(
      'spreadsheet',
      `<table:table table:name="Stock">${row(cell('Article'), '<table:table-cell table:number-columns-repeated="2"/>', cell('Code'), cell('Since'))}
       ${row(cell('Lamp'), '<table:covered-table-cell/>', '<table:table-cell/>', cell('02108', 'office:value="2108"'), cell('4.3.26', 'office:date-value="2026-03-04T00:00:00"'))}
       <table:table-row table:number-rows-repeated="1048574"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table>`,
    );

    expect(await textsOf(file, 'a.ods')).toEqual(['Stock', 'Article: Lamp, Code: 02108, Since: 2026-03-04']);
  });

  it('omits hidden and empty sheets', async () => {
    const file = zip({
      mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
      'content.xml': `<office:document-content><office:automatic-styles><style:style style:name="ta2"><style:table-properties table:display="false"/></style:style></office:automatic-styles><office:body><office:spreadsheet>
        <table:table table:name="A">${row(cell('shown'))}</table:table><table:table table:name="B" table:style-name="ta2">${row(cell('internal'))}</table:table><table:table table:name="C"/></office:spreadsheet></office:body></office:document-content>`,
    });

    expect(await textsOf(file, 'a.ods')).toEqual(['A', 'shown']);
  });

  it('limits cells and rows that repeat a value', async () => {
    const repeated = 'table:number-columns-repeated="16384"';
    const file = odf(
      'spreadsheet',
      `<table:table table:name="A"><table:table-row table:number-rows-repeated="1048576">${cell('x', repeated)}</table:table-row></table:table>`,
    );

    expect((await textsOf(file, 'a.ods')).join('').length).toBeLessThan(1_000);
  });
});

describe('an OpenDocument presentation', () => {
  it('returns slides as pages, with title, text, notes and charts', async () => {
    const file = odf(
      'presentation',
      `<presentation:footer-decl>Confidential</presentation:footer-decl><draw:page draw:name="page1"><draw:frame presentation:class="outline"><draw:text-box>${p('body')}</draw:text-box></draw:frame>
       <draw:frame presentation:class="title"><draw:text-box>${p('Results')}</draw:text-box></draw:frame>
       <presentation:notes>${p('say hello')}</presentation:notes></draw:page>
       <draw:page draw:name="page2"><draw:frame><draw:object xlink:href="./Object 1"/></draw:frame></draw:page>`,
      {
        'Object 1/content.xml': `<office:document-content><office:body><office:chart><chart:chart><chart:title>${p('Sales')}</chart:title><chart:plot-area/><table:table><table:table-row><table:table-cell>${p('Oslo')}</table:table-cell><table:table-cell>${p('3')}</table:table-cell></table:table-row></table:table></chart:chart></office:chart></office:body></office:document-content>`,
      },
    );

    expect((await read(file, 'a.odp')).map(({ text, pageNumber }) => [pageNumber, text])).toEqual([
      [undefined, 'Confidential'],
      [1, 'Results'],
      [1, 'body'],
      [1, 'say hello'],
      [2, 'Slide 2'],
      [2, 'Sales'],
      [2, 'Oslo | 3'],
    ]);
  });
});

describe('RTF', () => {
  it('returns headings, lists, tables, notes, and text in several encodings', async () => {
    const file = String.raw`{\rtf1\ansi\ansicpg1251\deff0{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset204 Arial Cyr;}{\f2\fcharset128 Mincho;}}
{\stylesheet{\s1\outlinelevel0 heading 1;}}{\info{\title hidden title}}
\pard\s1 Manual\par\pard Gr\u252\'fcn \'e9 {\f1 \'cf\'f0\'e8} {\f2 \'93\'fa\'96\'7b} \u-10179?\u-8704? \'93q\'94{\v secret}{\footnote a note}\par
\pard\ls1 {\listtext 1.\tab}first\par\ls1 second\par
\trowd\pard\intbl x\cell y\par z\cell\row\trowd\pard\intbl 1\cell 2\cell\row\pard
{\field{\*\fldinst HYPERLINK "http://x"}{\fldrslt link}}{\*\unknown gone}{\pict\bin4 }}}}}{\header Letterhead\par}\par}`;

    expect(await read(file, 'a.rtf')).toEqual([
      { type: 'title', text: 'Manual', level: 1 },
      { type: 'paragraph', text: 'Grün й При 日本 😀 “q”' },
      { type: 'paragraph', text: 'a note' },
      { type: 'list', text: '- first\n- second' },
      { type: 'table', text: 'x | y z\n1 | 2' },
      { type: 'paragraph', text: 'link' },
      { type: 'paragraph', text: 'Letterhead' },
    ]);
  });

  it('tolerates a truncated file and unbalanced groups', async () => {
    expect(await textsOf('{\\rtf1 one\\par two}}} three', 'a.rtf')).toEqual(['one', 'two three']);
    expect(await textsOf('{\\rtf1 {\\b one', 'a.rtf')).toEqual(['one']);
  });
});

describe('EPUB', () => {
  const container = '<container><rootfiles><rootfile full-path="OPS/book.opf"/></rootfiles></container>';
  const book = (parts: Record<string, string> = {}) =>
    zip({
      mimetype: 'application/epub+zip',
      'META-INF/container.xml': container,
      'OPS/book.opf': `<package><metadata><dc:title>The Lamp</dc:title><dc:creator>Ada</dc:creator></metadata>
        <manifest><item id="b" href="two.xhtml"/><item id="a" href="text/one%201.xhtml"/><item id="c" href="three.xhtml"/></manifest>
        <spine><itemref idref="a"/><itemref idref="b"/><itemref idref="missing"/></spine></package>`,
      'OPS/text/one 1.xhtml':
        '<?xml version="1.0"?><!DOCTYPE html><html><head><title/></head><body><h1>First</h1><p>one</p></body></html>',
      'OPS/two.xhtml': '<html><head><title>The Lamp</title></head><body><a id="x"/><p>two</p></body></html>',
      'OPS/three.xhtml': '<html><body>not in the spine</body></html>',
      ...parts,
    });

  it('returns chapters in reading order, below the title of the book', async () => {
    expect(await read(book(), 'a.epub')).toEqual([
      { type: 'title', text: 'The Lamp', level: 1 },
      { type: 'paragraph', text: 'Ada' },
      { type: 'title', text: 'First', level: 2 },
      { type: 'paragraph', text: 'one' },
      { type: 'paragraph', text: 'two' },
    ]);
  });

  it('is rejected if its chapters are encrypted, not if only fonts are', async () => {
    const encryption = (...parts: string[]) => ({
      'META-INF/encryption.xml': `<encryption>${parts.map(part => `<enc:CipherReference URI="${part}"/>`).join('')}</encryption>`,
    });

    await expect(read(book(encryption('OPS/text/one%201.xhtml', 'OPS/two.xhtml')), 'a.epub')).rejects.toThrow(/DRM/);
    expect(await textsOf(book(encryption('OPS/font.otf')), 'a.epub')).toContain('two');
  });
});

describe('email', () => {
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
  const attachment = (name: string, type: string, bytes: Uint8Array) =>
    `--b\r\nContent-Type: ${type}; name="${name}"\r\nContent-Disposition: attachment; filename="${name}"\r\nContent-Transfer-Encoding: base64\r\n\r\n${base64(bytes)}\r\n`;
  const message = (body: string, ...attachments: string[]) =>
    `From: =?utf-8?q?J=C3=B6rg?= <j@example.com>\r\nTo: ada@example.com\r\nSubject: Order 7\r\nDate: Wed, 4 Mar 2026 10:00:00 +0100\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n${body}\r\n${attachments.join('')}--b--\r\n`;
  const html = 'Content-Type: text/html; charset=utf-8\r\n\r\n<h1>Hello</h1><p>see below</p>';
  const header = 'From: Jörg <j@example.com>\nTo: ada@example.com\nDate: 2026-03-04T09:00:00.000Z';

  it('returns subject, addresses, text, and names and texts of attachments', async () => {
    const file = message(
      html,
      attachment('list.pdf', 'application/pdf', pdf([[{ text: 'ten lamps' }]])),
      attachment('data.xlsx', OCTETS, xlsx('<sheetData><row><c t="str"><v>cell</v></c></row></sheetData>')),
      attachment('photo.jpg', 'image/jpeg', Buffer.from('ffd8ff', 'hex')),
    );

    expect(await read(file, 'a.eml')).toEqual([
      { type: 'title', text: 'Order 7', level: 1 },
      { type: 'paragraph', text: header },
      { type: 'title', text: 'Hello', level: 2 },
      { type: 'paragraph', text: 'see below' },
      { type: 'subtitle', text: 'list.pdf', level: 2 },
      { type: 'paragraph', text: 'ten lamps' },
      { type: 'subtitle', text: 'data.xlsx', level: 2 },
      { type: 'title', text: 'S', level: 3 },
      { type: 'paragraph', text: 'cell' },
      { type: 'subtitle', text: 'photo.jpg', level: 2 },
    ]);
  });

  it.each([
    ['its content type', 'a', 'message/rfc822'],
    ['its name', 'a.eml', 'text/plain'],
  ])('is detected by %s', async (_, key, contentType) => {
    expect(await textsOf('Subject: Hello\r\n\r\nplain text', key, contentType)).toEqual(['Hello', 'plain text']);
  });

  it('reads web pages that a browser saved as one file', async () => {
    const page = `MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b; type="text/html"\r\n\r\n--b\r\nContent-Type: text/html; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n<p>gr=FCn</p>\r\n--b\r\nContent-Type: image/png\r\nContent-Location: a.png\r\nContent-ID: <a>\r\nContent-Transfer-Encoding: base64\r\n\r\nAAAA\r\n--b--\r\n`;

    expect(await textsOf(page, 'a.mht')).toEqual(['grün']);
  });

  it('reads at most three emails within each other', async () => {
    let file = message('Content-Type: text/plain\r\n\r\nlevel 5');
    for (const level of [4, 3, 2, 1, 0]) {
      const inner = `--b${level}\r\nContent-Type: message/rfc822\r\nContent-Disposition: attachment; filename="${level}.eml"\r\n\r\n${file}\r\n`;
      file = `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\nContent-Type: text/plain\r\n\r\nlevel ${level}\r\n${inner}--b${level}--\r\n`;
    }

    const texts = await textsOf(file, 'a.eml');

    expect(texts.filter(text => text.startsWith('level'))).toEqual(['level 0', 'level 1', 'level 2', 'level 3']);
  });

  it('reads 200 attachments at most', async () => {
    const file = message(
      html,
      ...Array.from({ length: 250 }, (_, n) => attachment(`${n}.txt`, 'text/plain', bytesOf(`text ${n}`))),
    );

    const texts = await textsOf(file, 'a.eml');

    expect(texts).toContain('249.txt');
    expect(texts.filter(text => text.startsWith('text '))).toHaveLength(200);
  });

  it('reads the attachments after one that fails', async () => {
    const file = message(
      html,
      attachment(
        'a.docx',
        OCTETS,
        docx('<w:altChunk r:id="r"/>', { 'word/_rels/document.xml.rels': relations(['r', 'aFChunk', 'x']) }),
      ),
      attachment('b.docx', OCTETS, Buffer.from('PK\x03\x04 junk')),
      attachment('c.txt', 'text/plain', bytesOf('last')),
    );

    expect((await textsOf(file, 'a.eml')).at(-1)).toBe('last');
  });
});
