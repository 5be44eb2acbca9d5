/**
 * Cuts a file's blocks into passages, the units of search. A passage must be understandable on its own: its breadcrumb
 * contains the titles above it, and the first passage below a title begins with the title. Only a title without text
 * below it is a passage of its own.
 */

import type { Block, IndexingSettings, Passage, PassageType } from '#shared/core/passage.ts';
import { cutText } from './cutText.ts';

/** Every passage below a title repeats it in its breadcrumb. */
const TITLE_LIMIT_CHARS = 200;

interface Title {
  level: number;
  text: string;
}

/** A passage in progress: titles, then text that is still too short. */
interface Joined {
  content: string;
  last: Block;
  above: Title[];
  bodyChars: number;
  /** Determines the passage's type: the longest block, or the first block if all are titles. */
  main: Block;
  pageNumber?: number | undefined;
}

/** @returns non-empty passages within the maximum length, in order */
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
    const level = headingLevelOf(raw);
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

const headingLevelOf = ({ type, level }: Block) =>
  type === 'title' ? (level ?? 1) : type === 'subtitle' ? (level ?? 2) : undefined;

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
    // The page of the text. Its title may be at the end of the previous page.
    pageNumber: front.bodyChars === 0 ? block.pageNumber : front.pageNumber,
  };
}

/** Blocks that are separate lines instead of paragraphs. */
const LINES: readonly PassageType[] = ['table', 'list'];
const separatorBetween = (before: Block, after: Block) =>
  headingLevelOf(before) !== undefined || (before.type === after.type && LINES.includes(after.type)) ? '\n' : '\n\n';

function shortened(title: string): string {
  return title.length <= TITLE_LIMIT_CHARS ? title : `${cutText(title, TITLE_LIMIT_CHARS - 1)[0]}…`;
}

function cutBlock({ type, text }: Block, maximum: number, firstMaximum: number): string[] {
  const [header = '', ...rows] = type === 'table' ? text.split('\n') : [];
  const room = firstMaximum - header.length - 1;
  // Repeats the header only if it leaves at least as much room for rows.
  if (rows.length === 0 || header.length > room) return cutText(text, maximum, firstMaximum);
  return cutText(rows.join('\n'), maximum - header.length - 1, room).map(piece => `${header}\n${piece}`);
}
