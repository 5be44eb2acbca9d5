import type { Column } from '#shared/storage/dynamodb/tables/column.ts';
import type { Table } from '#shared/storage/dynamodb/tables/tables.ts';

export const isComputed = (table: Table, { computed }: Column): boolean =>
  table.isComputeEnabled && computed !== undefined && computed.enabled !== false;

/** Returns ids: the declared dependencies, or by default all columns that are not computed. */
export const dependenciesOf = ({ columns }: Table, { id, computed }: Column): string[] => {
  const names = computed?.dependencies;
  return columns
    .filter(other => (names ? names.includes(other.name) : other.computed === undefined && other.id !== id))
    .map(other => other.id);
};

/** Adds the ids of all columns that depend on a stale one, directly or transitively. */
export function addDependents(table: Table, candidates: readonly Column[], stale: Set<string>): void {
  for (let hasMore = stale.size > 0; hasMore; ) {
    const more = candidates.filter(
      column => !stale.has(column.id) && dependenciesOf(table, column).some(id => stale.has(id)),
    );
    for (const { id } of more) stale.add(id);
    hasMore = more.length > 0;
  }
}
