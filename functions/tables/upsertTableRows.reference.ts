import { TABLE_BY_NAME } from '#shared/api/reference/costs.ts';
import { limit, ROW_QUOTA } from '#shared/api/reference/errors.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { upsertTableRows } from './upsertTableRows.ts';

export default reference<typeof upsertTableRows>({
  errors: [ROW_QUOTA, limit('The table has too many rows for an upsert by a column that is not its key.')],
  example: { path: { table: 'peopleTable' }, body: { keyColumn: 'name', rows: [{ name: 'Ada', age: 38 }] } },
  // Reads rows with the value, the key entry and the current row, and writes the new one.
  budget: { calls: TABLE_BY_NAME + 4 },
});
