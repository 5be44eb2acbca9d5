/** Parts of documents that are reported because they cannot be read. */
import { describe, expect, it } from 'vitest';
import { extract } from '#shared/ai/extraction/extract.ts';
import { UNREAD_PHRASES, type UnreadKind } from '#shared/ai/extraction/formats/unread.ts';
import { pdf, SCAN } from '#test/support/pdf.ts';
import { bytesOf, docx, OCTETS, odf, relations, xlsx } from './files.ts';
import { paragraph, UNREAD_SAMPLES } from './unreadSamples.ts';

const unreadOf = async (file: Uint8Array, key = 'a') => (await extract(file, { contentType: OCTETS, key })).unread;

const OKAPI = paragraph('<w:t>okapi</w:t>');
const object = (id: string) => paragraph(`<w:object><o:OLEObject r:id="${id}"/></w:object>`);

describe('a warning', () => {
  it.each(Object.entries(UNREAD_PHRASES) as [UnreadKind, readonly [string, string]][])(
    'counts parts of a kind: %s',
    async (kind, [one, several]) => {
      const { key, content } = UNREAD_SAMPLES[kind];

      expect(await unreadOf(content(1), key)).toEqual([`Not read: ${one}.`]);
      expect(await unreadOf(content(2), key)).toEqual([`Not read: 2 ${several}.`]);
    },
  );

  it('counts the parts of embedded files with those of the file around them', async () => {
    const { content } = UNREAD_SAMPLES.object;
    const file = docx(object('r1') + object('r2'), {
      'word/_rels/document.xml.rels': relations(['r1', 'oleObject', 'o.bin'], ['r2', 'package', 'o.docx']),
      'word/o.bin': 'x',
      'word/o.docx': content(2),
    });

    expect(await unreadOf(file)).toEqual(['Not read: 3 embedded objects of other programs.']);
  });

  it('names the embedded file whose pages are not read', async () => {
    const file = docx(OKAPI + object('r1'), {
      'word/_rels/document.xml.rels': relations(['r1', 'package', 'o.pdf']),
      'word/o.pdf': pdf([SCAN]),
    });

    expect(await unreadOf(file)).toEqual([expect.stringMatching(/^o\.pdf: Page 1 contains only images\. .*OCR/)]);
  });

  it('names an embedded document that is damaged or too deep', async () => {
    const damaged = docx(OKAPI + object('r1'), {
      'word/_rels/document.xml.rels': relations(['r1', 'package', 'o.docx']),
      'word/o.docx': bytesOf('PK\x03\x04 junk'),
    });
    let deep = docx(OKAPI);
    for (let level = 0; level < 4; level++) {
      deep = docx(`${OKAPI}<w:altChunk r:id="r1"/>`, {
        'word/_rels/document.xml.rels': relations(['r1', 'aFChunk', `${level}.docx`]),
        [`word/${level}.docx`]: deep,
      });
    }

    expect(await unreadOf(damaged)).toEqual([expect.stringMatching(/^Not read: the embedded file o\.docx: [^.]+\.$/)]);
    expect(await unreadOf(deep)).toEqual([
      '3.docx: 2.docx: 1.docx: Not read: the embedded file 0.docx, which is more than 3 files deep.',
    ]);
  });

  it('does not count described pictures, nor any picture beside much text', async () => {
    const picture = paragraph('<w:drawing><wp:docPr descr=""/><a:blip r:embed="r1"/></w:drawing>');
    const text = paragraph(`<w:t>${'words '.repeat(100)}</w:t>`);
    const described = paragraph('<w:drawing><wp:docPr descr="A dog"/><a:blip r:embed="r1"/></w:drawing>');

    expect(await unreadOf(docx(described))).toEqual([]);
    expect(await unreadOf(docx(picture + text))).toEqual([]);
  });

  it('does not count formulas with a result', async () => {
    expect(await unreadOf(xlsx('<sheetData><row><c><f>1+1</f><v>2</v></c></row></sheetData>'))).toEqual([]);
  });

  it('counts hidden sheets and missing objects of OpenDocument', async () => {
    const ods = odf('text', '', {
      'content.xml':
        '<x><style:style style:name="s"><style:table-properties table:display="false"/></style:style><office:spreadsheet><table:table table:style-name="s"/><table:table><table:table-row><table:table-cell><text:p>okapi</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet></x>',
    });
    const odt = odf('text', '<text:p>okapi<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame></text:p>');

    expect(await unreadOf(ods)).toEqual(['Not read: a hidden sheet.']);
    expect(await unreadOf(odt)).toEqual(['Not read: an embedded object of another program.']);
  });

  it('counts objects of RTF', async () => {
    const object = '{\\object\\objemb{\\*\\objdata 0105}}';

    expect(await unreadOf(bytesOf(`{\\rtf1 okapi${object}${object}}`), 'a.rtf')).toEqual([
      'Not read: 2 embedded objects of other programs.',
    ]);
  });
});
