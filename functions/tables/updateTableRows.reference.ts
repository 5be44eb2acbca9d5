import { TABLE_BY_NAME } from '#shared/api/reference/costs.ts';
import { ROW_QUOTA } from '#shared/api/reference/errors.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { updateTableRows } from './updateTableRows.ts';

export default reference<typeof updateTableRows>({
  errors: [ROW_QUOTA],
  example: { path: { table: 'peopleTable' }, body: { rows: [{ id: 1, age: 37 }] } },
  // Reads the current row and writes the new one.
  budget: { calls: TABLE_BY_NAME + 2 },
});
