import { reference } from '#shared/api/reference/reference.ts';
import type { listTables } from './listTables.ts';

export default reference<typeof listTables>({
  example: {},
  // Reads the names, and then the tables, a hundred per call.
  budget: { calls: 2 },
});
