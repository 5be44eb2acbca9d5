/** Aggregates ignore null, as in SQL. */
import { compareValues, isComposite, ValueSet } from './compareValues.ts';

export const AGGREGATES = ['count', 'sum', 'avg', 'max', 'min', 'unique'] as const;
export type AggregateName = (typeof AGGREGATES)[number];

export interface Aggregate {
  add(value: unknown): void;
  /** Returns null for no values, except for counts and sets. */
  result(): unknown;
}

/** Reserves memory for a distinct value. Returns false at the limit across all groups. */
type TakeUnique = (value: unknown) => boolean;

export function newAggregate(name: AggregateName, takeUnique: TakeUnique): Aggregate {
  switch (name) {
    case 'count':
      return new Count();
    case 'sum':
      return new Sum();
    case 'avg':
      return new Average();
    case 'max':
      return new Extreme(1);
    case 'min':
      return new Extreme(-1);
    case 'unique':
      return new Unique(takeUnique);
  }
}

class Count implements Aggregate {
  #count = 0;

  add() {
    this.#count++;
  }

  result() {
    return this.#count;
  }
}

/** Neumaier's summation: compensates rounding errors, so the order of rows hardly matters. */
class Sum implements Aggregate {
  protected count = 0;
  #sum = 0;
  #lost = 0;

  add(value: unknown) {
    if (typeof value !== 'number') return;
    this.count++;
    const sum = this.#sum + value;
    this.#lost += Math.abs(this.#sum) >= Math.abs(value) ? this.#sum - sum + value : value - sum + this.#sum;
    this.#sum = sum;
  }

  result(): number | null {
    if (this.count === 0) return null;
    const sum = this.#sum + this.#lost;
    // After an overflow, the compensation is meaningless and infinities cancel out to NaN.
    return Number.isNaN(sum) ? this.#sum : sum;
  }
}

class Average extends Sum {
  override result() {
    const sum = super.result();
    return sum === null ? null : sum / this.count;
  }
}

class Extreme implements Aggregate {
  readonly #sign: 1 | -1;
  #value: unknown = null;

  constructor(sign: 1 | -1) {
    this.#sign = sign;
  }

  add(value: unknown) {
    // A path may lead to an object or array, which has no order.
    if (isComposite(value)) return;
    if (this.#value === null || this.#sign * compareValues(value, this.#value) > 0) this.#value = value;
  }

  result() {
    return this.#value;
  }
}

class Unique implements Aggregate {
  readonly #takeUnique: TakeUnique;
  #values: ValueSet | undefined;

  constructor(takeUnique: TakeUnique) {
    this.#takeUnique = takeUnique;
  }

  add(value: unknown) {
    if (this.#values?.has(value) || !this.#takeUnique(value)) return;
    this.#values ??= new ValueSet();
    this.#values.add(value);
  }

  result() {
    return this.#values?.sorted() ?? [];
  }
}
