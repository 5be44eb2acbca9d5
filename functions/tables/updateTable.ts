import * as z from 'zod/mini';
import { MEGABYTE, ok } from '#shared/api/operation.ts';
import { tablesOperation } from '#shared/api/operations/platform.ts';
import { invalidPayload } from '#shared/core/errors.ts';
import { applyChanges, changesOf } from '#shared/core/mapChanges.ts';
import { requireKeyColumn, requireNotFrozen } from '#shared/domain/tables/defineTable.ts';
import { rowSource } from '#shared/domain/tables/reading/source.ts';
import { buildUniqueKeys } from '#shared/domain/tables/rows/buildUniqueKeys.ts';
import { changeColumns } from '#shared/domain/tables/schema/columns.ts';
import { columnName, factor, schema, tableName, tableTagChanges } from '#shared/domain/tables/tableInputs.ts';
import { requireTableName } from '#shared/domain/tables/tableName.ts';
import { TableView, viewTable } from '#shared/domain/tables/tableView.ts';
import type { Bot } from '#shared/storage/dynamodb/bots/bots.ts';
import { retryConflicts, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { changeFactor } from '#shared/storage/dynamodb/tables/rowCounts.ts';
import { requireTable, requireTableWithIds, type Table } from '#shared/storage/dynamodb/tables/tables.ts';
import { changeTable } from '#shared/storage/dynamodb/tables/tableWrites.ts';

export const updateTable = tablesOperation({
  name: 'updateTable',
  summary:
    'Updates a table. The columns in `schema` are merged into the existing ones, and null removes one. A column whose type changes loses its values and is listed in `staleColumns`. The factor cannot be lowered.',
  scope: 'bot',
  method: 'PUT',
  path: '/tables/{table}',
  table: 'writes',
  partitions: { writes: ['botTotals'], appends: ['gauges', 'usage'] },
  payloadLimitBytes: MEGABYTE,
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
    requireNotFrozen(before, input);
    if (input.factor !== undefined && input.factor < before.factor) {
      throw invalidPayload(`The factor cannot be lowered. Set it to ${before.factor} or more.`, 'factor');
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
    if (isNewKey) await buildUniqueKeys(rowSource(call, { table, lastId }));
    await write([...writes, ...counts]);
    if (isNewKey) await completeKey(call, before, table);
    return ok({ table: viewTable(table), ...(staleColumns.length > 0 ? { staleColumns } : {}) });
  },
});

/**
 * Adds entries for rows written between the scan and the change of the key; later writers add their own. Restores the
 * former key if a value is not unique.
 */
async function completeKey(call: { bot: Bot; deadlineMs: number; nowMs: number }, before: Table, table: Table) {
  const { bot, nowMs } = call;
  const { lastId } = await requireTableWithIds(bot.id, table.id);
  try {
    await buildUniqueKeys(rowSource(call, { table, lastId }));
  } catch (error) {
    await retryConflicts(async () => {
      const current = await requireTable(bot.id, table.id);
      if (current.keyColumn !== table.keyColumn) return;
      await write(changeTable(bot.id, current, { ...current, keyColumn: before.keyColumn }, nowMs).writes);
    });
    throw error;
  }
}

/** A deleted key column, or one whose type changes, is no longer the key. */
function keyAfter(before: Table, changed: Pick<Table, 'columns'>, name: string | null | undefined) {
  if (name === null) return undefined;
  if (name !== undefined) return requireKeyColumn(changed, name).id;
  return changed.columns.some(({ id }) => id === before.keyColumn) ? before.keyColumn : undefined;
}
