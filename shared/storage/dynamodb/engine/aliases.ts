/**
 * Aliases: the table stores attributes under one-letter names, because names count toward an item's size, and a write
 * unit covers one kilobyte. Attributes without an alias keep their name.
 */
export type Aliases = Readonly<Record<string, string>>;

type Encoded<A extends Aliases, R> = { [Word in keyof R as Word extends keyof A ? A[Word] : Word]: R[Word] };
type Inverted<A extends Aliases> = { readonly [Word in keyof A as A[Word]]: Word & string };

/** Returns the attributes of a record as the table stores them. */
export const encode = <const A extends Aliases, R extends object>(aliases: A, record: R) =>
  rename(record, aliases) as Encoded<A, R>;

/** Returns stored attributes under the names that the code uses. */
export const decode = <const A extends Aliases, S extends object>(aliases: A, stored: S) =>
  rename(stored, invert(aliases)) as Encoded<Inverted<A>, S>;

/** Returns the code's names by stored name. */
export const invert = <const A extends Aliases>(aliases: A) =>
  Object.fromEntries(Object.entries(aliases).map(([word, name]) => [name, word])) as Inverted<A>;

const rename = (attributes: object, names: Aliases) =>
  Object.fromEntries(Object.entries(attributes).map(([name, value]) => [names[name] ?? name, value]));
