/** Media types of the parts of an Office archive: of each part, or of all parts with an extension. */
import { extname } from 'node:path';
import type { Archive } from './openArchive.ts';
import { readXml } from './xml.ts';

export const CONTENTS = '[Content_Types].xml';

export interface ContentTypes {
  /** Types of single parts, by name without the leading `/`. */
  parts: Map<string, string>;
  typeOf(part: string): string;
}

export async function readContentTypes(archive: Archive): Promise<ContentTypes> {
  const parts = new Map<string, string>();
  const extensions = new Map<string, string>();
  await readXml(archive, CONTENTS, {
    open(name, { PartName = '', Extension = '', ContentType = '' }) {
      if (name === 'Override') parts.set(PartName.replace(/^\//, ''), ContentType);
      else if (name === 'Default') extensions.set(Extension.toLowerCase(), ContentType);
    },
  });
  return {
    parts,
    typeOf: part => parts.get(part) ?? extensions.get(extname(part).slice(1).toLowerCase()) ?? '',
  };
}
