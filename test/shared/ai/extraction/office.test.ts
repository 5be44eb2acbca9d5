/** Word and PowerPoint: parts besides the main text, and unusual archives. */
import { describe, expect, it } from 'vitest';
import { extract } from '#shared/ai/extraction/extract.ts';
import { bytesOf, docx, fixture, OCTETS, officeParts, packageRelations, relations, zip } from './files.ts';

const read = async (file: Uint8Array, key: string, contentType = OCTETS) =>
  (await extract(file, { contentType, key })).blocks;
const textsOf = async (file: Uint8Array, key: string) => (await read(file, key)).map(({ text }) => text);
const paragraph = (text: string, more = '') => `<w:p>${more}<w:r><w:t>${text}</w:t></w:r></w:p>`;

describe('the archive of an Office file', () => {
  it('may declare the type of its main part as a default, as the Open XML SDK does', async () => {
    expect(await textsOf(fixture('default-type.docx'), 'a.docx')).toEqual([
      'The warranty of the flamingo lamp lasts thirty months.',
    ]);
  });

  it('may be followed by bytes, also by more than a comment can contain', async () => {
    const text = 'The warranty of the pelican lamp lasts thirty months.';
    const many = Buffer.concat([docx(paragraph('far')), Buffer.alloc(66_000, 'PK')]);

    expect(await textsOf(fixture('trailing-byte.docx'), 'a.docx')).toEqual([text]);
    expect(await textsOf(many, 'a.docx')).toEqual(['far']);
  });

  it('may name its main part by the relation only, and parts with a slash or another case', async () => {
    const file = zip({
      '[content_types].xml': '<Types/>',
      '_rels/.rels': packageRelations('/Word/Document.xml'),
      '/word/document.xml': `<x:document><x:body><x:p><x:r><x:t>found</x:t></x:r></x:p></x:body></x:document>`,
    });

    expect(await textsOf(file, 'a.docx')).toEqual(['found']);
  });

  it('may be strict, and in UTF-16', async () => {
    const xml =
      '\ufeff<?xml version="1.0" encoding="UTF-16"?><w:document><w:p><w:r><w:t>grün</w:t></w:r></w:p></w:document>';
    const file = zip({
      ...officeParts('docx'),
      '_rels/.rels':
        '<Relationships><Relationship Id="r" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument" Target="word/document.xml"/></Relationships>',
      'word/document.xml': Buffer.from(xml, 'utf16le'),
    });

    expect(await textsOf(file, 'a.docx')).toEqual(['grün']);
  });

  it.each([
    [
      'has no document',
      zip({ 'a.txt': 'x' }),
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      /its archive contains no document/,
    ],
    ['has no main part', zip({ '[Content_Types].xml': '<Types/>' }), OCTETS, /without a document, workbook or slides/],
    ['is truncated', docx(paragraph('x')).slice(0, 200), OCTETS, /damaged/],
  ])('is rejected with one reason if it %s', async (_, file, contentType, reason) => {
    await expect(read(file, 'a.docx', contentType)).rejects.toThrow(reason);
  });
});

describe('Word', () => {
  it('returns each distinct header and footer once, before the text', async () => {
    expect(await textsOf(fixture('header-footer.docx'), 'a.docx')).toEqual([
      'Zebrastrasse Trading GmbH, invoice INV-2026-0815',
      'VAT id DE999888777',
      'Dear customer, thank you for your order.',
    ]);
    const repeated = docx(paragraph('text'), {
      'word/_rels/document.xml.rels': relations(['r1', 'header', 'h1.xml'], ['r2', 'header', 'h2.xml']),
      'word/h1.xml': `<w:hdr>${paragraph('Letterhead')}</w:hdr>`,
      'word/h2.xml': `<w:hdr>${paragraph('Letterhead')}${paragraph('Draft')}</w:hdr>`,
    });
    expect(await textsOf(repeated, 'a.docx')).toEqual(['Letterhead', 'Draft', 'text']);
  });

  it('returns comments with their author', async () => {
    expect(await textsOf(fixture('comments.docx'), 'a.docx')).toEqual([
      'The price is 10 euros.',
      'Ada: Wrong since May: it is 12 euros, see CMT-7.',
    ]);
  });

  it('returns a note after the paragraph, list or table that refers to it', async () => {
    const reference = (id: number) => `<w:r><w:footnoteReference w:id="${id}"/></w:r>`;
    const item = '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>';
    const file = docx(
      `${paragraph('one', reference(1))}${paragraph('a', item + reference(2))}${paragraph('b', item)}
       <w:tbl><w:tr><w:tc>${paragraph('cell', reference(3))}</w:tc></w:tr></w:tbl>${paragraph('last')}`,
      {
        'word/_rels/document.xml.rels': relations(['r1', 'footnotes', 'footnotes.xml']),
        'word/footnotes.xml': `<w:footnotes>${[1, 2, 3].map(id => `<w:footnote w:id="${id}">${paragraph(`note ${id}`)}</w:footnote>`).join('')}</w:footnotes>`,
      },
    );

    expect(await textsOf(file, 'a.docx')).toEqual(['one', 'note 1', '- a\n- b', 'note 2', 'cell', 'note 3', 'last']);
  });

  it('returns embedded documents where they are: HTML, text, RTF and Word', async () => {
    const chunk = (id: string) => `<w:altChunk r:id="${id}"/>`;
    const file = docx(`${paragraph('start')}${['r1', 'r2', 'r3', 'r4'].map(chunk).join('')}${paragraph('end')}`, {
      'word/_rels/document.xml.rels': relations(
        ['r1', 'aFChunk', 'a.html'],
        ['r2', 'aFChunk', 'a.txt'],
        ['r3', 'aFChunk', 'a.rtf'],
        ['r4', 'aFChunk', 'a.docx'],
      ),
      'word/a.html': '<p>of HTML</p>',
      'word/a.txt': 'of text',
      'word/a.rtf': '{\\rtf1 of RTF}',
      'word/a.docx': docx(paragraph('of Word')),
    });

    expect(await textsOf(fixture('altchunk.docx'), 'a.docx')).toContain('The toucan contract ends in autumn.');
    expect(await textsOf(file, 'a.docx')).toEqual(['start', 'of HTML', 'of text', 'of RTF', 'of Word', 'end']);
  });

  it('reads at most three documents within each other', async () => {
    let file = docx(paragraph('level 5'));
    for (const level of [4, 3, 2, 1, 0]) {
      file = docx(`${paragraph(`level ${level}`)}<w:altChunk r:id="r1"/>`, {
        'word/_rels/document.xml.rels': relations(['r1', 'aFChunk', 'a.docx']),
        'word/a.docx': file,
      });
    }

    expect(await textsOf(file, 'a.docx')).toEqual(['level 0', 'level 1', 'level 2', 'level 3']);
  });

  it('reads the other text if an embedded document is damaged or refers to its container', async () => {
    const file = docx(`${paragraph('text')}<w:altChunk r:id="r1"/><w:altChunk r:id="r2"/>`, {
      'word/_rels/document.xml.rels': relations(['r1', 'aFChunk', 'a.docx'], ['r2', 'aFChunk', 'document.xml']),
      'word/a.docx': bytesOf('PK\x03\x04 junk'),
    });

    expect(await textsOf(file, 'a.docx')).toEqual(['text']);
  });

  it('returns content controls and text boxes, and omits hidden text', async () => {
    const box = `<w:r><w:pict><v:textbox><w:txbxContent>${paragraph('box')}</w:txbxContent></v:textbox></w:pict></w:r>`;
    const file = docx(
      `<w:sdt><w:sdtContent>${paragraph('control')}</w:sdtContent></w:sdt><w:p>${box}</w:p>
       <w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>secret</w:t></w:r><w:r><w:t>shown</w:t></w:r></w:p>`,
    );

    expect(await textsOf(file, 'a.docx')).toEqual(['control', 'box', 'shown']);
  });

  it('ranks titles of embedded objects below its own', async () => {
    const heading = (text: string) => paragraph(text, '<w:pPr><w:outlineLvl w:val="0"/></w:pPr>');
    const file = docx(`${heading('outer')}<w:p><w:r><o:OLEObject r:id="r1"/></w:r></w:p>`, {
      'word/_rels/document.xml.rels': relations(['r1', 'package', 'o.docx']),
      'word/o.docx': docx(heading('inner')),
    });

    expect((await read(file, 'a.docx')).map(({ text, level }) => [text, level])).toEqual([
      ['outer', 2],
      ['inner', 12],
    ]);
  });

  it('returns charts as tables, and text of diagrams', async () => {
    const file = docx('<w:p><w:r><c:chart r:id="r1"/></w:r></w:p><w:p><w:r><dgm:relIds r:dm="r2"/></w:r></w:p>', {
      'word/_rels/document.xml.rels': relations(['r1', 'chart', 'c.xml'], ['r2', 'diagramData', 'd.xml']),
      'word/c.xml': CHART,
      'word/d.xml':
        '<dgm:dataModel><dgm:pt><dgm:t><a:p><a:r><a:t>unpack</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:dataModel>',
    });

    expect(await textsOf(file, 'a.docx')).toEqual(['Sales by town', ' | 2025\nOslo | 3\nRome | 4', '- unpack']);
  });
});

const points = (values: (string | number)[]) =>
  values.map((value, index) => `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`).join('');
const CHART = `<c:chartSpace><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Sales </a:t></a:r><a:r><a:t>by town</a:t></a:r></a:p></c:rich></c:tx></c:title>
  <c:plotArea><c:barChart><c:ser><c:tx><c:strRef><c:f>S!$B$1</c:f><c:strCache>${points(['2025'])}</c:strCache></c:strRef></c:tx>
  <c:cat><c:strRef><c:f>S!$A$2</c:f><c:strCache>${points(['Oslo', 'Rome'])}</c:strCache></c:strRef></c:cat>
  <c:val><c:numRef><c:f>S!$B$2</c:f><c:numCache><c:formatCode>0</c:formatCode>${points([3, 4])}</c:numCache></c:numRef></c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>`;

const HIDDEN = '<p:sp><a:p><a:r><a:t>backup</a:t></a:r></a:p></p:sp>';

describe('PowerPoint', () => {
  it('returns the text of diagrams (SmartArt)', async () => {
    const blocks = await read(fixture('smartart.pptx'), 'a.pptx');

    expect(blocks).toEqual([
      { type: 'title', text: 'Quarterly results', level: 1, pageNumber: 1 },
      { type: 'list', text: '- Step one: unpack the walrus', pageNumber: 1 },
    ]);
  });

  it('returns charts, comments of both kinds, hidden slides, and a repeated footer once', async () => {
    const footer = '<p:sp><p:ph type="ftr"/><a:p><a:r><a:t>Confidential</a:t></a:r></a:p></p:sp>';
    const file = zip({
      ...officeParts('pptx'),
      'ppt/presentation.xml':
        '<p:presentation><p:sldIdLst><p:sldId id="1" x:id="r1"/><p:sldId id="2" x:id="r2"/></p:sldIdLst></p:presentation>',
      'ppt/_rels/presentation.xml.rels': relations(['r1', 'slide', 'one.xml'], ['r2', 'slide', 'two.xml']),
      'ppt/one.xml': `<p:sld><p:graphicFrame><c:chart r:id="r1"/></p:graphicFrame>${footer}</p:sld>`,
      'ppt/two.xml': `<p:sld show="0">${footer}${HIDDEN}</p:sld>`,
      'ppt/_rels/one.xml.rels': relations(
        ['r1', 'chart', 'c.xml'],
        ['r2', 'comments', 'm.xml'],
        ['r3', 'comments', 'n.xml'],
      ),
      'ppt/c.xml': CHART,
      'ppt/m.xml': '<p:cmLst><p:cm><p:text>old comment</p:text></p:cm></p:cmLst>',
      'ppt/n.xml':
        '<p188:cmLst><p188:cm><p188:reply><p188:txBody><a:p><a:r><a:t>a reply</a:t></a:r></a:p></p188:txBody></p188:reply></p188:cm></p188:cmLst>',
    });

    expect((await read(file, 'a.pptx')).map(({ pageNumber, text }) => [pageNumber, text])).toEqual([
      [1, 'Slide 1'],
      [1, 'Sales by town'],
      [1, ' | 2025\nOslo | 3\nRome | 4'],
      [1, 'Confidential'],
      [1, 'old comment'],
      [1, 'a reply'],
      [2, 'Slide 2'],
      [2, 'backup'],
    ]);
  });
});
