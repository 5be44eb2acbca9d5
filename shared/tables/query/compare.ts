/** How values are ordered, and when they are the same. */

/** UTF-16 orders surrogates before U+E000 to U+FFFF, UTF-8 behind them. */
const isHigh = (unit: number) => unit >= 0xd800;
const rankOfHigh = (unit: number) => (unit >= 0xe000 ? unit - 0x800 : unit + 0x2000);

/** By code point, which is the order of UTF-8. @returns less than, equal to or more than 0 */
export function compareStrings(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const unitOfA = a.charCodeAt(i);
    const unitOfB = b.charCodeAt(i);
    if (unitOfA === unitOfB) continue;
    const areHigh = isHigh(unitOfA) && isHigh(unitOfB);
    return areHigh ? rankOfHigh(unitOfA) - rankOfHigh(unitOfB) : unitOfA - unitOfB;
  }
  return a.length - b.length;
}

/** JSON has numbers that are read as infinity, whose difference is none. */
export const compareNumbers = (a: number, b: number) => (a < b ? -1 : a > b ? 1 : 0);

/** Where values of a type stand among those of others. Null is behind all. */
function rank(value: unknown) {
  switch (typeof value) {
    case 'number':
      return 0;
    case 'string':
      return 1;
    case 'boolean':
      return 2;
    default:
      return value === null ? 4 : 3;
  }
}

/**
 * Numbers, then strings, then booleans, then objects and arrays (which are all alike), then null.
 * @returns less than, equal to or more than 0
 */
export function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return compareNumbers(a, b);
  if (typeof a === 'string' && typeof b === 'string') return compareStrings(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  return rank(a) - rank(b);
}

/** As {@link compareValues}, but what cannot be ordered, and null, is last in both directions. */
export function compareInDirection(a: unknown, b: unknown, isDescending: boolean): number {
  if (!isDescending || !isOrdered(a) || !isOrdered(b)) return compareValues(a, b);
  return compareValues(b, a);
}

const isOrdered = (value: unknown) => typeof value !== 'object';

export const isComposite = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * The JSON text of a value, the same for all that are deeply equal: the order of keys does not count. Values of rows may
 * be nested deeper than the stack goes, so it does not call itself.
 */
export function canonical(value: unknown): string {
  if (!isComposite(value)) return JSON.stringify(value);
  let text = '';
  // What is still to be written, the next last: texts as they are, and values.
  const todo: ({ text: string } | { value: unknown })[] = [{ value }];
  for (let next = todo.pop(); next; next = todo.pop()) {
    if ('text' in next) text += next.text;
    else if (!isComposite(next.value)) text += JSON.stringify(next.value);
    else if (Array.isArray(next.value)) {
      text += '[';
      todo.push({ text: ']' });
      for (let i = next.value.length - 1; i >= 0; i--) {
        todo.push({ value: next.value[i] });
        if (i > 0) todo.push({ text: ',' });
      }
    } else {
      const object = next.value as Record<string, unknown>;
      text += '{';
      todo.push({ text: '}' });
      const keys = Object.keys(object).sort();
      for (let i = keys.length - 1; i >= 0; i--) {
        const key = keys[i]!;
        todo.push({ value: object[key] }, { text: `${i > 0 ? ',' : ''}${JSON.stringify(key)}:` });
      }
    }
  }
  return text;
}

/** A set of JSON values, in which what is deeply equal is the same. */
export class ValueSet {
  readonly #scalars = new Set<unknown>();
  /** By their canonical text. Most sets have none. */
  #composites: Map<string, object> | undefined;

  has(value: unknown): boolean {
    if (!isComposite(value)) return this.#scalars.has(value);
    return this.#composites?.has(canonical(value)) ?? false;
  }

  add(value: unknown): void {
    if (!isComposite(value)) {
      this.#scalars.add(value);
      return;
    }
    this.#composites ??= new Map();
    const text = canonical(value);
    if (!this.#composites.has(text)) this.#composites.set(text, value);
  }

  /** In ascending order; objects and arrays behind all else, by their canonical texts. */
  sorted(): unknown[] {
    const composites = [...(this.#composites ?? [])].sort(([a], [b]) => compareStrings(a, b));
    return [...[...this.#scalars].sort(compareValues), ...composites.map(([, value]) => value)];
  }
}
