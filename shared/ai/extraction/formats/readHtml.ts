/** HTML, read without recursion, so that deep nesting cannot exhaust the stack. */
import { Parser } from 'htmlparser2';
import type { Block, PassageType } from '#shared/core/passage.ts';
import { findUnclosed, SKIPPED } from './skippedElements.ts';
import { DEPTH_LIMIT, tooDeep } from './xml.ts';

/** Elements that do not end a line of text. */
const INLINE = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q rp rt ruby s samp small span strike strong sub sup time tt u var wbr math mfrac mi mn mo mover mrow ms mspace msqrt mroot mstyle msub msubsup msup mtext munder munderover semantics'.split(
    ' ',
  ),
);
const HEADING = /^h([1-6])$/;
const HIDING_STYLE = /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)\b/i;

/** Text that nobody sees is not indexed. Text that only screen readers omit is. */
const isHidden = ({ hidden, style }: Record<string, string>) =>
  (hidden !== undefined && hidden !== 'until-found') || (style !== undefined && HIDING_STYLE.test(style));

export function readHtml(html: string): Block[] {
  const blocks: Block[] = [];
  const images: Block[] = [];
  const lists: { isOrdered: boolean; count: number }[] = [];
  let documentTitle = '';
  let text = '';
  let heading: number | undefined;
  let items: string[] = [];
  let rows: string[][] | undefined;
  let tableDepth = 0;
  let quoteDepth = 0;
  let preDepth = 0;
  let skippedDepth = 0;
  let opened = 0;
  const unclosed = findUnclosed(html);
  let depth = 0;
  let isDocumentTitle = false;
  let isItemStart = false;

  const push = (type: PassageType, content: string, level?: number) => {
    if (content.trim()) blocks.push({ type, text: content, ...(level && { level }) });
  };
  /** Images follow the block that contains them. */
  const flushImages = () => {
    for (const image of images.splice(0)) blocks.push(image);
  };
  const flush = () => {
    const content =
      preDepth > 0
        ? text.replace(/^\n+/, '').trimEnd()
        : text
            .replace(/[^\S\n]+/g, ' ')
            .replace(/ ?\n ?/g, '\n')
            .trim();
    text = '';
    if (content !== '') {
      const line = content.replace(/\s+/g, ' ');
      const row = rows?.at(-1);
      if (rows) {
        if (row?.length) row[row.length - 1] = `${row.at(-1)} ${line}`.trim();
        else rows.push([line]);
      } else if (heading) push(heading === 1 ? 'title' : 'subtitle', line, heading);
      else if (lists.length > 0)
        items.push(items.length > 0 && !isItemStart ? `${indent()}  ${content}` : `${indent()}${marker()} ${content}`);
      else push(preDepth > 0 ? 'code' : quoteDepth > 0 ? 'blockquote' : 'paragraph', content);
      isItemStart = false;
    }
    if (!rows && lists.length === 0) flushImages();
  };
  const indent = () => '  '.repeat(Math.min(lists.length, 10) - 1);
  const marker = () => (lists.at(-1)!.isOrdered ? `${lists.at(-1)!.count}.` : '-');
  const endTable = () => {
    const filled = rows?.filter(row => row.some(cell => cell !== '')) ?? [];
    rows = undefined;
    push('table', filled.map(row => row.join(' | ')).join('\n'));
    flushImages();
  };
  const endList = () => {
    push('list', items.join('\n'));
    items = [];
    flushImages();
  };
  /** A table around headings or tables is page layout. Its cells are paragraphs. */
  const endLayout = () => {
    const cells = rows?.flat() ?? [];
    rows = undefined;
    for (const cell of cells) push('paragraph', cell);
  };

  const open = (name: string, attributes: Record<string, string>) => {
    const isSkipped = (SKIPPED.has(name) && !unclosed.has(opened++)) || isHidden(attributes);
    if (skippedDepth > 0 || isSkipped) return void skippedDepth++;
    if (name === 'br') text += '\n';
    else if (name === 'img') {
      if (attributes.alt?.trim()) images.push({ type: 'image', text: attributes.alt });
    } else if (!INLINE.has(name)) flush();
    const level = HEADING.exec(name)?.[1];
    if (level || name === 'table') {
      endLayout();
      // Keeps the order: earlier items come first.
      if (!rows) endList();
    }
    if (level) heading = Number(level);
    else if (name === 'title') isDocumentTitle = true;
    else if (name === 'pre') preDepth++;
    else if (name === 'blockquote') quoteDepth++;
    else if (name === 'ul' || name === 'ol' || name === 'dl') lists.push({ isOrdered: name === 'ol', count: 0 });
    else if (name === 'li' || name === 'dt') {
      isItemStart = true;
      const list = lists.at(-1);
      if (list) list.count++;
    } else if (name === 'table' && ++tableDepth === 1) rows = [];
    else if (rows && name === 'tr') rows.push([]);
    else if (rows && (name === 'td' || name === 'th')) rows.at(-1)?.push('');
  };
  const close = (name: string) => {
    if (skippedDepth > 0) return void skippedDepth--;
    if (!INLINE.has(name) && name !== 'br' && name !== 'img') flush();
    if (HEADING.test(name)) heading = undefined;
    else if (name === 'title') isDocumentTitle = false;
    else if (name === 'pre') preDepth--;
    else if (name === 'blockquote') quoteDepth--;
    else if (name === 'ul' || name === 'ol' || name === 'dl') {
      lists.pop();
      if (lists.length === 0) endList();
    } else if (name === 'table' && --tableDepth === 0 && rows) endTable();
  };

  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (++depth > DEPTH_LIMIT) throw tooDeep();
        open(name, attributes);
      },
      onclosetag(name) {
        depth--;
        close(name);
      },
      ontext(chunk) {
        if (skippedDepth > 0) return;
        if (isDocumentTitle) documentTitle += chunk;
        else text += preDepth > 0 ? chunk : chunk.replace(/\s+/g, ' ');
      },
    },
    { decodeEntities: true },
  );
  parser.write(html);
  parser.end();
  flush();
  const title = documentTitle.replace(/\s+/g, ' ').trim();
  const headings = blocks.filter(({ level }) => level === 1);
  if (title === '' || blocks.length === 0 || headings.some(heading => heading.text === title)) return blocks;
  // Above the top headings, which often mean little without it.
  return [{ type: 'title', text: title, level: headings.length > 0 ? 0 : 1 }, ...blocks];
}
