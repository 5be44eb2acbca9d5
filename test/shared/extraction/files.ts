/** Builders of files for the tests of extraction. */
import { strToU8, type Zippable, zipSync } from 'fflate';
import { PDFDocument, StandardFonts } from 'pdf-lib';

export const bytesOf = (text: string) => new TextEncoder().encode(text);

/** A constant time keeps archives identical from run to run. */
const MTIME = '2026-01-01T00:00:00Z';
/** @param parts by name; text or bytes */
export const zip = (parts: Record<string, string | Uint8Array>, level: 0 | 6 = 6) =>
  zipSync(
    Object.fromEntries(
      Object.entries(parts).map(([name, part]) => [name, typeof part === 'string' ? strToU8(part) : part]),
    ) as Zippable,
    { level, mtime: MTIME },
  );

const MAIN_PARTS = {
  docx: ['word/document.xml', 'wordprocessingml.document'],
  xlsx: ['xl/workbook.xml', 'spreadsheetml.sheet'],
  pptx: ['ppt/presentation.xml', 'presentationml.presentation'],
} as const;

/** The parts that every Office file has. */
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

/** A line of a PDF page. */
export interface PdfLine {
  text: string;
  size?: number;
  /** Distance from the previous line, in font sizes. */
  gap?: number;
}

export async function pdf(pages: PdfLine[][]): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (const lines of pages) {
    const page = document.addPage();
    let y = page.getHeight() - 60;
    for (const { text, size = 11, gap = 1.3 } of lines) {
      y -= gap * size;
      page.drawText(text, { x: 50, y, size, font });
    }
  }
  return document.save();
}

export const OCTETS = 'application/octet-stream';
