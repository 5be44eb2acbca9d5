import { TABLE_BY_NAME } from '#shared/api/reference/costs.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { getTableJobs } from './getTableJobs.ts';

export default reference<typeof getTableJobs>({
  example: { path: { table: 'peopleTable' } },
  budget: { calls: TABLE_BY_NAME + 1 },
});
