/** Reads the parts that a document refers to: charts, diagrams (SmartArt), embedded documents. */
import { basename } from 'node:path';
import type { Block, Unread } from '#shared/core/passage.ts';
import { readChart } from './chart.ts';
import { type OfficePiece, type OfficeReference, readOfficeText } from './officeText.ts';
import { type Archive, readWhole } from './openArchive.ts';
import { below, type ReadEmbedded, UNREAD_OBJECT } from './readEmbedded.ts';
import type { Relation } from './xml.ts';

/** Below this, the pictures without description may be the content, such as scans. */
const HARDLY_ANY_TEXT_CHARS = 300;

/** Titles of an embedded document rank below all titles of the document around it. */
const HIGHEST_RANK = 10;

/** @param contentTypeOf type of an embedded document */
export async function* readReference(
  archive: Archive,
  { to, id }: OfficeReference,
  relations: Map<string, Relation>,
  { readEmbedded, contentTypeOf }: { readEmbedded: ReadEmbedded; contentTypeOf: (part: string) => Promise<string> },
): AsyncGenerator<Block | Unread> {
  const relation = relations.get(id);
  if (!relation || !archive.has(relation.part)) return;
  const { part, type } = relation;
  if (to === 'chart') yield* readChart(archive, part);
  else if (to === 'diagram') {
    const pieces = await readOfficeText(archive, part, 'cNvPr');
    const items = pieces.flatMap(piece => (piece.kind === 'paragraph' ? [`- ${piece.text}`] : []));
    if (items.length > 0) yield { type: 'list', text: items.join('\n') };
  } else if (to === 'chunk' || (to === 'object' && type === 'package')) {
    const contentType = await contentTypeOf(part);
    const isMarkup = /[/+]xml$/.test(contentType) && !contentType.includes('xhtml');
    if (isMarkup) return yield { unread: 'an embedded document in XML' };
    const blocks = readEmbedded(await readWhole(archive, part), { contentType, key: basename(part) });
    yield* to === 'chunk' ? blocks : below(HIGHEST_RANK, blocks);
  } else if (to === 'object') yield UNREAD_OBJECT;
}

/** Reports pictures without description, if they are most of the content. */
export function* unreadPictures(pieces: OfficePiece[]): Generator<Unread> {
  const count = pieces.filter(({ kind }) => kind === 'picture').length;
  const chars = pieces.reduce((sum, piece) => sum + ('text' in piece ? piece.text.length : 0), 0);
  if (count === 0 || chars > HARDLY_ANY_TEXT_CHARS) return;
  yield { unread: count === 1 ? 'a picture without a description' : `${count} pictures without a description` };
}
