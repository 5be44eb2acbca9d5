import * as z from 'zod/mini';
import { MEGABYTE, ok } from '#shared/api/operation.ts';
import { tablesOperation } from '#shared/api/operations/platform.ts';
import { text } from '#shared/core/text.ts';
import { queryRows } from '#shared/domain/tables/find/queryRows.ts';
import { rowSource } from '#shared/domain/tables/reading/source.ts';
import { FoundRow } from '#shared/domain/tables/rows/rowView.ts';
import { ROWS_LIMIT, rowFilter } from '#shared/domain/tables/tableInputs.ts';
import { requireTableWithIds } from '#shared/storage/dynamodb/tables/tables.ts';

export const findTableRows = tablesOperation({
  name: 'findTableRows',
  summary:
    'Finds rows by filter, ordered by any column; groups them with aggregates; or, with `search`, returns the closest first. Filters on id or the key column are lookups. Other queries use a snapshot of the table or read all rows.',
  scope: 'bot',
  method: 'POST',
  path: '/tables/{table}/rows/find',
  table: 'reads',
  index: 'searches',
  objects: { reads: ['snapshots'] },
  sends: ['snapshots'],
  payloadLimitBytes: MEGABYTE,
  body: z.object({
    limit: z.optional(z.int().check(z.minimum(1), z.maximum(ROWS_LIMIT))),
    offset: z.optional(z.int().check(z.minimum(0), z.maximum(2 ** 31 - 1))),
    filter: z.optional(rowFilter()),
    group: z.optional(rowFilter()),
    search: z.optional(text(1024).check(z.minLength(1))),
    select: z.optional(z.array(text(200)).check(z.maxLength(100))),
    orderBy: z.optional(text(200)),
    orderDirection: z.optional(z.enum(['asc', 'desc'])),
  }),
  output: z.object({
    rows: z.array(FoundRow),
    hasMore: z.boolean(),
    offset: z.number(),
    limit: z.number(),
    warnings: z.optional(z.array(z.string())),
  }),
  statuses: [200],

  handle: async call => {
    const { table: idOrName, limit = 100, offset = 0, ...query } = call.input;
    const found = await requireTableWithIds(call.botId, idOrName);
    const { rows, hasMore, warnings } = await queryRows(rowSource(call, found), { limit, offset, ...query });
    return ok({
      rows,
      hasMore,
      offset,
      // Continuing at offset + limit skips no rows, even if the response does not fit the whole page.
      limit: hasMore ? rows.length : limit,
      ...(warnings.length > 0 ? { warnings } : {}),
    });
  },
});
