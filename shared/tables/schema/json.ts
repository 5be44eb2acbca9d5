/** What callers send as JSON and is kept as it came. */

export type Json = Record<string, unknown>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Why a value cannot be kept, if it cannot, to follow what it is called: "is nested too deeply".
 * @param depth how many objects and arrays it may have one in another
 */
export function faultOfJson(value: unknown, depth: number): string | undefined {
  switch (typeof value) {
    case 'string':
      return faultOfText(value);
    // JSON says 1e999 where it has no number for it.
    case 'number':
      return Number.isFinite(value) ? undefined : 'has a number that is not finite';
    case 'boolean':
      return undefined;
    case 'object':
      return value === null ? undefined : faultWithin(value, depth);
    default:
      return 'is not JSON';
  }
}

function faultWithin(value: object, depth: number): string | undefined {
  if (depth === 0) return 'is nested too deeply';
  for (const [key, each] of Object.entries(value)) {
    const fault = faultOfText(key) ?? faultOfJson(each, depth - 1);
    if (fault) return fault;
  }
}

/** Half a surrogate pair cannot be written as UTF-8, and so not be stored. */
const faultOfText = (text: string) =>
  text.isWellFormed() ? undefined : 'has a text that is not well-formed Unicode (a lone surrogate)';
