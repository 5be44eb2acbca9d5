import { setImmediate } from 'node:timers/promises';
import { clock } from '#shared/core/clock.ts';
import { ApiError } from '#shared/core/errors.ts';
import type { Filter } from '#shared/domain/tables/query/filter.ts';
import type { Values } from '#shared/domain/tables/schema/rowValues.ts';
import type { Row } from '#shared/storage/dynamodb/tables/row.ts';

/**
 * Yields to other requests if the patterns have run for long. Returns undefined otherwise: promises per row are slow.
 */
export const yieldIfDue = ({ work }: Filter): Promise<void> | undefined => (work.isDue() ? setImmediate() : undefined);

export async function matchRows(
  rows: readonly Row[],
  filter: Filter,
  valuesOf: (row: Row) => Values,
  deadlineMs: number,
): Promise<{ row: Row; values: Values }[]> {
  const matching: { row: Row; values: Values }[] = [];
  for (const row of rows) {
    const values = valuesOf(row);
    if (filter.matches(values)) matching.push({ row, values });
    const rest = yieldIfDue(filter);
    if (!rest) continue;
    await rest;
    if (clock.now() <= deadlineMs) continue;
    throw new ApiError(
      'LimitExceeded',
      'The call timed out while matching the $regex patterns of the filter. Use simpler patterns, or a filter that reads fewer rows.',
    );
  }
  return matching;
}
