/**
 * OpenDocument: text (.odt), spreadsheets (.ods) and presentations (.odp), of LibreOffice and others. Hidden sheets are
 * not read.
 */

import { type Block, UnreadableFileError } from '#shared/core/passage.ts';
import { type OdfObject, readOdfText } from './odfText.ts';
import { type Archive, passwordProtected } from './openArchive.ts';
import { type Unread, unreadParts } from './unread.ts';
import { readXml } from './xml.ts';

const CONTENT = 'content.xml';
const STYLES = 'styles.xml';
const MANIFEST = 'META-INF/manifest.xml';

/** @param mediaType of the archive, such as `application/vnd.oasis.opendocument.text` */
export async function* readOdf(archive: Archive, mediaType: string): AsyncGenerator<Block | Unread> {
  if (await isEncrypted(archive)) throw passwordProtected();
  if (!archive.has(CONTENT)) throw new UnreadableFileError('The file is damaged: content.xml is missing.');
  // Masters of presentations contain only prompts.
  if (!mediaType.includes('presentation') && archive.has(STYLES)) yield* readMargins(archive);
  const { pieces, hiddenSheets } = await readOdfText(archive, CONTENT);
  for (const piece of pieces) {
    if (!('object' in piece)) yield piece;
    else yield* readObject(archive, piece);
  }
  yield unreadParts('sheet', hiddenSheets);
}

/** Yields a chart or formula: the text of its own content. */
async function* readObject(archive: Archive, { object, pageNumber }: OdfObject): AsyncGenerator<Block | Unread> {
  const part = `${object.replace(/^\.\//, '').replace(/\/$/, '')}/${CONTENT}`;
  if (!archive.has(part)) return yield unreadParts('object');
  for (const piece of (await readOdfText(archive, part)).pieces) {
    if (!('object' in piece)) yield { ...piece, ...(pageNumber && { pageNumber }) };
  }
}

/** Yields each distinct text of headers and footers once. */
async function* readMargins(archive: Archive): AsyncGenerator<Block> {
  const seen = new Set<string>();
  for (const piece of (await readOdfText(archive, STYLES, 'margins')).pieces) {
    if ('object' in piece || seen.has(piece.text)) continue;
    seen.add(piece.text);
    yield piece;
  }
}

async function isEncrypted(archive: Archive): Promise<boolean> {
  let found = false;
  if (!archive.has(MANIFEST)) return false;
  await readXml(archive, MANIFEST, {
    open(name) {
      if (name === 'encryption-data') found = true;
    },
  });
  return found;
}
