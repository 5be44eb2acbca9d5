/** A map with what changes, and without what is null. */
export const applied = <V>(before: Record<string, V>, changes: Record<string, V | null>): Record<string, V> =>
  Object.fromEntries(
    Object.entries({ ...before, ...changes }).filter((entry): entry is [string, V] => entry[1] !== null),
  );
