/** Reads the parts that a document refers to: charts, diagrams (SmartArt), embedded documents. */
import { basename } from 'node:path';
import type { Block } from '#shared/core/passage.ts';
import { readChart } from './chart.ts';
import { type OfficePiece, type OfficeReference, readOfficeText } from './officeText.ts';
import { type Archive, readWhole } from './openArchive.ts';
import { below, type ReadEmbedded } from './readEmbedded.ts';
import { type Unread, unreadParts } from './unread.ts';
import type { Relation } from './xml.ts';

/** Below this, the pictures without description may be the content, such as scans. */
const HARDLY_ANY_TEXT_CHARS = 300;

/** Titles of an embedded document rank below all titles of the document around it. */
const HIGHEST_RANK = 10;

/** Reads embedded documents. `typeOf` returns the media type of a part. */
export interface EmbeddingContext {
  readEmbedded: ReadEmbedded;
  typeOf(part: string): string;
}

export async function* readReference(
  archive: Archive,
  { to, id }: OfficeReference,
  relations: Map<string, Relation>,
  { readEmbedded, typeOf }: EmbeddingContext,
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
    const contentType = typeOf(part);
    const isMarkup = /[/+]xml$/.test(contentType) && !contentType.includes('xhtml');
    if (isMarkup) return yield unreadParts('xml');
    const blocks = readEmbedded(await readWhole(archive, part), { contentType, key: basename(part) });
    yield* to === 'chunk' ? blocks : below(HIGHEST_RANK, blocks);
  } else if (to === 'object') yield unreadParts('object');
}

/** Reports pictures without description, if they are most of the content. */
export function* unreadPictures(pieces: OfficePiece[]): Generator<Unread> {
  const count = pieces.filter(({ kind }) => kind === 'picture').length;
  const chars = pieces.reduce((sum, piece) => sum + ('text' in piece ? piece.text.length : 0), 0);
  if (chars <= HARDLY_ANY_TEXT_CHARS) yield unreadParts('picture', count);
}
