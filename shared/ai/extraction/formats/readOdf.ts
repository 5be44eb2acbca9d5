/**
 * OpenDocument: text (.odt), spreadsheets (.ods) and presentations (.odp), of LibreOffice and others. Hidden sheets are
 * not read.
 */
import { type Block, type Unread, UnreadableFileError } from '#shared/core/passage.ts';
import { readChart } from './chart.ts';
import { readOdfText } from './odfText.ts';
import { type Archive, passwordProtected } from './openArchive.ts';
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
  const { blocks, objects, unread } = await readOdfText(archive, CONTENT);
  yield* blocks;
  for (const object of objects) {
    const part = `${object.replace(/^\.\//, '').replace(/\/$/, '')}/${CONTENT}`;
    if (!archive.has(part)) yield { unread: 'an embedded object of another program' };
    else if (await isChart(archive, part)) yield* readChart(archive, part);
    else yield* (await readOdfText(archive, part)).blocks;
  }
  yield* unread;
}

/** Yields each distinct text of headers and footers once. */
async function* readMargins(archive: Archive): AsyncGenerator<Block> {
  const seen = new Set<string>();
  for (const block of (await readOdfText(archive, STYLES, 'margins')).blocks) {
    if (!seen.has(block.text)) yield block;
    seen.add(block.text);
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

async function isChart(archive: Archive, part: string): Promise<boolean> {
  let found = false;
  await readXml(archive, part, {
    open(name) {
      if (name === 'plot-area') found = true;
    },
  });
  return found;
}
