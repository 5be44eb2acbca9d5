import { TABLE_BY_NAME } from '#shared/api/reference/costs.ts';
import { ROW_QUOTA } from '#shared/api/reference/errors.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { createTableRows } from './createTableRows.ts';

export default reference<typeof createTableRows>({
  errors: [ROW_QUOTA],
  example: { path: { table: 'peopleTable' }, body: { rows: [{ name: 'Bob', age: 7 }] } },
  // Reserves the row's id and writes the row.
  budget: { calls: TABLE_BY_NAME + 2 },
});
