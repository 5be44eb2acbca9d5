import { TABLE_BY_NAME } from '#shared/api/reference/costs.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { importTable } from './importTable.ts';

export default reference<typeof importTable>({
  example: { path: { table: 'peopleTable' }, body: { fileId: EXAMPLE.csvFile } },
  // Also reads the file.
  budget: { calls: TABLE_BY_NAME + 2 },
});
