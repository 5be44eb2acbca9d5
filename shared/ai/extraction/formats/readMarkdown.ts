/** Markdown, rendered to HTML first, because it may contain HTML anywhere. */
import { Marked } from 'marked';
import type { Block } from '#shared/core/passage.ts';
import { readHtml } from './readHtml.ts';
import { readText } from './readText.ts';

/** Front matter, which Markdown would parse as a heading. */
const FRONT_MATTER = /^\ufeff?---\r?\n([\s\S]*?)\r?\n---[^\S\r\n]*(?:\r?\n|$)/;

/** Elements that people write in Markdown. Other tags are placeholders, such as `<your-token>` and `List<object>`. */
const ELEMENTS = new Set(
  'a abbr address article aside audio b bdi bdo big blockquote br button caption center cite code col colgroup data dd del details dfn div dl dt em figcaption figure font footer form h1 h2 h3 h4 h5 h6 header hr i iframe img input ins kbd label legend li link main map mark math meta nav noscript ol optgroup option p path picture pre q rp rt ruby s samp script section select small source span strike strong style sub summary sup svg table tbody td textarea tfoot th thead time title tr track tt u ul var video wbr'.split(
    ' ',
  ),
);
const TAG = /^<\/?([a-z][\w.:-]*)/i;

const markdown = new Marked({
  renderer: {
    html({ text, block }) {
      const name = TAG.exec(text)?.[1]?.toLowerCase();
      const isPlaceholder = name !== undefined && !ELEMENTS.has(name);
      return isPlaceholder && !block ? text.replaceAll('<', '&lt;') : text;
    },
  },
});

/** Attributes at the end of a heading, which some renderers read: `{#install}`, `{: .no_toc }`. */
const HEADING_ATTRIBUTES = /\s*\{:?\s*[#.][^{}]*\}$/;

const withoutAttributes = (block: Block): Block =>
  block.level === undefined ? block : { ...block, text: block.text.replace(HEADING_ATTRIBUTES, '') };

export function* readMarkdown(text: string): Generator<Block> {
  const matter = FRONT_MATTER.exec(text);
  if (matter) yield { type: 'code', text: matter[1]! };
  const body = text.slice(matter?.[0].length ?? 0);
  yield* readRendered(body);
}

function readRendered(body: string): Iterable<Block> {
  let html: string;
  try {
    html = markdown.parse(body, { async: false });
  } catch {
    // The nesting is too deep for the parser.
    return readText(body);
  }
  return readHtml(html).map(withoutAttributes);
}
