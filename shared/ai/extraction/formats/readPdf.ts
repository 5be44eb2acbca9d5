/** PDF: pages of positioned glyphs. Positions and sizes determine lines, paragraphs and headings. */
import { getResolvedPDFJS } from 'unpdf';
import { type Block, UnreadableFileError } from '#shared/core/passage.ts';
import { bodySizeOf, type Line, linesOf, paragraphsOf } from './pdfLines.ts';

const PAGES_LIMIT = 20_000;
/** Pages sampled for the font size of the body text. */
const SAMPLE_PAGES = 10;
const CLEAN_EVERY_PAGES = 100;

const isPasswordMissing = (error: unknown) => error instanceof Error && error.name === 'PasswordException';

export async function* readPdf(bytes: Uint8Array): AsyncGenerator<Block> {
  const { getDocument, VerbosityLevel } = await getResolvedPDFJS();
  // Copied, because pdf.js transfers the bytes.
  const task = getDocument({
    data: new Uint8Array(bytes),
    verbosity: VerbosityLevel.ERRORS,
    isEvalSupported: false,
    disableFontFace: true,
    useSystemFonts: false,
    useWorkerFetch: false,
    enableXfa: false,
  });
  try {
    const pdf = await task.promise;
    if (pdf.numPages > PAGES_LIMIT) {
      throw new UnreadableFileError(
        `The PDF has ${pdf.numPages} pages, more than ${PAGES_LIMIT}. Split it into smaller files.`,
      );
    }
    const readPage = async (pageNumber: number): Promise<Line[]> => {
      const page = await pdf.getPage(pageNumber);
      const { items } = await page.getTextContent();
      page.cleanup();
      return linesOf(items.filter(item => 'str' in item));
    };
    yield* readPages(pdf.numPages, readPage, () => pdf.cleanup());
  } catch (error) {
    if (!isPasswordMissing(error)) throw error;
    throw new UnreadableFileError('The PDF is password-protected. Remove the password and upload it again.');
  } finally {
    await task.destroy();
  }
}

async function* readPages(
  count: number,
  readPage: (pageNumber: number) => Promise<Line[]>,
  clean: () => Promise<void>,
): AsyncGenerator<Block> {
  let failed: unknown;
  let failures = 0;
  const readable = async (pageNumber: number) => {
    try {
      return await readPage(pageNumber);
    } catch (error) {
      // A damaged page does not fail the other pages.
      failed = error;
      failures++;
      return [];
    }
  };
  const sample: Line[] = [];
  for (let page = 1; page <= Math.min(count, SAMPLE_PAGES); page++) sample.push(...(await readable(page)));
  const bodySize = bodySizeOf(sample);
  failures = 0;
  for (let page = 1; page <= count; page++) {
    for (const paragraph of paragraphsOf(await readable(page), bodySize)) yield { ...paragraph, pageNumber: page };
    if (page % CLEAN_EVERY_PAGES === 0) await clean();
  }
  if (failures === count && failed) throw failed;
}
