/** Parts of documents that are reported because they cannot be read. */
import { describe, expect, it } from 'vitest';
import { embeddedReader } from '#shared/ai/extraction/formats/readEmbedded.ts';
import { readOffice } from '#shared/ai/extraction/formats/readOffice.ts';
import { bytesOf, docx, OCTETS, odf, officeParts, relations, xlsx, zip } from './files.ts';

async function unreadOf(file: Uint8Array): Promise<string[]> {
  const unread: string[] = [];
  const readEmbedded = embeddedReader((bytes, facts, inner) => readOffice(bytes, facts, inner));
  for await (const block of readOffice(file, { contentType: OCTETS, key: 'a' }, readEmbedded)) {
    if ('unread' in block) unread.push(block.unread);
  }
  return unread;
}

const paragraph = (content: string) => `<w:p><w:r>${content}</w:r></w:p>`;
const object = (id: string) => paragraph(`<w:object><o:OLEObject r:id="${id}"/></w:object>`);

describe('a warning', () => {
  it('counts embedded objects of other programs, and embedded documents are read', async () => {
    const file = docx(object('r1') + object('r1') + object('r2'), {
      'word/_rels/document.xml.rels': relations(['r1', 'oleObject', 'o.bin'], ['r2', 'package', 'o.docx']),
      'word/o.bin': bytesOf('x'),
      'word/o.docx': docx(paragraph('<w:t>inner</w:t>')),
    });

    expect(await unreadOf(file)).toEqual(['2 embedded objects of other programs']);
  });

  it('names an embedded document that is damaged or too deep', async () => {
    const damaged = docx(object('r1'), {
      'word/_rels/document.xml.rels': relations(['r1', 'package', 'o.docx']),
      'word/o.docx': bytesOf('PK junk'),
    });
    let deep = docx('');
    for (let level = 0; level < 4; level++) {
      deep = docx('<w:altChunk r:id="r1"/>', {
        'word/_rels/document.xml.rels': relations(['r1', 'aFChunk', `${level}.docx`]),
        [`word/${level}.docx`]: deep,
      });
    }

    expect(await unreadOf(damaged)).toEqual([expect.stringMatching(/^the embedded file o\.docx: /)]);
    expect(await unreadOf(deep)).toEqual(['the embedded file 0.docx, which is more than 3 files deep']);
  });

  it('counts pictures without a description only in a document with hardly any text', async () => {
    const picture = paragraph('<w:drawing><wp:docPr descr=""/><a:blip r:embed="r1"/></w:drawing>');
    const text = paragraph(`<w:t>${'words '.repeat(100)}</w:t>`);
    const described = paragraph('<w:drawing><wp:docPr descr="A dog"/><a:blip r:embed="r1"/></w:drawing>');

    expect(await unreadOf(docx(picture + picture))).toEqual(['2 pictures without a description']);
    expect(await unreadOf(docx(described))).toEqual([]);
    expect(await unreadOf(docx(picture + text))).toEqual([]);
  });

  it('counts hidden sheets, and formulas that were saved without a result', async () => {
    const hidden = zip({
      ...officeParts('xlsx'),
      'xl/workbook.xml':
        '<workbook><sheets><sheet name="A" state="hidden" r:id="r1"/><sheet name="B" state="veryHidden" r:id="r1"/></sheets></workbook>',
      'xl/_rels/workbook.xml.rels': relations(['r1', 'worksheet', 'a.xml']),
      'xl/a.xml': '<worksheet/>',
    });
    const formulas = xlsx('<sheetData><row><c><f>1+1</f></c><c><f>1+1</f><v>2</v></c></row></sheetData>');
    const ods = odf('text', '', {
      'content.xml':
        '<x><style:style style:name="s"><style:table-properties table:display="false"/></style:style><office:spreadsheet><table:table table:style-name="s"/></office:spreadsheet></x>',
    });

    expect(await unreadOf(hidden)).toEqual(['2 hidden sheets']);
    expect(await unreadOf(formulas)).toEqual(['a formula that was saved without a result']);
    expect(await unreadOf(ods)).toEqual(['a hidden sheet']);
  });

  it('counts encrypted chapters of a book', async () => {
    const file = zip({
      'META-INF/container.xml': '<rootfile full-path="a.opf"/>',
      'META-INF/encryption.xml': '<enc:CipherReference URI="a.html"/>',
      'a.opf':
        '<package><item id="a" href="a.html"/><item id="b" href="b.html"/><itemref idref="a"/><itemref idref="b"/></package>',
      'a.html': 'junk',
      'b.html': '<p>text</p>',
    });

    expect(await unreadOf(file)).toEqual(['a chapter that is protected against copying']);
  });
});
