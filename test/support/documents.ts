/** Reads the code blocks of the documentation. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

export interface Block {
  /** Relative to the repository. */
  page: string;
  /** Line of its opening fence, counted from 1. */
  line: number;
  /** Heading of the second level above it. */
  section: string;
  /** Heading of the third level above it, in its section. */
  subsection: string;
  /** Empty for output. */
  language: string;
  text: string;
}

/** Returns the blocks of a page, in order. Fences in the documents are not indented and have three backticks. */
export function blocksOf(page: string): Block[] {
  const markdown = readFileSync(join(ROOT, page), 'utf8');
  return [...markdown.matchAll(/^```(\S*)[^\n]*\n([\s\S]*?)^```$/gm)].map(({ index, 1: language, 2: text }) => {
    const before = markdown.slice(0, index);
    const ownSection = before.slice(before.lastIndexOf('\n## '));
    return {
      page,
      line: before.split('\n').length,
      section: [...before.matchAll(/^## (.+)$/gm)].at(-1)?.[1] ?? '',
      subsection: [...ownSection.matchAll(/^### (.+)$/gm)].at(-1)?.[1] ?? '',
      language: language!,
      text: text!,
    };
  });
}

/** Returns the file whose content a block is, from the comment in its first line. */
export const fileOf = ({ text }: Block): string | undefined =>
  /^\/\/ ([\w./-]+\.\w+)$/m.exec(text.split('\n')[0]!)?.[1];

/**
 * Finds the first line of an expected output that an output lacks; undefined if it has all. `…` and the port of a local
 * address match anything.
 */
export function missingLine(expected: string, output: string): string | undefined {
  const anyPort = (text: string) => text.replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1');
  const shown = anyPort(output);
  return anyPort(expected)
    .split('\n')
    .map(line => line.trim())
    .find(line => {
      const pattern = line.split('…').map(part => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'));
      return !new RegExp(pattern.join('.*')).test(shown);
    });
}
