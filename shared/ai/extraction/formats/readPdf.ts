/** PDF: pages of positioned glyphs. Positions and sizes determine lines, paragraphs and headings. */
import { getResolvedPDFJS } from 'unpdf';
import { type Block, UnreadableFileError } from '#shared/core/passage.ts';
import { characterMap } from './characterMaps.ts';
import { type Annotation, annotationBlocks } from './pdfAnnotations.ts';
import { type Lack, lackOfText } from './pdfLack.ts';
import { bodySizeOf, type Line, linesOf, paragraphsOf } from './pdfLines.ts';
import type { Unread } from './unread.ts';
import { UnreadPages } from './unreadPages.ts';

const PAGES_LIMIT = 20_000;
/** Pages sampled for the font size of the body text. */
const SAMPLE_PAGES = 10;
const CLEAN_EVERY_PAGES = 100;

const isPasswordMissing = (error: unknown) => error instanceof Error && error.name === 'PasswordException';

/** The factory of pdf.js, without access to files and the network. Standard fonts are needed only for drawing. */
class LocalData {
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const map = kind === 'cMapUrl' ? characterMap(filename) : undefined;
    if (!map) throw new Error(`${filename} is not available.`);
    return map;
  }
}

export async function* readPdf(bytes: Uint8Array): AsyncGenerator<Block | Unread> {
  const { getDocument, VerbosityLevel, OPS } = await getResolvedPDFJS();
  const task = getDocument({
    // Copied, because pdf.js transfers the bytes.
    data: new Uint8Array(bytes),
    verbosity: VerbosityLevel.ERRORS,
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    enableXfa: false,
    // Omits images, whose decoding takes time and memory.
    maxImageSize: 0,
    BinaryDataFactory: LocalData,
  });
  try {
    const pdf = await task.promise;
    if (pdf.numPages > PAGES_LIMIT) {
      throw new UnreadableFileError(
        `The PDF has ${pdf.numPages} pages, more than ${PAGES_LIMIT}. Split it into smaller files.`,
      );
    }
    yield* readPages(pdf.numPages, {
      async linesOf(pageNumber) {
        const page = await pdf.getPage(pageNumber);
        const { items } = await page.getTextContent();
        page.cleanup();
        return linesOf(items.filter(item => 'str' in item));
      },
      async annotationsOf(pageNumber) {
        return (await pdf.getPage(pageNumber)).getAnnotations();
      },
      async lackOf(pageNumber) {
        const page = await pdf.getPage(pageNumber);
        const list = await page.getOperatorList();
        page.cleanup();
        return lackOfText(list, OPS);
      },
      clean: () => pdf.cleanup(),
    });
  } catch (error) {
    if (!isPasswordMissing(error)) throw error;
    throw new UnreadableFileError('The PDF is password-protected. Remove the password and upload it again.');
  } finally {
    await task.destroy();
  }
}

interface Pages {
  linesOf(pageNumber: number): Promise<Line[]>;
  annotationsOf(pageNumber: number): Promise<Annotation[]>;
  /** Called for pages without text. */
  lackOf(pageNumber: number): Promise<Lack>;
  clean(): Promise<void>;
}

async function* readPages(count: number, pages: Pages): AsyncGenerator<Block | Unread> {
  let failed: unknown;
  let failures = 0;
  const unread = new UnreadPages();
  /** Returns undefined after a failure: a damaged page does not fail the other pages. */
  const attempt = async <Result>(read: () => Promise<Result>): Promise<Result | undefined> => {
    try {
      return await read();
    } catch (error) {
      failed = error;
      return undefined;
    }
  };
  const readLines = (page: number) => attempt(() => pages.linesOf(page));
  const sample: Line[] = [];
  for (let page = 1; page <= Math.min(count, SAMPLE_PAGES); page++) sample.push(...((await readLines(page)) ?? []));
  const bodySize = bodySizeOf(sample);
  const seen = new Set<string>();
  for (let page = 1; page <= count; page++) {
    const lines = await readLines(page);
    if (!lines) {
      failures++;
      unread.add('damaged', page);
      continue;
    }
    const text = lines.map(line => line.text).join('\n');
    const added = await attempt(async () => [...annotationBlocks(await pages.annotationsOf(page), text, seen)]);
    const isUndecoded = hasUndecoded(text);
    if (!added) unread.add('damaged', page);
    else if (isUndecoded) unread.add('undecodable', page);
    else if (text.trim() === '') {
      const lack = (await attempt(() => pages.lackOf(page))) ?? 'damaged';
      if (lack !== 'blank') unread.add(lack, page);
    }
    const legible = isUndecoded ? lines.map(line => ({ ...line, text: line.text.replace(UNDECODED, '') })) : lines;
    for (const block of [...paragraphsOf(legible, bodySize), ...(added ?? [])]) yield { ...block, pageNumber: page };
    if (page % CLEAN_EVERY_PAGES === 0) await pages.clean();
  }
  if (failures === count && failed) throw failed;
  yield* unread.parts();
}

/** A font without a mapping to Unicode yields control characters or codes for private use. */
const UNDECODED_SHARE = 0.3;
const UNDECODED = /[\p{Co}\p{Cn}\ufffd]|[^\P{Cc}\s]/gu;

function hasUndecoded(text: string): boolean {
  const all = text.replace(/\s+/g, '').length;
  return all > 0 && (text.match(UNDECODED)?.length ?? 0) > all * UNDECODED_SHARE;
}
