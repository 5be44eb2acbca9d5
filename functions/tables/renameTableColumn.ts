import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { tablesOperation } from '#shared/api/operations/platform.ts';
import { requireNotFrozen } from '#shared/domain/tables/defineTable.ts';
import { renameColumn, usesOfName } from '#shared/domain/tables/schema/columns.ts';
import { columnName } from '#shared/domain/tables/tableInputs.ts';
import { TableView, viewTable } from '#shared/domain/tables/tableView.ts';
import { requireTable } from '#shared/storage/dynamodb/tables/tables.ts';
import { changeTable } from '#shared/storage/dynamodb/tables/tableWrites.ts';

export const renameTableColumn = tablesOperation({
  name: 'renameTableColumn',
  summary:
    'Renames a column. Its values are kept, and dependencies of computed columns are updated. `warnings` name columns whose code or prompt still uses the former name.',
  scope: 'bot',
  method: 'PUT',
  path: '/tables/{table}/column',
  table: 'writes',
  body: z.object({ name: columnName(), newName: columnName() }),
  output: z.object({ table: TableView, warnings: z.optional(z.array(z.string())) }),
  statuses: [200],

  handle: async ({ botId, input, nowMs, commit }) => {
    const before = await requireTable(botId, input.table);
    requireNotFrozen(before, { name: input.name });
    const columns = renameColumn(before.columns, input.name, input.newName);
    const { table, writes } = changeTable(botId, before, { ...before, columns }, nowMs);
    const warnings = usesOfName(columns, input);
    return commit(ok({ table: viewTable(table), ...(warnings.length > 0 && { warnings }) }), writes);
  },
});
