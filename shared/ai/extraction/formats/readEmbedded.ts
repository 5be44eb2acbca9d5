/** Files within files, such as attachments of an email: read like files of their own, with limits. */
import { basename } from 'node:path';
import { startOf } from '#shared/core/excerpt.ts';
import type { Block } from '#shared/core/passage.ts';
import type { FileFacts } from './detectFormat.ts';
import { notRead, type Unread } from './unread.ts';

/** An email in an email in an email. */
const DEPTH_LIMIT = 3;
const COUNT_LIMIT = 200;
const NAME_CHARS = 60;
/** With a name, fits into the text about an unread part. */
const REASON_CHARS = 100;

type Blocks = AsyncIterable<Block | Unread>;
/** Never throws: a file that cannot be read is {@link Unread}. Texts about its parts begin with its name. */
export type ReadEmbedded = (bytes: Uint8Array, facts: FileFacts) => Blocks;

/** @param readFile reads one file; it receives the reader of the files within it */
export function embeddedReader(
  readFile: (bytes: Uint8Array, facts: FileFacts, readEmbedded: ReadEmbedded) => Blocks,
): ReadEmbedded {
  let count = 0;
  const atDepth = (depth: number): ReadEmbedded =>
    async function* (bytes, facts) {
      const name = startOf(basename(facts.key), NAME_CHARS);
      if (depth > DEPTH_LIMIT) {
        yield { unread: notRead(`the embedded file ${name}, which is more than ${DEPTH_LIMIT} files deep`) };
        return;
      }
      if (++count > COUNT_LIMIT) {
        // One warning is enough.
        if (count === COUNT_LIMIT + 1) yield { unread: notRead(`embedded files after the first ${COUNT_LIMIT}`) };
        return;
      }
      try {
        for await (const part of readFile(bytes, facts, atDepth(depth + 1))) {
          const isText = 'unread' in part && typeof part.unread === 'string';
          yield isText ? { unread: `${name}: ${part.unread}` } : part;
        }
      } catch (error) {
        const reason = error instanceof Error ? error.message : String(error);
        // Without the advice, which is about the file as a whole.
        const problem = startOf(reason.replace(/\.(\s.*)?$/s, ''), REASON_CHARS);
        yield { unread: notRead(`the embedded file ${name}: ${problem}`) };
      }
    };
  return atDepth(1);
}

/** Ranks the titles of an embedded file below those of the file around it, and drops its pages. */
export async function* below(level: number, blocks: Blocks): Blocks {
  for await (const block of blocks) {
    if ('unread' in block) yield block;
    else yield lowered(block, level);
  }
}

export function lowered({ pageNumber: _, ...block }: Block, levels: number): Block {
  if (block.type !== 'title' && block.type !== 'subtitle') return block;
  return { ...block, level: (block.level ?? (block.type === 'title' ? 1 : 2)) + levels };
}
