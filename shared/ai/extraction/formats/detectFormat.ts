/** Detects a file's format by its first bytes, its content type or the extension of its key, in this order. */

import { extname } from 'node:path';
import { startOf } from '#shared/core/excerpt.ts';
import { UnreadableFileError } from '#shared/core/passage.ts';
import { looksLikeText } from './decodeText.ts';

export interface FileFacts {
  contentType: string;
  key: string;
}

/** `Office` is any document in a ZIP archive: Office Open XML, OpenDocument or EPUB. */
export type Format =
  | 'PDF'
  | 'Office'
  | 'RTF'
  | 'email'
  | 'HTML'
  | 'Markdown'
  | 'CSV'
  | 'JSON'
  | 'notebook'
  | 'code'
  | 'text';

const SUPPORTED =
  'PDF, HTML, Markdown, plain text, CSV, JSON, Word (.docx), Excel (.xlsx), PowerPoint (.pptx), OpenDocument (.odt, .ods, .odp), RTF, EPUB and email (.eml) can be indexed.';

const PDF_HEADER = Buffer.from('%PDF-');
/** PDF readers tolerate this much before the header. */
const PDF_HEADER_WITHIN_BYTES = 1024;
const ZIP_HEADERS = [Buffer.from('PK\x03\x04'), Buffer.from('PK\x05\x06')];
/** Compound file: Office before 2007, or a password-protected Office file. */
const COMPOUND_HEADER = Buffer.from('d0cf11e0a1b11ae1', 'hex');
const ENCRYPTED_PACKAGE = Buffer.from('EncryptedPackage', 'utf16le');
const RTF_HEADER = Buffer.from('{\\rtf');

const BY_CONTENT_TYPE: Record<string, Format> = {
  'text/html': 'HTML',
  'application/xhtml+xml': 'HTML',
  'text/markdown': 'Markdown',
  'text/x-markdown': 'Markdown',
  'text/csv': 'CSV',
  'text/tab-separated-values': 'CSV',
  'application/json': 'JSON',
  'application/ld+json': 'JSON',
  'application/jsonl': 'JSON',
  'application/x-ndjson': 'JSON',
  'application/x-ipynb+json': 'notebook',
  'message/rfc822': 'email',
  'application/x-mimearchive': 'email',
};

const EXTENSIONS: Record<Exclude<Format, 'PDF' | 'Office' | 'RTF'>, string> = {
  HTML: 'html htm xhtml',
  Markdown: 'md markdown mdx',
  CSV: 'csv tsv',
  JSON: 'json jsonl ndjson geojson webmanifest',
  notebook: 'ipynb',
  code: 'c cc cpp cs css dart go gradle h hpp java js jsx kt less lua m mjs cjs php pl ps1 py r rb rs scala scss sh sql swift ts tsx vue yaml yml toml ini xml',
  email: 'eml mht mhtml',
  text: 'txt log text rst adoc tex srt vtt',
};
const BY_EXTENSION = new Map(
  Object.entries(EXTENSIONS).flatMap(([format, names]) => names.split(' ').map(name => [name, format as Format])),
);

const TEXTUAL = /^(text\/.*|application\/(xml|yaml|x-yaml|toml|sql|javascript|typescript|x-sh|.*\+xml|.*\+yaml))$/;

/** @throws {UnreadableFileError} for a format without a reader */
export function detectFormat(bytes: Uint8Array, { contentType, key }: FileFacts): Format {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const startsWith = (header: Buffer) => buffer.subarray(0, header.length).equals(header);
  const type = contentType.split(';')[0]!.trim().toLowerCase();
  const extension = extname(key).slice(1).toLowerCase();

  if (ZIP_HEADERS.some(startsWith)) return 'Office';
  if (startsWith(COMPOUND_HEADER)) throw legacyOffice(buffer);
  if (startsWith(RTF_HEADER)) return 'RTF';
  const isTextByName = type in BY_CONTENT_TYPE || type === 'text/plain' || BY_EXTENSION.has(extension);
  // In a text, which may quote a PDF header, only the first bytes count.
  const pdfAt = buffer.subarray(0, PDF_HEADER_WITHIN_BYTES).indexOf(PDF_HEADER);
  if (pdfAt === 0 || (pdfAt > 0 && !isTextByName)) return 'PDF';
  if (type === 'application/pdf')
    throw new UnreadableFileError('The file is damaged or not a PDF: it has no PDF header.');

  const byType = Object.hasOwn(BY_CONTENT_TYPE, type) ? BY_CONTENT_TYPE[type]! : undefined;
  // Clients declare unknown types as text.
  if (type === 'text/plain' && BY_EXTENSION.get(extension) === 'email') return 'email';
  // Its content type is JSON or unknown.
  if (BY_EXTENSION.get(extension) === 'notebook' && (byType ?? 'JSON') === 'JSON') return 'notebook';
  if (byType) return byType;
  if (type.endsWith('+json')) return 'JSON';
  const byExtension = BY_EXTENSION.get(extension);
  if (byExtension) return byExtension;
  if (TEXTUAL.test(type)) return 'text';
  const isUnnamed = type === '' || type === 'application/octet-stream' || type === 'binary/octet-stream';
  if (isUnnamed && looksLikeText(bytes)) return 'text';
  throw unsupported(isUnnamed && extension ? `.${extension}` : type || 'unknown');
}

export const unsupported = (type: string) =>
  new UnreadableFileError(`Files of type ${startOf(type, 100)} cannot be indexed. ${SUPPORTED}`);

function legacyOffice(buffer: Buffer): UnreadableFileError {
  if (buffer.includes(ENCRYPTED_PACKAGE)) {
    return new UnreadableFileError('The file is password-protected. Remove the password and upload it again.');
  }
  return new UnreadableFileError(
    `Office files from before 2007 (.doc, .xls, .ppt) and Outlook messages (.msg) cannot be indexed. Save the file in the newer format. ${SUPPORTED}`,
  );
}
