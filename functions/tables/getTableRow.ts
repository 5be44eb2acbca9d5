import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { tablesOperation } from '#shared/api/operations/platform.ts';
import { notFound } from '#shared/core/errors.ts';
import { RowView, viewRow } from '#shared/domain/tables/rows/rowView.ts';
import { queryRowId } from '#shared/domain/tables/tableInputs.ts';
import { findRows } from '#shared/storage/dynamodb/tables/rowReads.ts';
import { requireTable } from '#shared/storage/dynamodb/tables/tables.ts';

export const getTableRow = tablesOperation({
  name: 'getTableRow',
  summary: 'Returns a row by its id.',
  scope: 'bot',
  method: 'GET',
  path: '/tables/{table}/row',
  table: 'reads',
  query: z.object({ id: queryRowId() }),
  output: z.object({ row: RowView }),
  statuses: [200],

  handle: async ({ botId, input }) => {
    const table = await requireTable(botId, input.table);
    const [row] = await findRows(botId, table.id, [input.id]);
    if (!row) throw notFound(`The row ${input.id}`);
    return ok({ row: viewRow(table, row) });
  },
});
