/** Renders a page of `docs` as HTML. */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { Marked, type Tokens } from 'marked';
import { DOCS, guideLink } from './guideNames.ts';

export interface RenderedGuide {
  title: string;
  html: string;
}

/** @param path relative to `docs` */
export function renderGuide(path: string): RenderedGuide {
  const markdown = readFileSync(join(DOCS, path), 'utf8').replace(/<!--[\s\S]*?-->/g, '');
  const anchors = new Map<string, number>();
  const explicit = new Set([...markdown.matchAll(/<a id="([^"]+)"/g)].map(match => match[1]!));
  let title = path;
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading): string {
        const content = this.parser.parseInline(tokens);
        if (depth === 1) title = text.replaceAll('`', '');
        const anchor = uniqueAnchor(text, anchors);
        // An element before the heading may have the anchor already.
        const id = explicit.has(anchor) ? '' : ` id="${anchor}"`;
        return `<h${depth}${id}>${content} <a class="anchor" href="#${anchor}" aria-label="Link to this section">#</a></h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link): string {
        const content = this.parser.parseInline(tokens);
        const target = guideLink(path, href);
        return target === undefined ? content : `<a href="${escaped(target)}">${content}</a>`;
      },
      image: ({ href, text }: Tokens.Image) => `<img src="${dataUrl(path, href)}" alt="${escaped(text)}">`,
      table(token: Tokens.Table): string {
        const row = (cells: Tokens.TableCell[], tag: 'th' | 'td') =>
          `<tr>${cells.map(cell => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`;
        const body = token.rows.map(cells => row(cells, 'td')).join('\n');
        return `<div class="table" tabindex="0"><table><thead>${row(token.header, 'th')}</thead>\n<tbody>${body}</tbody></table></div>\n`;
      },
      code: ({ text }: Tokens.Code) => `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`,
    },
  });
  const html = marked.parse(markdown, { async: false });
  return { title, html };
}

/** Returns GitHub's anchor of a heading, which the links of the pages use. */
function uniqueAnchor(heading: string, anchors: Map<string, number>): string {
  const anchor = heading
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-');
  const count = anchors.get(anchor) ?? 0;
  anchors.set(anchor, count + 1);
  return count === 0 ? anchor : `${anchor}-${count}`;
}

const MEDIA_TYPES: Record<string, string> = { '.png': 'image/png', '.svg': 'image/svg+xml' };

/** Embeds an image, so that a page is one response. */
function dataUrl(path: string, href: string): string {
  const file = posix.join(posix.dirname(path), href);
  const type = MEDIA_TYPES[posix.extname(file)];
  if (!type) throw new Error(`docs/${path}: the image ${href} is neither PNG nor SVG.`);
  return `data:${type};base64,${readFileSync(join(DOCS, file)).toString('base64')}`;
}

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
