/** The order and equality of JSON values. */

/** UTF-16 orders surrogates before U+E000 to U+FFFF, UTF-8 after them. */
const isHigh = (unit: number) => unit >= 0xd800;
const rankOfHigh = (unit: number) => (unit >= 0xe000 ? unit - 0x800 : unit + 0x2000);

/** Compares by code point, which is the order of UTF-8. @returns less than, equal to or more than 0 */
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

/** Not by subtraction: JSON numbers may be read as infinity. */
export const compareNumbers = (a: number, b: number) => (a < b ? -1 : a > b ? 1 : 0);

/** The rank of a value's type. Null comes last. */
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
 * Orders numbers, then strings, booleans, objects and arrays (all equal), and null.
 * @returns less than, equal to or more than 0
 */
export function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return compareNumbers(a, b);
  if (typeof a === 'string' && typeof b === 'string') return compareStrings(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  return rank(a) - rank(b);
}

/** Like {@link compareValues}, with null and values without an order last in both directions. */
export function compareInDirection(a: unknown, b: unknown, isDescending: boolean): number {
  if (!isDescending || !isOrdered(a) || !isOrdered(b)) return compareValues(a, b);
  return compareValues(b, a);
}

const isOrdered = (value: unknown) => typeof value !== 'object';

export const isComposite = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * The JSON text of a value, the same for all deeply equal values: keys are sorted. It is iterative, as a value may be
 * nested deeper than the stack allows.
 */
export function canonical(value: unknown): string {
  if (!isComposite(value)) return JSON.stringify(value);
  let text = '';
  // A stack of texts and values still to write.
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

/** A set of JSON values that compares by deep equality. */
export class ValueSet {
  readonly #scalars = new Set<unknown>();
  /** By canonical text. Created on demand: most sets have none. */
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

  /** Ascending; objects and arrays last, by their canonical texts. */
  sorted(): unknown[] {
    const composites = [...(this.#composites ?? [])].sort(([a], [b]) => compareStrings(a, b));
    return [...[...this.#scalars].sort(compareValues), ...composites.map(([, value]) => value)];
  }
}
