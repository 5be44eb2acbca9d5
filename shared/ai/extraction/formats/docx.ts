/**
 * Word: headings are paragraphs whose style has an outline level. Page numbers are unknown, because layout happens on
 * output.
 */

import type { Block } from '#shared/core/passage.ts';
import { type EmbeddingContext, readReference, unreadPictures } from './officeParts.ts';
import { type OfficeParagraph, type OfficePiece, type OfficeReference, readOfficeText } from './officeText.ts';
import type { Archive } from './openArchive.ts';
import type { Unread } from './unread.ts';
import { attribute, readRelations, readXml } from './xml.ts';

interface Style {
  name: string;
  basedOn?: string;
  outlineLevel?: number;
}

/** The document's title ranks above its highest headings. */
const TITLE_LEVEL = 1;
const SUBTITLE_LEVEL = 10;
const BODY_TEXT = 9;
/** Inheritance of styles may be cyclic. */
const CHAIN_LIMIT = 10;

/** Notes and comments by kind, then by id. */
type Notes = Map<OfficeReference['to'], Map<string, OfficePiece[]>>;
const NOTE_PARTS = { footnote: 'footnotes', endnote: 'endnotes', comment: 'comments' } as const;

/** Yields headers and footers first, and notes and comments after the paragraph that refers to them. */
export async function* readDocx(
  archive: Archive,
  mainPart: string,
  context: EmbeddingContext,
): AsyncGenerator<Block | Unread> {
  const relations = await readRelations(archive, mainPart);
  const partsOf = (type: string) =>
    [...relations.values()].filter(each => each.type === type && archive.has(each.part)).map(({ part }) => part);
  const [stylesPart] = partsOf('styles');
  const styles = stylesPart ? await readStyles(archive, stylesPart) : new Map<string, Style>();
  const notes = await readNotes(archive, partsOf);

  yield* readMargins(archive, [...partsOf('header'), ...partsOf('footer')]);
  const pieces = await readOfficeText(archive, mainPart, 'docPr');
  let items: string[] = [];
  /** Notes of list items, which follow the list. */
  let held: Block[] = [];
  const endList = (): Block[] => {
    const blocks: Block[] = items.length > 0 ? [{ type: 'list', text: items.join('\n') }, ...held] : held;
    items = [];
    held = [];
    return blocks;
  };
  for (const piece of pieces) {
    const title = piece.kind === 'paragraph' ? titleOf(piece, styles) : undefined;
    const note = piece.kind === 'reference' ? takeNote(piece, notes) : undefined;
    if (note) held.push(...note);
    else if (piece.kind === 'paragraph' && piece.isListItem && !title) {
      if (items.length === 0) yield* endList();
      items.push(`- ${piece.text}`);
    } else {
      yield* endList();
      if (title) yield title;
      else if (piece.kind === 'reference') yield* readReference(archive, piece, relations, context);
      else if (piece.kind !== 'picture') yield { type: piece.kind, text: piece.text };
    }
  }
  yield* endList();
  for (const kind of notes.values()) for (const note of kind.values()) yield* blocksOf(note);
  yield* unreadPictures(pieces);
}

/** Yields each distinct text of headers and footers once: sections repeat them. */
async function* readMargins(archive: Archive, parts: string[]): AsyncGenerator<Block> {
  const seen = new Set<string>();
  for (const part of parts) {
    for (const block of blocksOf(await readOfficeText(archive, part, 'docPr'))) {
      if (!seen.has(block.text)) yield block;
      seen.add(block.text);
    }
  }
}

async function readNotes(archive: Archive, partsOf: (type: string) => string[]): Promise<Notes> {
  const notes: Notes = new Map();
  for (const [kind, type] of Object.entries(NOTE_PARTS) as [OfficeReference['to'], string][]) {
    const byId = new Map<string, OfficePiece[]>();
    notes.set(kind, byId);
    for (const part of partsOf(type)) {
      for (const piece of await readOfficeText(archive, part, 'docPr')) {
        const id = piece.owner ?? '';
        const note = byId.get(id);
        if (note) note.push(piece);
        else byId.set(id, [piece]);
      }
    }
  }
  return notes;
}

/** Returns a note once. @returns undefined for a reference to something else */
function takeNote({ to, id }: OfficeReference, notes: Notes): Block[] | undefined {
  const kind = notes.get(to);
  if (!kind) return undefined;
  const note = kind.get(id) ?? [];
  kind.delete(id);
  return blocksOf(note);
}

function blocksOf(pieces: OfficePiece[]): Block[] {
  return pieces.flatMap((piece, index): Block[] => {
    if (piece.kind === 'reference' || piece.kind === 'picture') return [];
    const by = index === 0 && piece.author ? `${piece.author}: ` : '';
    return [{ type: piece.kind, text: by + piece.text }];
  });
}

function titleOf({ text, styleId, outlineLevel }: OfficeParagraph, styles: Map<string, Style>): Block | undefined {
  const chain = styleId === undefined ? [] : chainOf(styleId, styles);
  const name = chain.find(style => /^(title|subtitle|heading \d)$/i.test(style.name))?.name.toLowerCase();
  if (name === 'title') return { type: 'title', text, level: TITLE_LEVEL };
  if (name === 'subtitle') return { type: 'subtitle', text, level: SUBTITLE_LEVEL };
  const byName = name?.startsWith('heading') ? Number(name.at(-1)) - 1 : undefined;
  const outline = outlineLevel ?? chain.find(style => style.outlineLevel !== undefined)?.outlineLevel ?? byName;
  if (outline === undefined || !(outline >= 0 && outline < BODY_TEXT)) return undefined;
  return { type: outline === 0 ? 'title' : 'subtitle', text, level: TITLE_LEVEL + 1 + outline };
}

function chainOf(styleId: string, styles: Map<string, Style>): Style[] {
  const chain: Style[] = [];
  for (let id: string | undefined = styleId; id !== undefined && chain.length < CHAIN_LIMIT; ) {
    // Without a list of styles, ids are the names of Word's built-in styles.
    const style: Style = styles.get(id) ?? { name: id.replace(/^heading(\d)$/i, 'heading $1') };
    chain.push(style);
    id = style.basedOn;
  }
  return chain;
}

async function readStyles(archive: Archive, part: string): Promise<Map<string, Style>> {
  const styles = new Map<string, Style>();
  let style: Style | undefined;
  await readXml(archive, part, {
    open(name, attributes) {
      const value = attribute(attributes, 'val');
      if (name === 'style') {
        style = { name: '' };
        styles.set(attribute(attributes, 'styleId') ?? '', style);
      } else if (!style || value === undefined) return;
      else if (name === 'name') style.name = value;
      else if (name === 'basedOn') style.basedOn = value;
      else if (name === 'outlineLvl') style.outlineLevel = Number(value);
    },
    close(name) {
      if (name === 'style') style = undefined;
    },
  });
  return styles;
}
