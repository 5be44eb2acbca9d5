import { isDeepStrictEqual } from 'node:util';

/**
 * Attributes whose changes grant no access, with the reason. Every other attribute grants access, including one that is
 * added later.
 */
export type Harmless<Record> = { readonly [Attribute in keyof Record]?: string };

/** Returns the first changed attribute that is not harmless. */
export function changedAttribute<T extends object>(
  before: Partial<T>,
  after: T,
  harmless: Harmless<T>,
): (keyof T & string) | undefined {
  const names = new Set([...Object.keys(before), ...Object.keys(after)]) as Set<keyof T & string>;
  return [...names].find(name => !Object.hasOwn(harmless, name) && isChanged(before[name], after[name]));
}

/** Compares values as they are stored: without undefined fields. */
export const isChanged = (before: unknown, after: unknown) => !isDeepStrictEqual(stored(before), stored(after));

const stored = (value: unknown) => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));

/** The attributes that every update of a record sets. */
export const BOOKKEEPING = {
  updatedAtMs: 'the time of the change',
  deployedAtMs: 'the time of the change',
} as const;
