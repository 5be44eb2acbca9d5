/** Writes PDF files of text in Helvetica, a font that every reader has. */
import { deflateSync } from 'node:zlib';

/** A line of a page. */
export interface PdfLine {
  text: string;
  size?: number;
  /** Distance from the previous line, in font sizes. */
  gap?: number;
}

const HEIGHT = 842;
const MARGIN = { left: 50, top: 60 };
/** Objects 1 to 4 are the catalog, the list of pages, the font and the image. */
const FIRST_PAGE = 5;

/** A page without text that an image covers. */
export const SCAN = 'scan';

export function pdf(pages: readonly (PdfLine[] | typeof SCAN)[]): Uint8Array {
  const numbers = pages.map((_, index) => FIRST_PAGE + 2 * index);
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Count ${pages.length} /Kids [${numbers.map(number => `${number} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    '<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray /BitsPerComponent 8 /Length 1 >>\nstream\nx\nendstream',
    ...pages.flatMap((page, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 ${HEIGHT}] /Resources << /Font << /F 3 0 R >> /XObject << /I 4 0 R >> >> /Contents ${numbers[index]! + 1} 0 R >>`,
      compressedStream(page === SCAN ? `q 595 0 0 ${HEIGHT} 0 0 cm /I Do Q` : linesOf(page)),
    ]),
  ];
  return assembled(objects);
}

function linesOf(lines: PdfLine[]): string {
  let y = HEIGHT - MARGIN.top;
  const shown = lines.map(({ text, size = 11, gap = 1.3 }) => {
    y -= gap * size;
    return `BT /F ${size} Tf ${MARGIN.left} ${y.toFixed(2)} Td (${text.replace(/[\\()]/g, '\\$&')}) Tj ET`;
  });
  return shown.join('\n');
}

function compressedStream(content: string): string {
  const bytes = deflateSync(Buffer.from(content, 'latin1'));
  return `<< /Length ${bytes.length} /Filter /FlateDecode >>\nstream\n${bytes.toString('latin1')}\nendstream`;
}

/** The objects with their offsets, as characters of one byte. */
function assembled(objects: string[]): Uint8Array {
  const parts = ['%PDF-1.7\n'];
  const offsets: number[] = [];
  let length = parts[0]!.length;
  for (const [index, object] of objects.entries()) {
    const part = `${index + 1} 0 obj\n${object}\nendobj\n`;
    offsets.push(length);
    length += part.length;
    parts.push(part);
  }
  const size = objects.length + 1;
  const table = offsets.map(offset => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  parts.push(`xref\n0 ${size}\n0000000000 65535 f \n${table}`);
  parts.push(`trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${length}\n%%EOF\n`);
  return Uint8Array.from(Buffer.from(parts.join(''), 'latin1'));
}
