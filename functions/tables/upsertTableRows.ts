import * as z from 'zod/mini';
import { MEGABYTE, ok } from '#shared/api/operation.ts';
import { tablesOperation } from '#shared/api/operations/platform.ts';
import { requireSingleRow, waitForComputed } from '#shared/domain/tables/compute/waitForComputed.ts';
import { requireKeyColumn } from '#shared/domain/tables/defineTable.ts';
import { idsByValue } from '#shared/domain/tables/reading/scan.ts';
import { rowSource } from '#shared/domain/tables/reading/source.ts';
import { RowView, viewNotes } from '#shared/domain/tables/rows/rowView.ts';
import { upsertByColumn, upsertById } from '#shared/domain/tables/rows/upsertRows.ts';
import { columnName, upsertedRows } from '#shared/domain/tables/tableInputs.ts';
import { requireTableWithIds } from '#shared/storage/dynamodb/tables/tables.ts';

export const upsertTableRows = tablesOperation({
  name: 'upsertTableRows',
  summary:
    'Updates existing rows and creates the others, matched by id or by the values of `keyColumn`. If concurrent calls have the same new value, only one of them creates the row. A value shared by several rows is an error.',
  scope: 'bot',
  method: 'POST',
  path: '/tables/{table}/rows/upsert',
  table: 'writes',
  sends: ['snapshots'],
  payloadLimitBytes: 40 * MEGABYTE,
  body: z.object({
    rows: upsertedRows(),
    keyColumn: z.optional(columnName()),
    waitComputed: z.optional(z.boolean()),
  }),
  output: z.object({
    inserted: z.array(RowView),
    updated: z.array(RowView),
    warnings: z.optional(z.array(z.string())),
    errors: z.optional(z.array(z.string())),
  }),
  statuses: [200],

  handle: async call => {
    const { bot, botId, input, nowMs, commit } = call;
    requireSingleRow(input);
    const { keyColumn = 'id' } = input;
    const source = rowSource(call, await requireTableWithIds(botId, input.table));
    const { table } = source;
    const context = { bot, table, nowMs, keepOnce: call.keepOnce };
    const column = keyColumn === 'id' ? undefined : requireKeyColumn(table, keyColumn);
    const outcome = column
      ? await upsertByColumn(context, column, input.rows, values => idsByValue(source, column, values))
      : await upsertById(context, input.rows);
    const [inserted, updated] = await Promise.all([
      waitForComputed(call, table, outcome.inserted),
      waitForComputed(call, table, outcome.updated),
    ]);
    return commit(ok({ inserted, updated, ...viewNotes(outcome) }), []);
  },
});
