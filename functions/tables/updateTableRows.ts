import * as z from 'zod/mini';
import { MEGABYTE, ok } from '#shared/api/operation.ts';
import { tablesOperation } from '#shared/api/operations/platform.ts';
import { requireSingleRow, waitForComputed } from '#shared/domain/tables/compute/waitForComputed.ts';
import { RowsView, viewOutcome } from '#shared/domain/tables/rows/rowView.ts';
import { updateRows } from '#shared/domain/tables/rows/updateRows.ts';
import { changedRows } from '#shared/domain/tables/tableInputs.ts';
import { requireTableToWrite } from '#shared/storage/dynamodb/tables/tables.ts';

export const updateTableRows = tablesOperation({
  name: 'updateTableRows',
  summary:
    'Updates up to 1,000 rows by id: only the given columns change, and null removes a value. Rows are validated independently, as in `createTableRows`.',
  scope: 'bot',
  method: 'PUT',
  path: '/tables/{table}/rows',
  table: 'writes',
  sends: ['snapshots'],
  payloadLimitBytes: 40 * MEGABYTE,
  body: z.object({ rows: changedRows(), waitComputed: z.optional(z.boolean()) }),
  output: RowsView,
  statuses: [200],

  handle: async call => {
    const { bot, botId, input, nowMs } = call;
    requireSingleRow(input);
    const table = await requireTableToWrite(botId, input.table);
    const outcome = await updateRows({ bot, table, nowMs }, input.rows);
    const rows = await waitForComputed(call, table, outcome.rows);
    return ok({ ...viewOutcome(table, outcome), rows });
  },
});
