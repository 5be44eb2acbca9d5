/** Completes the Markdown of a reply that grows, so that its markup does not flicker between text and elements. */

/** A last line that may become a list item, heading, rule, table or code block. */
const MARKER_LINE = /(?:^|\n)[ \t]*(?:[-+*_=#>|`~]+|\d+[.)]?)[ \t]*$/;
/** A link or image whose end is missing. */
const OPEN_LINK = /!?\[([^\][\n]*)(?:\]\([^()\n]*)?$/;
const FENCE = /^ {0,3}(?:```|~~~)/gm;
const CODE = /`[^`\n]*`/g;
/** Markup at the end, of which the content is missing. */
const OPENING = /(?:^|\s)(?:\*{1,3}|~~|`)$/;

export function mendMarkdown(text: string): string {
  // An open block of code ends with the text.
  if ((text.match(FENCE)?.length ?? 0) % 2 === 1) return text.replace(/\n[ \t]*(?:`{1,2}|~{1,2})$/, '');
  const start = text.lastIndexOf('\n\n') + 1;
  const last = text
    .slice(start)
    .replace(MARKER_LINE, '')
    .replace(OPEN_LINK, (link, label) => (link.startsWith('!') ? '' : label))
    .replace(OPENING, '');
  return text.slice(0, start) + last + closing(last);
}

/** Returns the missing ends of code and emphasis, innermost first. */
function closing(text: string): string {
  const rest = text.replace(CODE, '');
  if (rest.includes('`')) return '`';
  const isOpen = (marker: string) => rest.split(marker).length % 2 === 0;
  const emphasis = rest.replaceAll('**', '').replace(/(?:^|\n)[ \t]*\* /g, '');
  return [emphasis.split('*').length % 2 === 0 && '*', isOpen('**') && '**', isOpen('~~') && '~~']
    .filter(Boolean)
    .join('');
}
