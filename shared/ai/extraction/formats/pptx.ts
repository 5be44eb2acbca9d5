/** PowerPoint: each slide is a page with title, content, speaker notes and comments. Hidden slides are included. */

import type { Block } from '#shared/core/passage.ts';
import { type EmbeddingContext, readReference, unreadPictures } from './officeParts.ts';
import { type OfficeParagraph, type OfficePiece, readOfficeText } from './officeText.ts';
import type { Archive } from './openArchive.ts';
import type { Unread } from './unread.ts';
import { readRelations, readXml, relationId } from './xml.ts';

/** Placeholders that repeat on every slide. */
const REPEATED = new Set(['sldNum', 'dt', 'ftr', 'hdr', 'sldImg']);
const TITLES = new Set(['title', 'ctrTitle']);

export async function* readPptx(
  archive: Archive,
  mainPart: string,
  context: EmbeddingContext,
): AsyncGenerator<Block | Unread> {
  const slides: OfficePiece[][] = [];
  const footers = new Set<string>();
  for (const [index, slide] of (await listSlides(archive, mainPart)).entries()) {
    const pageNumber = index + 1;
    const pieces = await readOfficeText(archive, slide, 'cNvPr');
    slides.push(pieces);
    const title = pieces
      .flatMap(piece => (piece.kind === 'paragraph' && isTitle(piece) ? [piece.text] : []))
      .join(' ')
      .trim();
    // Without a title, a slide would belong to the previous slide's title.
    yield { type: 'title', text: title || `Slide ${pageNumber}`, level: 1, pageNumber };
    const relations = await readRelations(archive, slide);
    for (const piece of pieces) {
      if (piece.kind === 'reference') {
        for await (const block of readReference(archive, piece, relations, context)) yield onPage(block, pageNumber);
      } else if (isContent(piece, footers)) yield { type: piece.kind, text: piece.text, pageNumber };
    }
    const related = [...relations.values()].filter(({ part }) => archive.has(part));
    for (const { part, type } of related) {
      if (type === 'notesSlide') {
        for (const piece of await readOfficeText(archive, part, 'cNvPr')) {
          if (piece.kind !== 'reference' && isContent(piece)) yield { type: piece.kind, text: piece.text, pageNumber };
        }
      } else if (type === 'comments') {
        for (const text of await readComments(archive, part)) yield { type: 'paragraph', text, pageNumber };
      }
    }
  }
  yield* unreadPictures(slides.flat());
}

async function listSlides(archive: Archive, mainPart: string): Promise<string[]> {
  const relations = await readRelations(archive, mainPart);
  const slides: string[] = [];
  await readXml(archive, mainPart, {
    open(name, attributes) {
      const relation = name === 'sldId' ? relations.get(relationId(attributes)) : undefined;
      if (relation && archive.has(relation.part)) slides.push(relation.part);
    },
  });
  return slides;
}

const onPage = (block: Block | Unread, pageNumber: number) => ('unread' in block ? block : { ...block, pageNumber });

const isTitle = ({ placeholder }: OfficeParagraph) => placeholder !== undefined && TITLES.has(placeholder);

type Content = Exclude<OfficePiece, { kind: 'reference' | 'picture' }>;
/** @param footers distinct footers so far: each is content once */
function isContent(piece: OfficePiece, footers?: Set<string>): piece is Content {
  if (piece.kind === 'reference' || piece.kind === 'picture') return false;
  if (piece.kind !== 'paragraph') return true;
  if (isTitle(piece)) return false;
  if (!REPEATED.has(piece.placeholder ?? '')) return true;
  if (piece.placeholder !== 'ftr' || !footers || footers.has(piece.text)) return false;
  footers.add(piece.text);
  return true;
}

/** Comments are `text` in older files, and paragraphs in newer ones. */
async function readComments(archive: Archive, part: string): Promise<string[]> {
  const comments: string[] = [];
  let isText = false;
  await readXml(archive, part, {
    open(name) {
      isText = name === 'text' || name === 't';
      if (name === 'text' || name === 'p') comments.push('');
    },
    close(name) {
      if (name === 'text' || name === 't') isText = false;
    },
    text(chunk) {
      if (isText) comments[comments.length - 1] += chunk;
    },
  });
  return comments;
}
