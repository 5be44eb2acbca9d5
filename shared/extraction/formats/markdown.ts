/** Markdown may contain HTML anywhere, so it is read as what it becomes. */
import { marked } from 'marked';
import type { Block } from '#shared/passage.ts';
import { readHtml } from './html.ts';
import { readText } from './text.ts';

/** Settings that some tools write above the text; to Markdown itself they would be a heading. */
const FRONT_MATTER = /^\ufeff?---\r?\n([\s\S]*?)\r?\n---[^\S\r\n]*(?:\r?\n|$)/;

export function* readMarkdown(text: string): Generator<Block> {
  const matter = FRONT_MATTER.exec(text);
  if (matter) yield { type: 'code', text: matter[1]! };
  const body = text.slice(matter?.[0].length ?? 0);
  yield* readRendered(body);
}

function readRendered(body: string): Iterable<Block> {
  let html: string;
  try {
    html = marked.parse(body, { async: false });
  } catch {
    // Nested deeper than the parser can follow: it is still text.
    return readText(body);
  }
  return readHtml(html);
}
