/** Tests that hostile and oversized files fail with a reason, and the process survives. */
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { readPassages } from '#shared/ai/extraction/readPassages.ts';
import { pdf } from '#test/support/pdf.ts';
import { bytesOf, docx, OCTETS, odf, officeParts, relations, xlsx, zip } from './files.ts';

const SETTINGS = { minimumParagraphLength: 50, maximumChunkLength: 1_000 };
const LIMITS = { timeoutMs: 25_000, memoryMb: 512 };
const MB = 1024 * 1024;

const read = (file: Uint8Array | string, key: string, limits = LIMITS) =>
  readPassages(
    typeof file === 'string' ? bytesOf(file) : file,
    { contentType: OCTETS, key, settings: SETTINGS },
    limits,
  );
const expectUnreadable = (reading: Promise<unknown>, message: RegExp) =>
  expect(reading).rejects.toMatchObject({ name: 'UnreadableFileError', message: expect.stringMatching(message) });

describe('reading a file', () => {
  it('returns its passages and does not modify the bytes', async () => {
    const bytes = Buffer.from('# Title\n\nשלום 😀');

    const { passages } = await read(bytes, 'a.md');

    expect(passages).toEqual([{ type: 'paragraph', content: 'Title\nשלום 😀', breadcrumb: ['Title'] }]);
    expect(bytes.toString()).toBe('# Title\n\nשלום 😀');
  });

  it('works concurrently', async () => {
    const contents = await Promise.all(
      ['a', 'b', 'c'].map(async text => (await read(text, 'a.txt')).passages[0]?.content),
    );

    expect(contents).toEqual(['a', 'b', 'c']);
  });

  it('fails with a reason for a file without text', async () => {
    await expectUnreadable(read('<script>1</script>', 'a.html'), /no text/);
  });
});

describe('a file over the limits', () => {
  it('is rejected for its bytes', async () => {
    await expectUnreadable(read(new Uint8Array(95 * MB + 1), 'a.txt'), /larger than 95 MB/);
  });

  it('is rejected for its number of passages', async () => {
    const paragraph = 'A paragraph that is long enough to be a passage of its own, alone.\n\n';

    await expectUnreadable(read(paragraph.repeat(50_001), 'a.txt'), /50,001 passages, more than 50,000/);
  });

  it('is rejected when reading takes too long', async () => {
    // The parser compares each run of backticks with all later ones.
    const ticks = Array.from({ length: 2_500 }, (_, count) => `${'`'.repeat(count + 1)} a `).join('');

    await expectUnreadable(read(ticks, 'a.md', { ...LIMITS, timeoutMs: 1_000 }), /more than 1 s\./);
  });

  it('is rejected for memory used inside an uninterruptible call of V8', async () => {
    const objects = `[${'{"a":[1,2,3,{"b":"c"}]},'.repeat(1_000_000)}1]`;

    await expectUnreadable(read(objects, 'a.json', { ...LIMITS, memoryMb: 150 }), /150 MB of memory/);
  });

  it('is rejected for memory outside the heap: a PDF stream that unpacks to a gigabyte', async () => {
    // Compressed twice, to keep the file small.
    const stream = deflateSync(deflateSync(Buffer.alloc(1024 * MB, ' ')));
    const file = Buffer.concat([
      Buffer.from(
        `%PDF-1.4
1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
2 0 obj <</Type/Pages/Kids[3 0 R]/Count 1>> endobj
3 0 obj <</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>> endobj
4 0 obj <</Length ${stream.length}/Filter[/FlateDecode/FlateDecode]>> stream\n`,
      ),
      stream,
      Buffer.from('\nendstream endobj\ntrailer <</Root 1 0 R/Size 5>>'),
    ]);

    await expectUnreadable(read(file, 'a.pdf'), /512 MB of memory/);
  });
});

describe('a ZIP bomb', () => {
  const zeros = new Uint8Array(300 * MB);
  const bomb = docx('', { 'word/document.xml': zeros });

  it('is detected by its declared size', async () => {
    await expectUnreadable(read(bomb, 'a.docx'), /exceeds 200 MB when unpacked/);
  });

  it.each([
    ['OpenDocument', 'a.odt', odf('text', '', { 'content.xml': ' '.repeat(300 * MB) })],
    [
      'EPUB',
      'a.epub',
      zip({ 'META-INF/container.xml': '<rootfile full-path="a.opf"/>', 'a.opf': '<package/>', 'a.xhtml': zeros }),
    ],
  ])('is detected in %s', async (_, key, file) => {
    await expectUnreadable(read(file, key), /exceeds 200 MB when unpacked/);
  });

  it('is detected while unpacking if it declares less', async () => {
    await expectUnreadable(read(withDeclaredSize(bomb, zeros.length, 1_000), 'a.docx'), /damaged/);
  });

  it('is detected by the total of overlapping entries', async () => {
    const sheet = new Uint8Array(150 * MB).fill(0x20);
    const sheets = [1, 2].map(number => `<sheet name="${number}" r:id="r${number}"/>`).join('');
    const targets = [1, 2]
      .map(number => `<Relationship Id="r${number}" Type="x/worksheet" Target="sheet.xml"/>`)
      .join('');
    const file = zip({
      ...officeParts('xlsx'),
      'xl/workbook.xml': `<workbook><sheets>${sheets}</sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': `<Relationships>${targets}</Relationships>`,
      'xl/sheet.xml': sheet,
    });

    await expectUnreadable(read(file, 'a.xlsx'), /exceeds 200 MB when unpacked/);
  });
});

/** Changes the declared sizes of large entries in an archive's directory. */
function withDeclaredSize(archive: Uint8Array, from: number, to: number): Buffer {
  const changed = Buffer.from(archive);
  const entry = Buffer.from('PK\x01\x02');
  for (let at = changed.indexOf(entry); at !== -1; at = changed.indexOf(entry, at + 1)) {
    if (changed.readUInt32LE(at + 24) === from) changed.writeUInt32LE(to, at + 24);
  }
  return changed;
}

describe('XML', () => {
  it('is rejected with expanding or external entities', async () => {
    const part = (text: string) => `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b SYSTEM "file:///etc/passwd">]>${text}`;
    const body = '<w:document><w:p><w:t>&a;&b;</w:t></w:p></w:document>';

    await expectUnreadable(read(docx('', { 'word/document.xml': part(body) }), 'a.docx'), /document type declaration/);
  });

  it('is rejected with expanding entities in OpenDocument and EPUB', async () => {
    const content =
      '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><office:text><text:p>&b;</text:p></office:text>';
    const book = zip({ 'META-INF/container.xml': `<!DOCTYPE x [\n<!ENTITY a "x">]><rootfile full-path="&a;"/>` });

    await expectUnreadable(read(odf('text', '', { 'content.xml': content }), 'a.odt'), /document type declaration/);
    await expectUnreadable(read(book, 'a.epub'), /document type declaration/);
  });

  it('is rejected with deep nesting in OpenDocument', async () => {
    await expectUnreadable(
      read(odf('text', '<text:list><text:list-item>'.repeat(200_000)), 'a.odt'),
      /nested more than/,
    );
  });

  it('is rejected with deep nesting', async () => {
    await expectUnreadable(read(docx('<w:p>'.repeat(200_000)), 'a.docx'), /nested more than/);
  });
});

describe('a hostile file', () => {
  it('is rejected: a megabyte of nested elements', async () => {
    await expectUnreadable(read('<div>'.repeat(200_000), 'a.html'), /nested more than/);
  });

  it('is rejected: RTF of 200,000 groups within each other', async () => {
    await expectUnreadable(read(`{\\rtf1 ${'{'.repeat(200_000)}word`, 'a.rtf'), /nested more than/);
  });

  it('is rejected: an email of 1,000 parts within each other', async () => {
    const parts = Array.from(
      { length: 1_000 },
      (_, n) => `Content-Type: multipart/mixed; boundary=b${n}\r\n\r\n--b${n}\r\n`,
    );

    await expectUnreadable(read(`${parts.join('')}\r\nword`, 'a.eml'), /not valid email: .*nesting/i);
  });

  it('is rejected: a million cells that share a string of 1,000 characters', async () => {
    const cells = '<c t="s"><v>0</v></c>'.repeat(1_000);
    const file = xlsx(`<sheetData>${`<row>${cells}</row>`.repeat(1_000)}</sheetData>`, {
      '_rels/workbook.xml.rels': relations(['r1', 'worksheet', 'one.xml'], ['r2', 'sharedStrings', 'strings.xml']),
      'strings.xml': `<sst><si><t>${'x'.repeat(1_000)}</t></si></sst>`,
    });

    await expectUnreadable(read(file, 'a.xlsx'), /more than 100 million characters/);
  });

  it('is rejected: a book that names its container as its package', async () => {
    const file = zip({ 'META-INF/container.xml': '<rootfile full-path="META-INF/container.xml"/>' });

    await expectUnreadable(read(file, 'a.epub'), /no text/);
  });

  it.each([
    ['RTF of 30,000 notes', 'a.rtf', `{\\rtf1 word${'{\\footnote x}'.repeat(30_000)}\\par}`],
    [
      'RTF with a negative and an endless length of binary data',
      'a.rtf',
      '{\\rtf1 word{\\bin-9 x}\\par{\\bin9999999999 x}}',
    ],
    [
      'an email of 10,000 parts',
      'a.eml',
      `Subject: word\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n${'--b\r\n\r\nx\r\n'.repeat(10_000)}--b--`,
    ],
    [
      'a spreadsheet of endless repeated cells',
      'a.ods',
      odf(
        'spreadsheet',
        `<table:table>${'<table:table-row table:number-rows-repeated="999999999"><table:table-cell table:number-columns-repeated="999999999"><text:p>word</text:p></table:table-cell></table:table-row>'.repeat(100)}</table:table>`,
      ),
    ],
    ['a document of endless spaces', 'a.odt', odf('text', `<text:p>word<text:s text:c="999999999"/>x</text:p>`)],
    [
      'a Word file that embeds itself',
      'a.docx',
      docx('<w:p><w:r><w:t>word</w:t></w:r></w:p><w:altChunk r:id="r1"/>', {
        'word/_rels/document.xml.rels': relations(['r1', 'aFChunk', 'document.xml']),
      }),
    ],
    [
      'a footnote of 100,000 paragraphs',
      'a.docx',
      docx('<w:p><w:r><w:t>word</w:t></w:r></w:p>', {
        'word/_rels/document.xml.rels': relations(['r1', 'footnotes', 'f.xml']),
        'word/f.xml': `<w:footnotes><w:footnote w:id="1">${'<w:p><w:r><w:t>x</w:t></w:r></w:p>'.repeat(100_000)}</w:footnote></w:footnotes>`,
      }),
    ],
    ['one cell of 5 MB', 'a.csv', `a,b\n1,"${'word '.repeat(MB)}"\n`],
    ['JSON of 100,000 levels', 'a.json', `${'['.repeat(100_000)}"word"${']'.repeat(100_000)}`],
    ['nested quotes in Markdown', 'a.md', `${'>'.repeat(20_000)} word`],
    ['unclosed brackets in Markdown', 'a.md', `${'['.repeat(20_000)}word`],
    ['NUL bytes among text', 'a.txt', `wo\0rd ${'word '.repeat(1_000)}`],
    ['one word of 2 MB', 'a.txt', `${'x'.repeat(2 * MB)} word`],
    ['one character with 100,000 marks', 'a.txt', `e${'\u0301'.repeat(100_000)} word`],
    ['text from right to left, and emoji', 'a.txt', 'שלום 👩‍👩‍👧 مرحبا word '.repeat(10_000)],
    ['HTML that never closes', 'a.html', '<ul><li><table><tr><td>word'.repeat(1_000)],
  ])('is processed: %s', async (_, key, file) => {
    const { passages } = await read(file, key);

    expect(passages.some(({ content }) => content.includes('word'))).toBe(true);
    expect(Math.max(...passages.map(({ content }) => content.length))).toBeLessThanOrEqual(SETTINGS.maximumChunkLength);
  });

  it('is processed or rejected without a crash: a truncated PDF', async () => {
    const whole = pdf([[{ text: 'word' }]]);

    const readings = await Promise.allSettled(
      [0.3, 0.6, 0.9].map(share => read(whole.slice(0, whole.length * share), 'a.pdf')),
    );

    const failures = readings.flatMap(each => (each.status === 'rejected' ? [each.reason] : []));
    expect(failures.map(({ name }) => name)).toEqual(failures.map(() => 'UnreadableFileError'));
  });

  it('is processed in constant memory: a PDF of 2,000 pages', async () => {
    const line = 'A line of text that is neither very short nor very long.';
    const file = pdf(Array.from({ length: 2_000 }, (_, page) => [{ text: `Page ${page + 1}` }, { text: line }]));

    const { passages } = await read(file, 'a.pdf', { ...LIMITS, memoryMb: 400 });

    expect(passages.at(-1)).toMatchObject({ pageNumber: 2_000, content: `Page 2000 ${line}` });
  });
});
