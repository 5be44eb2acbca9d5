import { startOf } from '#shared/core/excerpt.ts';
import { UNREAD_LIMIT, UNREAD_LIMIT_CHARS } from '#shared/core/passage.ts';

/** Beyond it, repeated texts are counted as further parts. */
const DISTINCT_LIMIT = 1_000;

/** Collects the unread parts of a file: distinct texts without control characters, few and short. */
export class UnreadParts {
  readonly #texts = new Set<string>();
  #more = 0;

  /** @param raw sentences, or a noun phrase for what was not read */
  add(raw: string): void {
    const phrase = raw.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim();
    const isSentence = phrase === '' || /[.!?]$/.test(phrase);
    const text = startOf(isSentence ? phrase : `Not read: ${phrase}.`, UNREAD_LIMIT_CHARS);
    if (text === '' || this.#texts.has(text)) return;
    if (this.#texts.size < DISTINCT_LIMIT) this.#texts.add(text);
    else this.#more++;
  }

  texts(): string[] {
    const all = [...this.#texts];
    if (all.length <= UNREAD_LIMIT) return all;
    const more = all.length - (UNREAD_LIMIT - 1) + this.#more;
    return [...all.slice(0, UNREAD_LIMIT - 1), `${more.toLocaleString('en')} more parts were not read.`];
  }
}
