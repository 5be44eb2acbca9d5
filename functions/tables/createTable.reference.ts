import { DEFINITIONS, TABLE_NAME } from '#shared/api/reference/errors.ts';
import { reference } from '#shared/api/reference/reference.ts';
import type { createTable } from './createTable.ts';

export default reference<typeof createTable>({
  errors: [TABLE_NAME, DEFINITIONS],
  example: {
    body: {
      name: 'ordersTable',
      schema: { type: 'object', properties: { name: { type: 'string' }, age: { type: 'number' } } },
    },
  },
  budget: { calls: 1 },
});
