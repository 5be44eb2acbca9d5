import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, deflateRawSync } from 'node:zlib';

export const bytesOf = (text: string) => new TextEncoder().encode(text);

/** A constant date keeps archives identical from run to run: 1 January 2026, in the format of MS-DOS. */
const DATE = ((2026 - 1980) << 9) | (1 << 5) | 1;

/**
 * Creates a ZIP archive with Node's compression, which is ten times as fast as JavaScript libraries.
 * @param parts by name; text or bytes
 */
export function zip(parts: Record<string, string | Uint8Array>): Uint8Array {
  const entries: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, part] of Object.entries(parts)) {
    const content = Buffer.from(part);
    const packed = deflateRawSync(content);
    const nameBytes = Buffer.from(name);
    // Version 2.0, names in UTF-8, deflated.
    const facts = Buffer.concat([
      uint16(20, 0x800, 8, 0, DATE),
      uint32(crc32(content), packed.length, content.length),
      uint16(nameBytes.length, 0),
    ]);
    const entry = Buffer.concat([Buffer.from('PK\x03\x04'), facts, nameBytes, packed]);
    directory.push(
      Buffer.concat([Buffer.from('PK\x01\x02'), uint16(20), facts, uint16(0, 0, 0), uint32(0, offset), nameBytes]),
    );
    entries.push(entry);
    offset += entry.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  const end = [uint16(0, 0, entries.length, entries.length), uint32(size, offset), uint16(0)];
  return Buffer.concat([...entries, ...directory, Buffer.from('PK\x05\x06'), ...end]);
}

const uint16 = (...values: number[]) => Buffer.from(Uint16Array.from(values).buffer);
const uint32 = (...values: number[]) => Buffer.from(Uint32Array.from(values).buffer);

const MAIN_PARTS = {
  docx: ['word/document.xml', 'wordprocessingml.document'],
  xlsx: ['xl/workbook.xml', 'spreadsheetml.sheet'],
  pptx: ['ppt/presentation.xml', 'presentationml.presentation'],
} as const;

/** Returns the parts of every Office file. */
export function officeParts(kind: keyof typeof MAIN_PARTS): Record<string, string> {
  const [part, type] = MAIN_PARTS[kind];
  return {
    '[Content_Types].xml': `<Types><Override PartName="/${part}" ContentType="application/vnd.openxmlformats-officedocument.${type}.main+xml"/></Types>`,
  };
}

/** @param body content of `w:body` */
export const docx = (body: string, parts: Record<string, string | Uint8Array> = {}) =>
  zip({
    ...officeParts('docx'),
    'word/document.xml': `<?xml version="1.0"?><w:document xmlns:w="w"><w:body>${body}</w:body></w:document>`,
    ...parts,
  });

export const relations = (...targets: [id: string, type: string, target: string][]) =>
  `<Relationships>${targets.map(([id, type, target]) => `<Relationship Id="${id}" Type="http://schemas/${type}" Target="${target}"/>`).join('')}</Relationships>`;

export const OCTETS = 'application/octet-stream';

/** Part of every Office file that names the main part. */
export const packageRelations = (mainPart: string) => relations(['r1', 'officeDocument', mainPart]);

/** @param body content of `office:body` */
export const odf = (kind: 'text' | 'spreadsheet' | 'presentation', body: string, parts: Record<string, string> = {}) =>
  zip({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'content.xml': `<?xml version="1.0"?><office:document-content><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    ...parts,
  });

/** @param sheet content of `worksheet`. @param parts further parts, relative to `xl` */
export const xlsx = (sheet: string, parts: Record<string, string | Uint8Array> = {}) =>
  zip({
    ...officeParts('xlsx'),
    'xl/workbook.xml': '<workbook><sheets><sheet name="S" r:id="r1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels': relations(['r1', 'worksheet', 'one.xml'], ['r2', 'styles', 'styles.xml']),
    'xl/one.xml': `<worksheet>${sheet}</worksheet>`,
    ...Object.fromEntries(Object.entries(parts).map(([name, part]) => [`xl/${name}`, part])),
  });

type Value = string | number | undefined;
/** Returns `sheetData`. An empty row is a gap. */
export const sheetData = (...rows: Value[][]) =>
  `<sheetData>${rows
    .map((values, row) =>
      values.length === 0
        ? ''
        : `<row r="${row + 1}">${values.map((value, column) => cellOf(value, column, row)).join('')}</row>`,
    )
    .join('')}</sheetData>`;

const cellOf = (value: Value, column: number, row: number) => {
  const reference = `${String.fromCharCode(65 + column)}${row + 1}`;
  if (value === undefined) return '';
  if (typeof value === 'number') return `<c r="${reference}"><v>${value}</v></c>`;
  return `<c r="${reference}" t="inlineStr"><is><t>${value}</t></is></c>`;
};

/** Reads a generated file of test/fixtures/office. */
export const fixture = (name: string) => readFileSync(join(import.meta.dirname, '../../../fixtures/office', name));
