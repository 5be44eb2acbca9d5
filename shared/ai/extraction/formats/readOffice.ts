/** Office Open XML. The archive's table of contents contains the name and type of the main part. */

import type { Block } from '#shared/core/passage.ts';
import { type FileFacts, unsupported } from './detectFormat.ts';
import { readDocx } from './docx.ts';
import { type Archive, openArchive } from './openArchive.ts';
import { readPptx } from './pptx.ts';
import { readXlsx } from './xlsx.ts';
import { readXml } from './xml.ts';

const CONTENTS = '[Content_Types].xml';

/** Patterns for the type of the main part. Templates and files with macros have other types. */
const READERS: [RegExp, (archive: Archive, mainPart: string) => AsyncIterable<Block>][] = [
  [/word.*main\+xml$/i, readDocx],
  [/(spreadsheetml|excel).*main\+xml$/i, readXlsx],
  [/(presentationml|powerpoint).*main\+xml$/i, readPptx],
];

export async function* readOffice(bytes: Uint8Array, { contentType }: FileFacts): AsyncGenerator<Block> {
  const archive = await openArchive(bytes);
  if (!archive.has(CONTENTS)) throw unsupported(contentType.startsWith('text/') ? 'application/zip' : contentType);
  const parts: { type: string; name: string }[] = [];
  await readXml(archive, CONTENTS, {
    open(name, { PartName = '', ContentType = '' }) {
      if (name === 'Override') parts.push({ type: ContentType, name: PartName.replace(/^\//, '') });
    },
  });
  for (const [type, read] of READERS) {
    const main = parts.find(part => type.test(part.type));
    if (main) return yield* read(archive, main.name);
  }
  throw unsupported(contentType);
}
