import { TABLE_BY_NAME } from '#shared/api/reference/costs.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { deleteTable } from './deleteTable.ts';

export default reference<typeof deleteTable>({
  example: { path: { table: 'peopleTable' } },
  // Reads the caller and the counts of the table and the bot, and writes once.
  budget: { calls: TABLE_BY_NAME + 4 },
});
