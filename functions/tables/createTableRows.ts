import * as z from 'zod/mini';
import { MEGABYTE, ok } from '#shared/api/operation.ts';
import { tablesOperation } from '#shared/api/operations/platform.ts';
import { requireSingleRow, waitForComputed } from '#shared/domain/tables/compute/waitForComputed.ts';
import { createRows } from '#shared/domain/tables/rows/createRows.ts';
import { BULK_ROWS } from '#shared/domain/tables/rows/logged.ts';
import type { RowsOutcome } from '#shared/domain/tables/rows/outcome.ts';
import { RowsView, viewOutcome } from '#shared/domain/tables/rows/rowView.ts';
import { newRows } from '#shared/domain/tables/tableInputs.ts';
import { requireTable, requireTableToWrite } from '#shared/storage/dynamodb/tables/tables.ts';

export const createTableRows = tablesOperation({
  name: 'createTableRows',
  summary:
    'Creates up to 1,000 rows. Rows are validated independently: `errors` reports the invalid ones, and the others are created. With `waitComputed`, which requires a single row, the response includes its computed values.',
  scope: 'bot',
  method: 'POST',
  path: '/tables/{table}/rows',
  table: 'writes',
  sends: ['snapshots'],
  payloadLimitBytes: 40 * MEGABYTE,
  body: z.object({ rows: newRows(), waitComputed: z.optional(z.boolean()) }),
  output: RowsView,
  statuses: [200],

  handle: async call => {
    const { bot, botId, input, nowMs, keepOnce, commit } = call;
    requireSingleRow(input);
    const read = input.rows.length < BULK_ROWS ? requireTable : requireTableToWrite;
    const table = await read(botId, input.table);
    let created: RowsOutcome | undefined;
    const answer = await createRows({ bot, table, nowMs, keepOnce }, input.rows, (outcome, writes) => {
      created = outcome;
      return commit(ok(viewOutcome(table, outcome)), writes);
    });
    return input.waitComputed
      ? ok({ ...answer.body, rows: await waitForComputed(call, table, created!.rows) })
      : answer;
  },
});
