/**
 * From the blocks of a file to what a search finds. A passage stands for itself, so it has the titles above it in its
 * breadcrumb, and the first below a title says it in its first line: a title alone answers no question. Only where nothing
 * follows it, a title is a passage of its own.
 */

import type { Block, IndexingSettings, Passage, PassageType } from '#shared/passage.ts';
import { cutText } from './cutText.ts';

/** A title is repeated in the breadcrumb of every passage below it. */
const TITLE_LIMIT_CHARS = 200;

interface Title {
  level: number;
  text: string;
}

/** Blocks that become one passage, and may wait for another one to stand behind them: titles, then what was too short. */
interface Joined {
  content: string;
  last: Block;
  /** The titles above all of it. */
  above: Title[];
  bodyChars: number;
  /** What most of it is; of titles alone, the first. */
  main: Block;
  pageNumber?: number | undefined;
}

/** The passages of a file, in order. None is longer than the settings allow, or empty. */
export function cutPassages(
  blocks: Iterable<Block>,
  { minimumParagraphLength, maximumChunkLength }: IndexingSettings,
): Passage[] {
  const passages: Passage[] = [];
  let titles: Title[] = [];
  let held: Joined | undefined;

  const add = (contents: string[], { type }: Block, pageNumber: number | undefined, below = titles) => {
    const breadcrumb = below.map(({ text }) => text);
    const page = pageNumber === undefined ? {} : { pageNumber };
    for (const content of contents) passages.push({ content, type, breadcrumb, ...page });
  };
  const release = () => {
    if (!held) return;
    const { content, main, pageNumber, above, bodyChars } = held;
    add(cutText(content, maximumChunkLength), main, pageNumber, bodyChars > 0 ? titles : above);
    held = undefined;
  };

  for (const raw of blocks) {
    const level = levelOf(raw);
    const block = { ...raw, text: level === undefined ? trimBlock(raw) : raw.text.replace(/\s+/g, ' ').trim() };
    if (block.text === '') continue;
    if (level !== undefined) {
      const isBelowHeld = held?.bodyChars === 0 && titles.at(-1)!.level < level;
      if (!isBelowHeld) release();
      const above = titles.filter(title => title.level < level);
      held = join(held, block, 0, above);
      titles = [...above, { level, text: shortened(block.text) }];
      continue;
    }
    const isRoomTight = held !== undefined && held.content.length > maximumChunkLength / 2;
    if (isRoomTight && join(held, block, 0, titles).content.length > maximumChunkLength) release();
    const joined: Joined = join(held, block, block.text.length, titles);
    if (joined.content.length <= maximumChunkLength) {
      held = joined;
      if (joined.bodyChars >= minimumParagraphLength) release();
      continue;
    }
    const front = joined.content.slice(0, joined.content.length - block.text.length);
    const [first = '', ...rest] = cutBlock(block, maximumChunkLength, maximumChunkLength - front.length);
    add([front + first], joined.main, joined.pageNumber);
    add(rest, block, block.pageNumber);
    held = undefined;
  }
  release();
  return passages;
}

const levelOf = ({ type, level }: Block) =>
  type === 'title' ? (level ?? 1) : type === 'subtitle' ? (level ?? 2) : undefined;

/** The first line of code may be indented. */
const trimBlock = ({ type, text }: Block) => (type === 'code' ? text.replace(/^\s*\n/, '').trimEnd() : text.trim());

function join(front: Joined | undefined, block: Block, bodyChars: number, above: Title[]): Joined {
  if (!front) return { content: block.text, last: block, above, bodyChars, main: block, pageNumber: block.pageNumber };
  const isLongest = front.bodyChars === 0 ? bodyChars > 0 : block.text.length > front.main.text.length;
  return {
    content: front.content + separatorBetween(front.last, block) + block.text,
    last: block,
    above: front.above,
    bodyChars: front.bodyChars + bodyChars,
    main: isLongest ? block : front.main,
    // Of the text: its title may stand at the end of the page before.
    pageNumber: front.bodyChars === 0 ? block.pageNumber : front.pageNumber,
  };
}

/** Rows and items are lines, and so is a title above what follows; all else is apart. */
const LINES: readonly PassageType[] = ['table', 'list'];
const separatorBetween = (before: Block, after: Block) =>
  levelOf(before) !== undefined || (before.type === after.type && LINES.includes(after.type)) ? '\n' : '\n\n';

function shortened(title: string): string {
  return title.length <= TITLE_LIMIT_CHARS ? title : `${cutText(title, TITLE_LIMIT_CHARS - 1)[0]}…`;
}

function cutBlock({ type, text }: Block, maximum: number, firstMaximum: number): string[] {
  const [header = '', ...rows] = type === 'table' ? text.split('\n') : [];
  const room = firstMaximum - header.length - 1;
  // A header that leaves less room for rows than it takes is not worth it.
  if (rows.length === 0 || header.length > room) return cutText(text, maximum, firstMaximum);
  return cutText(rows.join('\n'), maximum - header.length - 1, room).map(piece => `${header}\n${piece}`);
}
