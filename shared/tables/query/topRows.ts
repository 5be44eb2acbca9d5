/** The first rows of an order, out of more than fit into memory. */
import type { Order, Ordered } from './order.ts';

/** A buffer of this many is cut at least, so that few rows don't mean many cuts. */
const MIN_BUFFER = 64;

export class TopRows<T extends Ordered = Ordered> {
  readonly #compare: Order['compare'];
  readonly #count: number;
  #entries: T[] = [];
  /** Once there are enough: the last of them, behind which none need be kept. */
  #last: T | undefined;
  #total = 0;

  /** @param count how many to keep; about twice as many are in memory */
  constructor(compare: Order['compare'], count: number) {
    this.#compare = compare;
    this.#count = count;
  }

  /** How many were added. */
  get total() {
    return this.#total;
  }

  add(entry: T): void {
    this.#total++;
    if (this.#last && this.#compare(entry, this.#last) >= 0) return;
    this.#entries.push(entry);
    if (this.#entries.length >= Math.max(2 * this.#count, MIN_BUFFER)) this.#cut();
  }

  /** @returns the first `count`, in order */
  take(): T[] {
    this.#cut();
    return [...this.#entries];
  }

  #cut() {
    this.#entries.sort(this.#compare);
    if (this.#entries.length < this.#count) return;
    this.#entries.length = this.#count;
    this.#last = this.#entries.at(-1);
  }
}
