/**
 * Documents in ZIP archives: Office Open XML, OpenDocument and EPUB. A relation of the archive names the main part of
 * an Office file, and the content types its kind.
 */

import { type Block, UnreadableFileError } from '#shared/core/passage.ts';
import { CONTENTS, readContentTypes } from './contentTypes.ts';
import { type FileFacts, unsupported } from './detectFormat.ts';
import type { EmbeddingContext } from './officeParts.ts';
import { type Archive, openArchive, readWhole } from './openArchive.ts';
import type { ReadEmbedded } from './readEmbedded.ts';
import type { Unread } from './unread.ts';
import { readRelations } from './xml.ts';

/** Content types that do not name the archive. */
const UNNAMED = /^$|octet-stream|^text\//;

type Reader = (archive: Archive, mainPart: string, context: EmbeddingContext) => AsyncIterable<Block | Unread>;

/** Patterns for the type of the main part. Templates, files with macros and strict files have other types. */
const KINDS: { type: RegExp; folder: RegExp; load: () => Promise<Reader> }[] = [
  { type: /word.*main\+xml$/i, folder: /^word\//i, load: async () => (await import('./docx.ts')).readDocx },
  {
    type: /(spreadsheetml|excel).*main\+xml$/i,
    folder: /^xl\//i,
    load: async () => (await import('./xlsx.ts')).readXlsx,
  },
  {
    type: /(presentationml|powerpoint).*main\+xml$/i,
    folder: /^ppt\//i,
    load: async () => (await import('./pptx.ts')).readPptx,
  },
];
const BINARY_WORKBOOK = /binary\.macroEnabled\.main$/i;

export async function* readOffice(
  bytes: Uint8Array,
  { contentType }: FileFacts,
  readEmbedded: ReadEmbedded,
): AsyncGenerator<Block | Unread> {
  const archive = await openArchive(bytes);
  if (archive.has(CONTENTS)) return yield* readOpenXml(archive, readEmbedded);
  const mediaType = archive.has('mimetype') ? (await readWhole(archive, 'mimetype')).toString('latin1').trim() : '';
  if (mediaType.startsWith('application/vnd.oasis.opendocument.')) {
    const { readOdf } = await import('./readOdf.ts');
    return yield* readOdf(archive, mediaType);
  }
  if (archive.has('META-INF/container.xml')) {
    const { readEpub } = await import('./readEpub.ts');
    return yield* readEpub(archive);
  }
  // A content type that names a supported format would contradict the message.
  const isNamedDocument = /officedocument|opendocument|epub|msword|ms-excel|ms-powerpoint/.test(contentType);
  if (isNamedDocument) throw new UnreadableFileError('The file is damaged: its archive contains no document.');
  throw unsupported(UNNAMED.test(contentType) ? 'application/zip' : contentType);
}

async function* readOpenXml(archive: Archive, readEmbedded: ReadEmbedded): AsyncGenerator<Block | Unread> {
  const { parts, typeOf } = await readContentTypes(archive);
  const relations = await readRelations(archive, '');
  const related = [...relations.values()].find(({ type, part }) => type === 'officeDocument' && archive.has(part));
  const context = { readEmbedded, typeOf };
  const candidates = [...(related ? [related.part] : []), ...parts.keys()];
  for (const part of candidates) {
    const kind = KINDS.find(({ type }) => type.test(typeOf(part)));
    if (kind) return yield* (await kind.load())(archive, part, context);
    if (BINARY_WORKBOOK.test(typeOf(part))) throw unsupported('.xlsb');
  }
  const kind = related && KINDS.find(({ folder }) => folder.test(related.part));
  if (kind) return yield* (await kind.load())(archive, related.part, context);
  throw new UnreadableFileError(
    'The file is an Office archive without a document, workbook or slides. Save it as .docx, .xlsx or .pptx.',
  );
}
