import type { Lack } from './pdfLack.ts';
import type { Unread } from './unread.ts';

type Reason = Exclude<Lack, 'blank'> | 'damaged';

/** Pages that a text names. The others are counted. */
const NAMED_PAGES = 5;
const RECOGNIZE = 'Run text recognition (OCR) on the file and upload it again.';

const SENTENCES: Record<Reason, (pages: string, isOne: boolean) => string> = {
  image: (pages, isOne) => `${pages} ${isOne ? 'contains' : 'contain'} only images. ${RECOGNIZE}`,
  drawing: (pages, isOne) => `${pages} ${isOne ? 'contains' : 'contain'} only drawings. ${RECOGNIZE}`,
  undecodable: (pages, isOne) =>
    `${pages} ${isOne ? 'has' : 'have'} text in fonts that do not declare their characters. ${RECOGNIZE}`,
  damaged: (pages, isOne) => `${pages} ${isOne ? 'is' : 'are'} damaged. Save the file again and re-upload it.`,
};

/** Unread pages by reason, each reason as one text. */
export class UnreadPages {
  readonly #pages = new Map<Reason, number[]>();

  add(reason: Reason, page: number): void {
    const pages = this.#pages.get(reason);
    if (pages) pages.push(page);
    else this.#pages.set(reason, [page]);
  }

  *parts(): Generator<Unread> {
    for (const [reason, pages] of this.#pages) {
      yield { unread: SENTENCES[reason](nameOf(pages), pages.length === 1) };
    }
  }
}

function nameOf(pages: readonly number[]): string {
  if (pages.length === 1) return `Page ${pages[0]}`;
  const named = pages.slice(0, NAMED_PAGES).join(', ');
  return `${pages.length.toLocaleString('en')} pages (${named}${pages.length > NAMED_PAGES ? ', …' : ''})`;
}
