/** Finds text in rendered messages and highlights it without changing the document. */

const NAME = 'console-found';
const MESSAGE = '[data-message]';

/** Returns the ranges of a text in document order. Ignores case. */
export function findIn(root: Element, text: string): Range[] {
  const wanted = text.toLowerCase();
  if (wanted.trim() === '') return [];
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (!node.parentElement?.closest(MESSAGE)) continue;
    const content = (node.textContent ?? '').toLowerCase();
    for (let at = content.indexOf(wanted); at !== -1; at = content.indexOf(wanted, at + wanted.length)) {
      // Letters whose lower case is longer, such as İ, shift positions.
      if (at + wanted.length > (node.textContent ?? '').length) break;
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + wanted.length);
      ranges.push(range);
    }
  }
  return ranges;
}

/** Highlights ranges and returns the messages that contain them, without duplicates. */
export function highlight(ranges: Range[]): Element[] {
  // Browsers without the highlight API only outline the message.
  if ('highlights' in CSS) {
    if (ranges.length > 0) CSS.highlights.set(NAME, new Highlight(...ranges));
    else CSS.highlights.delete(NAME);
  }
  const messages = ranges.map(range => range.startContainer.parentElement?.closest(MESSAGE));
  return [...new Set(messages)].filter(message => message !== undefined && message !== null);
}
