/**
 * Extracts the text blocks of a file. Files are untrusted: their declarations are verified, and their references are
 * not fetched.
 */

import { decodeText } from '#shared/ai/extraction/formats/decodeText.ts';
import { detectFormat, type FileFacts, type Format } from '#shared/ai/extraction/formats/detectFormat.ts';
import { embeddedReader, type ReadEmbedded } from '#shared/ai/extraction/formats/readEmbedded.ts';
import { startOf } from '#shared/core/excerpt.ts';
import { type Block, UnreadableFileError } from '#shared/core/passage.ts';
import type { Unread } from './formats/unread.ts';
import { UnreadParts } from './unreadParts.ts';

/** Limits the text, because a small file can reference the same strings often enough to exhaust the memory. */
const TEXT_LIMIT_CHARS = 100_000_000;
const BLOCKS_LIMIT = 1_000_000;

type Parts = AsyncIterable<Block | Unread> | Iterable<Block | Unread>;
type Reader = (bytes: Uint8Array, facts: FileFacts, readEmbedded: ReadEmbedded) => Promise<Parts>;

export interface Extracted {
  blocks: Block[];
  /** Parts without text in `blocks`: at most `UNREAD_LIMIT`. */
  unread: string[];
}

/** Loaded on demand, because loading all readers takes longer than reading most files. */
const READERS: Record<Format, Reader> = {
  PDF: async bytes => (await import('./formats/readPdf.ts')).readPdf(bytes),
  Office: async (bytes, facts, readEmbedded) =>
    (await import('./formats/readOffice.ts')).readOffice(bytes, facts, readEmbedded),
  RTF: async bytes => (await import('./formats/readRtf.ts')).readRtf(bytes),
  email: async (bytes, _, readEmbedded) => (await import('./formats/readEmail.ts')).readEmail(bytes, readEmbedded),
  HTML: async (bytes, { contentType }) =>
    (await import('./formats/readHtml.ts')).readHtml(await decodeText(bytes, contentType)),
  Markdown: async (bytes, { contentType }) =>
    (await import('./formats/readMarkdown.ts')).readMarkdown(await decodeText(bytes, contentType)),
  CSV: async (bytes, { contentType }) =>
    (await import('./formats/readCsv.ts')).readCsv(await decodeText(bytes, contentType)),
  JSON: async (bytes, { contentType }) =>
    (await import('./formats/readJson.ts')).readJson(await decodeText(bytes, contentType)),
  notebook: async (bytes, { contentType }) =>
    (await import('./formats/readNotebook.ts')).readNotebook(await decodeText(bytes, contentType)),
  code: async (bytes, { contentType }) => [{ type: 'code', text: await decodeText(bytes, contentType) }],
  text: async (bytes, { contentType }) =>
    (await import('./formats/readText.ts')).readText(await decodeText(bytes, contentType)),
};

/** @throws {UnreadableFileError} with the reason and the fix */
export async function extract(bytes: Uint8Array, facts: FileFacts): Promise<Extracted> {
  if (bytes.length === 0) throw new UnreadableFileError('The file is empty.');
  const format = detectFormat(bytes, facts);
  const blocks: Block[] = [];
  const unread = new UnreadParts();
  let chars = 0;
  try {
    for await (const part of await READERS[format](bytes, facts, embeddedReader(readFile))) {
      if ('unread' in part) {
        unread.add(part);
        continue;
      }
      const text = tidy(part.text);
      if (!/\S/.test(text)) continue;
      chars += text.length;
      if (chars > TEXT_LIMIT_CHARS || blocks.length === BLOCKS_LIMIT) throw tooLarge();
      blocks.push({ ...part, text });
    }
  } catch (error) {
    throw error instanceof UnreadableFileError ? error : damaged(format, error);
  }
  if (blocks.length === 0) {
    const reasons = unread.texts().join(' ');
    throw new UnreadableFileError(reasons ? `No text could be read. ${reasons}` : 'The file contains no text.');
  }
  return { blocks, unread: unread.texts() };
}

async function* readFile(bytes: Uint8Array, facts: FileFacts, readEmbedded: ReadEmbedded) {
  yield* await READERS[detectFormat(bytes, facts)](bytes, facts, readEmbedded);
}

const tooLarge = () =>
  new UnreadableFileError(
    `The file has more than ${TEXT_LIMIT_CHARS / 1e6} million characters or ${BLOCKS_LIMIT / 1e6} million rows or paragraphs. Split it into smaller files.`,
  );

function damaged(format: Format, cause: unknown): UnreadableFileError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  const kind = format === 'text' || format === 'code' ? 'text' : format;
  return new UnreadableFileError(`The file is damaged or not valid ${kind}: ${startOf(reason, 200)}`, { cause });
}

/** Removes lone surrogates and control characters, and normalizes line ends. */
const tidy = (text: string) =>
  text
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029\f]/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: matches them on purpose
    .replace(/[\0-\x08\x0b\x0e-\x1f\x7f\ufeff]/g, '');
