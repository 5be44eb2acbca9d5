import { TABLE_BY_NAME } from '#shared/api/reference/costs.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { getTableRow } from './getTableRow.ts';

export default reference<typeof getTableRow>({
  parameters: {
    id: "The row's id.",
  },
  example: { path: { table: 'peopleTable' }, query: { id: '1' } },
  budget: { calls: TABLE_BY_NAME + 1 },
});
