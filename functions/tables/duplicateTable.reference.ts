import { TABLE_BY_NAME } from '#shared/api/reference/costs.ts';
import { DEFINITIONS, ROW_QUOTA, TABLE_NAME } from '#shared/api/reference/errors.ts';
import { EXAMPLE } from '#shared/api/reference/example.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { duplicateTable } from './duplicateTable.ts';

export default reference<typeof duplicateTable>({
  errors: [TABLE_NAME, DEFINITIONS, ROW_QUOTA],
  parameters: {
    sourceTableId: 'The name or id of the table to copy.',
  },
  example: { path: { sourceTableId: EXAMPLE.table }, body: { tableName: 'copyTable' } },
  budget: { calls: TABLE_BY_NAME + 3 },
});
