/** Finds text in rendered messages and marks it, without a change of the document. */

const NAME = 'console-found';
const MESSAGE = '[data-message]';

/** Returns the places of a text, in the order of the document. Case does not matter. */
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

/** Marks places and returns the messages that contain them, each once. */
export function highlight(ranges: Range[]): Element[] {
  // Browsers without this interface only outline the message.
  if ('highlights' in CSS) {
    if (ranges.length > 0) CSS.highlights.set(NAME, new Highlight(...ranges));
    else CSS.highlights.delete(NAME);
  }
  const messages = ranges.map(range => range.startContainer.parentElement?.closest(MESSAGE));
  return [...new Set(messages)].filter(message => message !== undefined && message !== null);
}
