import { TABLE_BY_NAME } from '#shared/api/reference/costs.ts';
import { limit } from '#shared/api/reference/errors.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { deleteTableRows } from './deleteTableRows.ts';

export default reference<typeof deleteTableRows>({
  errors: [limit('The table has too many rows to filter in one call.')],
  example: { path: { table: 'peopleTable' }, body: { ids: [1] } },
  budget: { calls: TABLE_BY_NAME + 1 },
});
