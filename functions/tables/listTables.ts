import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { tablesOperation } from '#shared/api/operations/platform.ts';
import { queryTags } from '#shared/api/platform/tagInputs.ts';
import { TableView, viewTable } from '#shared/domain/tables/tableView.ts';
import * as tables from '#shared/storage/dynamodb/tables/tables.ts';

export const listTables = tablesOperation({
  name: 'listTables',
  summary: 'Lists the tables of the bot by name, optionally only those with all of the given tags.',
  scope: 'bot',
  method: 'GET',
  path: '/tables',
  table: 'reads',
  query: z.object({ tags: z.optional(queryTags()) }),
  output: z.object({ tables: z.array(TableView) }),
  statuses: [200],

  handle: async ({ botId, input }) => {
    const wanted = Object.entries(input.tags ?? {});
    const all = await tables.listTables(botId);
    const matching = all.filter(({ tags }) =>
      wanted.every(([key, value]) => Object.hasOwn(tags, key) && tags[key] === value),
    );
    return ok({ tables: matching.map(viewTable) });
  },
});
