export interface Setting<Value> {
  meaning: string;
  /** Allowed values, for errors and the documentation, such as `from 1 to 900`. */
  values: string;
  unless: string;
  fallback: Value;
  /** Returns undefined or throws an error for an invalid value. */
  parse(text: string): Value | undefined;
}

type Optional<Value> = Setting<Value | undefined>;

export const oneOf = <const Value extends string>(choices: readonly [Value, ...Value[]], meaning: string) =>
  ({
    meaning,
    values: choices.join(' or '),
    unless: choices[0],
    fallback: choices[0],
    parse: text => choices.find(choice => choice === text),
  }) satisfies Setting<Value> as Setting<Value>;

interface Range {
  min: number;
  max: number;
}

function parseWholeNumber(text: string, { min, max }: Range): number | undefined {
  const value = Number(text);
  return /^\d+$/.test(text) && value >= min && value <= max ? value : undefined;
}

const rangeOf = ({ min, max }: Range) => `a whole number from ${min} to ${max}`;

export const wholeNumber = (range: Range & { fallback: number }, meaning: string): Setting<number> => ({
  meaning,
  values: rangeOf(range),
  unless: range.fallback.toLocaleString('en'),
  fallback: range.fallback,
  parse: text => parseWholeNumber(text, range),
});

export const optionalNumber = (range: Range, unless: string, meaning: string): Optional<number> => ({
  meaning,
  values: rangeOf(range),
  unless,
  fallback: undefined,
  parse: text => parseWholeNumber(text, range),
});

export const amount = (unless: string, meaning: string): Optional<number> => ({
  meaning,
  values: 'a number, 0 or more',
  unless,
  fallback: undefined,
  parse: text => (/^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined),
});

export const text = (pattern: RegExp, values: string, unless: string, meaning: string): Optional<string> => ({
  meaning,
  values,
  unless,
  fallback: undefined,
  parse: given => (pattern.test(given) ? given : undefined),
});

export const flag = (meaning: string): Setting<boolean> => ({
  meaning,
  values: 'true or false',
  unless: 'false',
  fallback: false,
  parse: given => (given === 'true' || given === 'false' ? given === 'true' : undefined),
});

export const parsed = <Value>(
  parse: (text: string) => Value,
  values: string,
  unless: string,
  meaning: string,
): Optional<Value> => ({ meaning, values, unless, fallback: undefined, parse });
