/** Completes the Markdown of a reply that grows, so that its markup does not flicker between text and elements. */

/** A last line that may become a list item, heading, rule, table or code block. */
const MARKER_LINE = /(?:^|\n)[ \t]*(?:[-+*_=#>|`~]+|\d+[.)]?)[ \t]*$/;
/** A link or image whose end is missing. */
const OPEN_LINK = /!?\[([^\][\n]*)(?:\](?:\([^()\n]*)?)?$/;
const FENCE = /^ {0,3}(?:```|~~~)/gm;
const CODE = /`[^`\n]*`/g;
/** Markup at the end, of which the content is missing. */
const OPENING = /(^|\s)(?:\*{1,3}|_{1,2}|~{1,2}|`)$/;
/** The first half of `**` or `~~` after its content. */
const HALF_CLOSING = /(?<=[^\s*~])(?:\*|~)$/;
/** Asterisks that are no emphasis: of list items, and between spaces. */
const LONE = /(?<=^|\s)\*(?=\s)/g;

/** Returns the text without a marker whose content is missing, and with the ends of code and emphasis. */
export function mendMarkdown(text: string): string {
  // An open block of code ends with the text.
  if ((text.match(FENCE)?.length ?? 0) % 2 === 1) return text.replace(/\n[ \t]*(?:`{1,2}|~{1,2})$/, '');
  const start = text.lastIndexOf('\n\n') + 1;
  const last = text
    .slice(start)
    .replace(MARKER_LINE, '')
    .replace(OPEN_LINK, (link, label) => (link.startsWith('!') ? '' : label))
    .replace(OPENING, '$1');
  return text.slice(0, start) + closed(last);
}

function closed(text: string): string {
  const open = openMarkers(text);
  if (open.length === 0) return text;
  const isHalf = (open.includes('**') && open.includes('*')) || text.endsWith('~');
  const whole = isHalf ? text.replace(HALF_CLOSING, '') : text;
  // Emphasis does not end after a space.
  return whole.trimEnd() + (whole === text ? open : openMarkers(whole)).toReversed().join('');
}

/** Markers without an end, in the order of their starts. */
function openMarkers(text: string): string[] {
  const rest = text.replace(CODE, '').replace(LONE, '');
  if (rest.includes('`')) return ['`'];
  const open: string[] = [];
  for (const [marker] of rest.matchAll(/\*\*|~~|\*|(?<!\w)_(?=\S)|(?<=\S)_(?!\w)/g)) {
    if (open.includes(marker)) open.splice(open.indexOf(marker));
    else open.push(marker);
  }
  return open;
}
