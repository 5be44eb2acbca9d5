/** Files with the text `okapi` and a number of unread parts, for each kind of {@link UNREAD_PHRASES}. */
import type { UnreadKind } from '#shared/ai/extraction/formats/unread.ts';
import { docx, officeParts, relations, xlsx, zip } from './files.ts';

export const paragraph = (content: string) => `<w:p><w:r>${content}</w:r></w:p>`;
const OKAPI = paragraph('<w:t>okapi</w:t>');
const OKAPI_ROWS = '<sheetData><row><c t="str"><v>okapi</v></c></row></sheetData>';

const numbered = (count: number, part: (number: number) => string) =>
  Array.from({ length: count }, (_, index) => part(index + 1)).join('');

interface Sample {
  key: string;
  content(count: number): Uint8Array;
}

export const UNREAD_SAMPLES: Record<UnreadKind, Sample> = {
  sheet: {
    key: 'a.xlsx',
    content: count =>
      zip({
        ...officeParts('xlsx'),
        'xl/workbook.xml': `<workbook><sheets><sheet name="S" r:id="r1"/>${numbered(count, number => `<sheet name="H${number}" state="hidden" r:id="r1"/>`)}</sheets></workbook>`,
        'xl/_rels/workbook.xml.rels': relations(['r1', 'worksheet', 'one.xml']),
        'xl/one.xml': `<worksheet>${OKAPI_ROWS}</worksheet>`,
      }),
  },
  formula: {
    key: 'a.xlsx',
    content: count =>
      xlsx(
        `<sheetData><row><c t="str"><v>okapi</v></c>${numbered(count, () => '<c><f>1+1</f></c>')}</row></sheetData>`,
      ),
  },
  chapter: {
    key: 'a.epub',
    content: count =>
      zip({
        'META-INF/container.xml': '<rootfile full-path="a.opf"/>',
        'META-INF/encryption.xml': `<encryption>${numbered(count, number => `<enc:CipherReference URI="${number}.html"/>`)}</encryption>`,
        'a.opf': `<package>${numbered(count + 1, number => `<item id="c${number}" href="${number}.html"/>`)}${numbered(count + 1, number => `<itemref idref="c${number}"/>`)}</package>`,
        ...Object.fromEntries(
          Array.from({ length: count + 1 }, (_, index) => [`${index + 1}.html`, index < count ? 'x' : '<p>okapi</p>']),
        ),
      }),
  },
  picture: {
    key: 'a.docx',
    content: count =>
      docx(
        OKAPI + numbered(count, () => paragraph('<w:drawing><wp:docPr descr=""/><a:blip r:embed="r1"/></w:drawing>')),
      ),
  },
  object: {
    key: 'a.docx',
    content: count =>
      docx(OKAPI + numbered(count, () => paragraph('<w:object><o:OLEObject r:id="r1"/></w:object>')), {
        'word/_rels/document.xml.rels': relations(['r1', 'oleObject', 'o.bin']),
        'word/o.bin': 'x',
      }),
  },
  xml: {
    key: 'a.docx',
    content: count =>
      docx(OKAPI + numbered(count, () => '<w:altChunk r:id="r1"/>'), {
        '[Content_Types].xml': officeParts('docx')['[Content_Types].xml']!.replace(
          '<Types>',
          '<Types><Default Extension="xml" ContentType="application/xml"/>',
        ),
        'word/_rels/document.xml.rels': relations(['r1', 'aFChunk', 'chunk.xml']),
        'word/chunk.xml': '<x/>',
      }),
  },
};
