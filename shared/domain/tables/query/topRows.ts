import type { Order, Ordered } from './rowOrder.ts';

const MIN_BUFFER = 64;

export class TopRows<T extends Ordered = Ordered> {
  readonly #compare: Order['compare'];
  readonly #count: number;
  #entries: T[] = [];
  #last: T | undefined;
  #total = 0;

  /** @param count rows to keep; up to twice as many are in memory */
  constructor(compare: Order['compare'], count: number) {
    this.#compare = compare;
    this.#count = count;
  }

  get total() {
    return this.#total;
  }

  add(entry: T): void {
    this.#total++;
    if (this.#last && this.#compare(entry, this.#last) >= 0) return;
    this.#entries.push(entry);
    if (this.#entries.length >= Math.max(2 * this.#count, MIN_BUFFER)) this.#cut();
  }

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
