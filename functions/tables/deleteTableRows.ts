import * as z from 'zod/mini';
import { MEGABYTE, ok } from '#shared/api/operation.ts';
import { tablesOperation } from '#shared/api/operations/platform.ts';
import { invalidPayload } from '#shared/core/errors.ts';
import { deleteMatchingRows } from '#shared/domain/tables/jobs/delete/deleteMatchingRows.ts';
import { rowSource } from '#shared/domain/tables/reading/source.ts';
import { removeLogged } from '#shared/domain/tables/rows/removeLogged.ts';
import { rowFilter, rowIds } from '#shared/domain/tables/tableInputs.ts';
import { requireTableWithIds } from '#shared/storage/dynamodb/tables/tables.ts';

export const deleteTableRows = tablesOperation({
  name: 'deleteTableRows',
  summary:
    'Deletes rows by id or filter, or all rows. If one call has no time for all of them, the response names a job that deletes the rest.',
  scope: 'bot',
  method: 'POST',
  path: '/tables/{table}/rows/delete',
  table: 'writes',
  sends: ['snapshots'],
  payloadLimitBytes: MEGABYTE,
  body: z.object({
    ids: z.optional(rowIds()),
    filter: z.optional(rowFilter()),
    deleteAllRows: z.optional(z.boolean()),
  }),
  output: z.object({
    deletedRows: z.number(),
    job: z.optional(z.object({ id: z.string(), status: z.string() })),
  }),
  statuses: [200],

  handle: async call => {
    const { botId, input, commit } = call;
    const { ids, filter, deleteAllRows } = input;
    const named = [ids !== undefined, filter !== undefined, deleteAllRows === true].filter(Boolean).length;
    if (named !== 1) {
      throw invalidPayload('Provide exactly one of ids, filter and deleteAllRows: true.', 'ids');
    }
    const found = await requireTableWithIds(botId, input.table);
    const end = ids
      ? { deletedRows: await removeLogged({ bot: call.bot, table: found.table }, ids) }
      : await deleteMatchingRows(rowSource(call, found), filter);
    return commit(ok(end), []);
  },
});
