export type Json = Record<string, unknown>;

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns why a value cannot be stored, as a phrase after its name: "is nested too deeply". */
export function faultOfJson(value: unknown, depth: number): string | undefined {
  switch (typeof value) {
    case 'string':
      return faultOfText(value);
    case 'number':
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

/** UTF-8 cannot encode a lone surrogate. */
const faultOfText = (text: string) =>
  text.isWellFormed() ? undefined : 'has a string that is not well-formed Unicode (a lone surrogate)';
