import { TABLE_BY_NAME } from '#shared/api/reference/costs.ts';
import { limit } from '#shared/api/reference/errors.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { findTableRows } from './findTableRows.ts';

export default reference<typeof findTableRows>({
  errors: [limit('The table has too many rows to filter, sort or group in one call.')],
  example: { path: { table: 'peopleTable' }, body: { filter: { age: { $gte: 18 } }, orderBy: 'name', limit: 10 } },
  // Reads the single shard of a small table, and then the matching rows.
  budget: { calls: TABLE_BY_NAME + 2 },
});
