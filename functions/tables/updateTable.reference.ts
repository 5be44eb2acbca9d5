import { TABLE_BY_NAME } from '#shared/api/reference/costs.ts';
import { FROZEN, limit, TABLE_NAME } from '#shared/api/reference/errors.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { updateTable } from './updateTable.ts';

export default reference<typeof updateTable>({
  errors: [TABLE_NAME, FROZEN, limit('The table has too many rows for this change in one call.')],
  example: {
    path: { table: 'peopleTable' },
    body: { schema: { type: 'object', properties: { born: { type: 'string' } } } },
  },
  budget: { calls: TABLE_BY_NAME + 1 },
});
