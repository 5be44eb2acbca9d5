import { startOf } from '#shared/core/excerpt.ts';
import { UNREAD_LIMIT, UNREAD_LIMIT_CHARS } from '#shared/core/passage.ts';
import { describeUnread, type Unread, type UnreadKind } from './formats/unread.ts';

/** Beyond it, repeated texts are counted as further parts. */
const DISTINCT_LIMIT = 1_000;

/** Collects the unread parts of a file: distinct texts without control characters, few and short. */
export class UnreadParts {
  readonly #counts = new Map<UnreadKind, number>();
  readonly #texts = new Set<string>();
  #more = 0;

  add({ unread }: Unread): void {
    if (typeof unread === 'string') this.#addText(unread);
    else this.#counts.set(unread.kind, (this.#counts.get(unread.kind) ?? 0) + unread.count);
  }

  #addText(raw: string): void {
    const text = startOf(raw.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim(), UNREAD_LIMIT_CHARS);
    if (text === '' || this.#texts.has(text)) return;
    if (this.#texts.size < DISTINCT_LIMIT) this.#texts.add(text);
    else this.#more++;
  }

  /** Returns the counted parts first, because the number of the other texts is unlimited. */
  texts(): string[] {
    const counted = [...this.#counts].filter(([, count]) => count > 0);
    const all = [...counted.map(([kind, count]) => describeUnread(kind, count)), ...this.#texts];
    if (all.length <= UNREAD_LIMIT) return all;
    const more = all.length - (UNREAD_LIMIT - 1) + this.#more;
    return [...all.slice(0, UNREAD_LIMIT - 1), `${more.toLocaleString('en')} more parts were not read.`];
  }
}
