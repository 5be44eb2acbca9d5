/** Tags as rows of a form. */

export interface TagRow {
  id: number;
  name: string;
  value: string;
}

export const tagRows = (tags: Readonly<Record<string, string>>): TagRow[] =>
  Object.entries(tags).map(([name, value], id) => ({ id, name, value }));

/** Returns the tags that differ, with null for removed ones. Rows without a name or a value count as removed. */
export function changedTags(
  before: Readonly<Record<string, string>>,
  rows: readonly TagRow[],
): Record<string, string | null> {
  const after = Object.fromEntries(
    rows.map(({ name, value }) => [name.trim(), value]).filter(([name, value]) => name !== '' && value !== ''),
  ) as Record<string, string>;
  const changes: Record<string, string | null> = {};
  for (const name of Object.keys(before)) if (!Object.hasOwn(after, name)) changes[name] = null;
  for (const [name, value] of Object.entries(after)) {
    if (!Object.hasOwn(before, name) || before[name] !== value) changes[name] = value;
  }
  return changes;
}
