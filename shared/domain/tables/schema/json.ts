/** JSON of callers that is stored as it was sent. */

export type Json = Record<string, unknown>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Why a value cannot be stored, if it cannot, as a phrase that follows its name: "is nested too deeply".
 * @param depth levels of nested objects and arrays it may have
 */
export function faultOfJson(value: unknown, depth: number): string | undefined {
  switch (typeof value) {
    case 'string':
      return faultOfText(value);
    // JSON.parse reads 1e999 as infinity.
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

/** A lone surrogate cannot be encoded in UTF-8. */
const faultOfText = (text: string) =>
  text.isWellFormed() ? undefined : 'has a text that is not well-formed Unicode (a lone surrogate)';
