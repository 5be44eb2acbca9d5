/** UTF-16 orders surrogates before U+E000 to U+FFFF, UTF-8 after them. */
const isHigh = (unit: number) => unit >= 0xd800;
const rankOfHigh = (unit: number) => (unit >= 0xe000 ? unit - 0x800 : unit + 0x2000);

/** Compares by code point, which is the order of UTF-8. */
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

/** Subtraction would fail for infinity, which a computed sum may reach. */
export const compareNumbers = (a: number, b: number) => (a < b ? -1 : a > b ? 1 : 0);

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

/** Orders numbers before strings, booleans, objects and arrays (all equal), and null. */
export function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return compareNumbers(a, b);
  if (typeof a === 'string' && typeof b === 'string') return compareStrings(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  return rank(a) - rank(b);
}

/** Like {@link compareValues}, but null and composite values are last in both directions. */
export function compareInDirection(a: unknown, b: unknown, isDescending: boolean): number {
  if (!isDescending || !isOrdered(a) || !isOrdered(b)) return compareValues(a, b);
  return compareValues(b, a);
}

const isOrdered = (value: unknown) => typeof value !== 'object';

export const isComposite = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * Returns equal text for deeply equal values. Iterative, because a value may be nested deeper than the stack allows.
 */
export function canonical(value: unknown): string {
  if (!isComposite(value)) return JSON.stringify(value);
  let text = '';
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

export class ValueSet {
  readonly #scalars = new Set<unknown>();
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

  sorted(): unknown[] {
    const composites = [...(this.#composites ?? [])].sort(([a], [b]) => compareStrings(a, b));
    return [...[...this.#scalars].sort(compareValues), ...composites.map(([, value]) => value)];
  }
}
