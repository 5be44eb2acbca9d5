/**
 * Word: headings are paragraphs whose style has an outline level. Page numbers are unknown, because layout happens on
 * output.
 */

import type { Block } from '#shared/core/passage.ts';
import { type OfficeParagraph, readOfficeText } from './officeText.ts';
import type { Archive } from './openArchive.ts';
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

export async function* readDocx(archive: Archive, mainPart: string): AsyncGenerator<Block> {
  const relations = [...(await readRelations(archive, mainPart)).values()];
  const partOf = (type: string) => relations.find(each => each.type === type && archive.has(each.part))?.part;
  const stylesPart = partOf('styles');
  const styles = stylesPart ? await readStyles(archive, stylesPart) : new Map<string, Style>();
  const notes = [partOf('footnotes'), partOf('endnotes')].filter(part => part !== undefined);

  for (const part of [mainPart, ...notes]) {
    let items: string[] = [];
    const list = (): Block[] => (items.length > 0 ? [{ type: 'list', text: items.join('\n') }] : []);
    for (const piece of await readOfficeText(archive, part, 'docPr')) {
      const title = piece.kind === 'paragraph' ? titleOf(piece, styles) : undefined;
      if (piece.kind === 'paragraph' && piece.isListItem && !title) {
        items.push(`- ${piece.text}`);
        continue;
      }
      yield* list();
      items = [];
      yield title ?? { type: piece.kind, text: piece.text };
    }
    yield* list();
  }
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
