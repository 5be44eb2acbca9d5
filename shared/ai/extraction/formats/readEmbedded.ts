/** Files within files, such as attachments of an email: read like files of their own, with limits. */
import { basename } from 'node:path';
import { startOf } from '#shared/core/excerpt.ts';
import type { Block, Unread } from '#shared/core/passage.ts';
import type { FileFacts } from './detectFormat.ts';

/** An email in an email in an email. */
const DEPTH_LIMIT = 3;
const COUNT_LIMIT = 200;
const NAME_CHARS = 100;
const REASON_CHARS = 200;

type Blocks = AsyncIterable<Block | Unread>;
/** Never throws: a file that cannot be read is {@link Unread}. */
export type ReadEmbedded = (bytes: Uint8Array, facts: FileFacts) => Blocks;

/** @param readFile reads one file; it receives the reader of the files within it */
export function embeddedReader(
  readFile: (bytes: Uint8Array, facts: FileFacts, readEmbedded: ReadEmbedded) => Blocks,
): ReadEmbedded {
  let count = 0;
  const atDepth = (depth: number): ReadEmbedded =>
    async function* (bytes, facts) {
      const name = `the embedded file ${startOf(basename(facts.key), NAME_CHARS)}`;
      if (depth > DEPTH_LIMIT) {
        yield { unread: `${name}, which is more than ${DEPTH_LIMIT} files deep` };
        return;
      }
      if (++count > COUNT_LIMIT) {
        // One warning is enough.
        if (count === COUNT_LIMIT + 1) yield { unread: `embedded files after the first ${COUNT_LIMIT}` };
        return;
      }
      try {
        yield* readFile(bytes, facts, atDepth(depth + 1));
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        // Without the advice, which is about the file as a whole.
        yield { unread: `${name}: ${startOf(reason.replace(/\.\s.*$/s, '.'), REASON_CHARS)}` };
      }
    };
  return atDepth(1);
}

/** An embedded object that is not a document, such as a drawing of another program. */
export const UNREAD_OBJECT: Unread = { unread: 'an embedded object of another program' };

/** Reports unread objects once, with their number. */
export async function* countObjects(blocks: Blocks): Blocks {
  let count = 0;
  for await (const block of blocks) {
    if (block === UNREAD_OBJECT) count++;
    else yield block;
  }
  if (count > 0) yield count === 1 ? UNREAD_OBJECT : { unread: `${count} embedded objects of other programs` };
}

/** Ranks the titles of an embedded file below those of the file around it, and drops its pages. */
export async function* below(level: number, blocks: AsyncIterable<Block | Unread>): Blocks {
  for await (const block of blocks) {
    if ('unread' in block) yield block;
    else yield lowered(block, level);
  }
}

export function lowered({ pageNumber: _, ...block }: Block, levels: number): Block {
  if (block.type !== 'title' && block.type !== 'subtitle') return block;
  return { ...block, level: (block.level ?? (block.type === 'title' ? 1 : 2)) + levels };
}
