/** Describes the patterns of schemas in words, because their expressions are hard to read. */
import type { JsonSchema } from './jsonSchemas.ts';

const WORDS: Readonly<Record<string, string>> = {
  '^[A-Za-z0-9-]{1,35}$': 'Format: 1 to 35 letters, digits and `-`.',
  '^[A-Za-z0-9_+/-]{1,64}$': 'Format: 1 to 64 letters, digits, `_`, `+`, `/` and `-`.',
  '^\\d{4}-(?:0[1-9]|1[0-2])$': 'Format: a month, `YYYY-MM`.',
  '^[a-z0-9][a-z0-9-]{1,48}[a-z0-9]$':
    'Format: 3 to 50 lowercase letters, digits and hyphens, without a hyphen at either end.',
  '^[A-Za-z0-9][A-Za-z0-9_-]*(?:\\/[A-Za-z0-9][A-Za-z0-9_-]*)?$':
    'Format: letters, digits, `-` and `_`, optionally after a workspace handle and `/`.',
  '^\\d+\\.\\d+\\.\\d+(?:[-+][0-9A-Za-z.-]+)?$': 'Format: a version, `MAJOR.MINOR.PATCH`.',
  '^[\\w.+-]+\\/[\\w.+-]+(?:\\s*;[ \\t\\x21-\\x7e]*)?$': 'Format: a media type, `type/subtype`.',
  '^(?!-)[a-z0-9-]+(?:\\.[a-z0-9-]+)+$': 'Format: a domain in lower case, such as `example.com`.',
  '^\\d{1,4}$': 'Format: a whole number of up to 4 digits.',
  '^\\d{1,9}$': 'Format: a whole number of up to 9 digits.',
  '^\\d{1,10}$': 'Format: a whole number of up to 10 digits.',
  '^[\\w-]{1,64}$': 'Format: 1 to 64 letters, digits, `_` and `-`.',
  '^#[0-9A-Fa-f]{6}$': 'Format: a color, `#rrggbb`.',
  '^(?:(?:[01]\\d|2[0-3]):[0-5]\\d|24:00)$': 'Format: a time of the day, `HH:MM`, from `00:00` to `24:00`.',
  '^[A-Za-z]\\w{0,39}$': 'Format: a letter, then up to 39 letters, digits and `_`.',
  '^[\\x21-\\x7e](?:[\\x20-\\x7e]{0,498}[\\x21-\\x7e])?$':
    'Format: up to 500 printable ASCII characters, without spaces at either end.',
};

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': 'date and time (ISO 8601)',
  date: 'date, `YYYY-MM-DD`',
  email: 'email address',
};

/** Returns the words for a format, such as `date-time`. */
export const formatInWords = (format: string): string => FORMATS[format] ?? format;

/**
 * Returns a sentence about the pattern of a value, or of the values inside a list or a nullable value.
 *
 * @throws Error if a pattern has no words
 */
export function patternInWords(schema: JsonSchema): string | undefined {
  const { pattern, format, items } = schema as { pattern?: string; format?: string; items?: JsonSchema };
  // Patterns of formats only repeat them.
  if (pattern !== undefined && format === undefined) {
    const words = WORDS[pattern];
    if (words === undefined) throw new Error(`Describe the pattern ${pattern} in infra/gateway/reference/patterns.ts.`);
    return words;
  }
  const inner = [...(items ? [items] : []), ...((schema.anyOf ?? schema.oneOf ?? []) as JsonSchema[])];
  return inner.map(patternInWords).find(words => words !== undefined);
}
