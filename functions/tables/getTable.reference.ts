import { TABLE_BY_NAME } from '#shared/api/reference/costs.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { getTable } from './getTable.ts';

export default reference<typeof getTable>({
  example: { path: { table: 'peopleTable' } },
  budget: { calls: TABLE_BY_NAME },
});
