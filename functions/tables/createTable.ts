import * as z from 'zod/mini';
import { created, MEGABYTE } from '#shared/api/operation.ts';
import { tablesOperation } from '#shared/api/operations/platform.ts';
import { defineTable } from '#shared/domain/tables/defineTable.ts';
import { tableFields, tableName } from '#shared/domain/tables/tableInputs.ts';
import { TableView, viewTable } from '#shared/domain/tables/tableView.ts';
import { putNewTable } from '#shared/storage/dynamodb/tables/tableWrites.ts';

export const createTable = tablesOperation({
  name: 'createTable',
  summary:
    'Creates a table. `schema` is an example row, a JSON Schema, or a definition per column. Values of the key column are unique.',
  scope: 'bot',
  method: 'POST',
  path: '/tables',
  table: 'writes',
  payloadLimitBytes: MEGABYTE,
  body: z.object({ name: tableName(), ...tableFields }),
  output: z.object({ table: TableView }),
  statuses: [201],

  handle: async ({ botId, input, nowMs, commit }) => {
    const table = defineTable(input.name, input, nowMs);
    return commit(created({ table: viewTable(table) }), putNewTable(botId, table));
  },
});
