/** PowerPoint: each slide is a page with title, content and speaker notes. */

import type { Block } from '#shared/core/passage.ts';
import { readOfficeText } from './officeText.ts';
import type { Archive } from './openArchive.ts';
import { attribute, readRelations, readXml } from './xml.ts';

/** Placeholders that repeat on every slide. */
const REPEATED = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg']);
const TITLES = new Set(['title', 'ctrTitle']);

export async function* readPptx(archive: Archive, mainPart: string): AsyncGenerator<Block> {
  const relations = await readRelations(archive, mainPart);
  const slides: string[] = [];
  await readXml(archive, mainPart, {
    open(name, attributes) {
      // The prefixed `id` names the relation; the plain one is a number.
      const relation =
        name === 'sldId' ? relations.get(attributes['r:id'] ?? attribute(attributes, 'id') ?? '') : undefined;
      if (relation && archive.has(relation.part)) slides.push(relation.part);
    },
  });
  for (const [index, slide] of slides.entries()) {
    const pageNumber = index + 1;
    const pieces = await readOfficeText(archive, slide, 'cNvPr');
    const isTitle = (piece: (typeof pieces)[number]) =>
      piece.kind === 'paragraph' && piece.placeholder !== undefined && TITLES.has(piece.placeholder);
    const title = pieces
      .filter(isTitle)
      .map(piece => piece.text)
      .join(' ')
      .trim();
    // Without a title, a slide would belong to the previous slide's title.
    yield { type: 'title', text: title || `Slide ${pageNumber}`, level: 1, pageNumber };
    const relation = [...(await readRelations(archive, slide)).values()].find(each => each.type === 'notesSlide');
    const notes = relation && archive.has(relation.part) ? await readOfficeText(archive, relation.part, 'cNvPr') : [];
    for (const piece of [...pieces, ...notes]) {
      if (isTitle(piece) || (piece.kind === 'paragraph' && REPEATED.has(piece.placeholder ?? ''))) continue;
      yield { type: piece.kind, text: piece.text, pageNumber };
    }
  }
}
