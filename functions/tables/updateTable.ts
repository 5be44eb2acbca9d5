import * as z from 'zod/mini';
import { ok } from '#shared/api/operation.ts';
import { tablesOperation } from '#shared/api/platform/operation.ts';
import { applyChanges } from '#shared/mapChanges.ts';
import { changeFactor } from '#shared/dynamodb/tables/rowCounts.ts';
import { changeTable, requireTable, requireTableWithIds, type Table } from '#shared/dynamodb/tables/tables.ts';
import { retryConflicts, write } from '#shared/dynamodb/transaction.ts';
import type { Bot } from '#shared/dynamodb/workspace/bots.ts';
import { invalidPayload } from '#shared/errors.ts';
import { changesOf } from '#shared/mapChanges.ts';
import { keyOf, requireThawed, sourceOf } from '#shared/tables/defineTable.ts';
import { columnName, factor, schema, tableName, tableTagChanges } from '#shared/tables/inputs.ts';
import { makeKey } from '#shared/tables/makeKey.ts';
import { changeColumns } from '#shared/tables/schema.ts';
import { requireTableName } from '#shared/tables/tableName.ts';
import { TableView, viewTable } from '#shared/tables/view.ts';

const ATTEMPTS = 10;

export const updateTable = tablesOperation({
  name: 'updateTable',
  summary:
    'Changes a table: what its schema names is merged into it, null takes a column away. A column that becomes of another type loses its values, and is named in `staleColumns`. The factor only grows.',
  scope: 'bot',
  method: 'PUT',
  path: '/tables/{table}',
  table: 'writes',
  body: z.object({
    name: z.optional(tableName()),
    frozen: z.optional(z.boolean()),
    keyColumn: z.optional(z.nullable(columnName())),
    schema: z.optional(schema()),
    tags: z.optional(tableTagChanges()),
    isComputeEnabled: z.optional(z.boolean()),
    factor: z.optional(factor()),
  }),
  output: z.object({ table: TableView, staleColumns: z.optional(z.array(z.string())) }),
  statuses: [200],

  handle: async call => {
    const { bot, botId, nowMs } = call;
    const { table: idOrName, ...input } = call.input;
    const { table: before, lastId } = await requireTableWithIds(botId, idOrName);
    requireThawed(before, input);
    if (input.factor !== undefined && input.factor < before.factor) {
      throw invalidPayload(`The factor only grows; it is ${before.factor}.`, 'factor');
    }
    const { staleColumns, ...columns } = input.schema
      ? changeColumns(before, input.schema)
      : { columns: before.columns, nextColumn: before.nextColumn, staleColumns: [] };
    const changed: Table = {
      ...before,
      ...columns,
      name: input.name === undefined ? before.name : requireTableName(input.name),
      factor: input.factor ?? before.factor,
      isFrozen: input.frozen ?? before.isFrozen,
      tags: applyChanges(before.tags, changesOf(input.tags ?? {}, before.tags, { name: 'tags' }).changes),
      isComputeEnabled: input.isComputeEnabled ?? before.isComputeEnabled,
      keyColumn: keyAfter(before, columns, input.keyColumn),
    };
    const { table, writes } = changeTable(botId, before, changed, nowMs);
    const counts = table.factor === before.factor ? [] : await changeFactor(bot, before, table.factor, nowMs);
    const isNewKey = table.keyColumn !== undefined && table.keyColumn !== before.keyColumn;
    if (isNewKey) await makeKey(sourceOf(call, { table, lastId }));
    await write([...writes, ...counts]);
    if (isNewKey) await addMeanwhile(call, before, table);
    return ok({ table: viewTable(table), ...(staleColumns.length > 0 ? { staleColumns } : {}) });
  },
});

/** From now on every writer makes the entries of his rows; here those of what was written until now are made. */
async function addMeanwhile(call: { bot: Bot; deadlineMs: number; nowMs: number }, before: Table, table: Table) {
  const { bot, nowMs } = call;
  const { lastId } = await requireTableWithIds(bot.id, table.id);
  try {
    await makeKey(sourceOf(call, { table, lastId }));
  } catch (error) {
    await retryConflicts(ATTEMPTS, async () => {
      const now = await requireTable(bot.id, table.id);
      if (now.keyColumn !== table.keyColumn) return;
      await write(changeTable(bot.id, now, { ...now, keyColumn: before.keyColumn }, nowMs).writes);
    });
    throw error;
  }
}

/** The id of the key column; one that is gone, or of another type now, is none any more. */
function keyAfter(before: Table, changed: Pick<Table, 'columns'>, wanted: string | null | undefined) {
  if (wanted === null) return undefined;
  if (wanted !== undefined) return keyOf(changed, wanted).id;
  return changed.columns.some(({ id }) => id === before.keyColumn) ? before.keyColumn : undefined;
}
