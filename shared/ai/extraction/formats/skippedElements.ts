import { Parser } from 'htmlparser2';
import { DEPTH_LIMIT, tooDeep } from './xml.ts';

/** Elements whose text is not part of the page. */
export const SKIPPED: ReadonlySet<string> = new Set(
  'script style noscript template svg annotation annotation-xml iframe object nav button select'.split(' '),
);
/** Their contents are no elements, so nothing after them is text. */
const CODE: ReadonlySet<string> = new Set(['script', 'style']);
const MAY_SKIP = new RegExp(`<(?:${[...SKIPPED].join('|')})\\b`, 'i');

/**
 * Finds the elements of {@link SKIPPED} without a closing tag, which would omit the rest of the page.
 * @returns their numbers among the elements of {@link SKIPPED} in order, from 0
 */
export function findUnclosed(html: string): ReadonlySet<number> {
  const unclosed = new Set<number>();
  if (!MAY_SKIP.test(html)) return unclosed;
  let count = 0;
  let depth = 0;
  const open: number[] = [];
  const parser = new Parser({
    onopentagname(name) {
      if (++depth > DEPTH_LIMIT) throw tooDeep();
      if (SKIPPED.has(name)) open.push(count++);
    },
    onclosetag(name, isImplied) {
      depth--;
      if (!SKIPPED.has(name)) return;
      const number = open.pop()!;
      if (isImplied && !CODE.has(name)) unclosed.add(number);
    },
  });
  parser.write(html);
  parser.end();
  return unclosed;
}
