import { DEFINITIONS } from '#shared/api/reference/errors.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { getOrCreateTable } from './getOrCreateTable.ts';

export default reference<typeof getOrCreateTable>({
  errors: [DEFINITIONS],
  example: {
    path: { table: 'guestsTable' },
    body: { schema: { type: 'object', properties: { name: { type: 'string' }, age: { type: 'number' } } } },
  },
  // Looks up an uncached name twice, and writes once.
  budget: { calls: 3 },
});
