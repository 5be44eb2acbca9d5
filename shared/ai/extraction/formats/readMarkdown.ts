/** Markdown, rendered to HTML first, because it may contain HTML anywhere. */
import { marked } from 'marked';
import type { Block } from '#shared/core/passage.ts';
import { readHtml } from './readHtml.ts';
import { readText } from './readText.ts';

/** Front matter, which Markdown would parse as a heading. */
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
    // The nesting is too deep for the parser.
    return readText(body);
  }
  return readHtml(html);
}
