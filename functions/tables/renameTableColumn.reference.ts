import { TABLE_BY_NAME } from '#shared/api/reference/costs.ts';
import { exists, FROZEN } from '#shared/api/reference/errors.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { renameTableColumn } from './renameTableColumn.ts';

export default reference<typeof renameTableColumn>({
  errors: [exists('The table has a column with the new name.'), FROZEN],
  example: { path: { table: 'peopleTable' }, body: { name: 'age', newName: 'years' } },
  budget: { calls: TABLE_BY_NAME + 1 },
});
