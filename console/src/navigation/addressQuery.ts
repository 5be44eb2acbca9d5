/** Values of a URL's query as texts. */

export type Query = Readonly<Record<string, unknown>>;

/** Accepts numbers and booleans, because the router parses them in hand-written links. Ignores other types. */
export function textOf(query: Query, name: string): string {
  const value = query[name];
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : '';
}

/** Returns the query with changed values. Empty ones are removed. */
export function withChanges(query: Query, changes: Readonly<Record<string, string>>): Query {
  return Object.fromEntries(Object.entries({ ...query, ...changes }).filter(([, value]) => value !== ''));
}
