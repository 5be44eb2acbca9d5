/** Tables as they are defined and changed. */

import type { Column } from '#shared/dynamodb/tables/column.ts';
import { columnOf, type Table } from '#shared/dynamodb/tables/tables.ts';
import type { Bot } from '#shared/dynamodb/workspace/bots.ts';
import { ApiError, invalidPayload } from '#shared/errors.ts';
import { newTableId } from '#shared/ids.ts';
import type { RowSource } from './find/findRows.ts';
import { newColumns } from './schema/columns.ts';
import { requireTableName } from './tableName.ts';

interface Definition {
  factor?: number | undefined;
  frozen?: boolean | undefined;
  keyColumn?: string | null | undefined;
  schema: unknown;
  tags?: Record<string, string> | undefined;
  isComputeEnabled?: boolean | undefined;
}

/** A table that is not there yet. @throws ApiError InvalidPayload */
export function defineTable(name: string, definition: Definition, nowMs: number): Table {
  const { columns, nextColumn } = newColumns(definition.schema);
  const table: Table = {
    id: newTableId(nowMs),
    name: requireTableName(name),
    factor: definition.factor ?? 1,
    isFrozen: definition.frozen ?? false,
    columns,
    nextColumn,
    tags: Object.fromEntries(Object.entries(definition.tags ?? {}).filter(([, value]) => value !== '')),
    isComputeEnabled: definition.isComputeEnabled ?? true,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    version: 1,
  };
  return definition.keyColumn ? { ...table, keyColumn: requireKeyColumn(table, definition.keyColumn).id } : table;
}

/** The column by which rows are to be told apart. @throws ApiError InvalidPayload */
export function requireKeyColumn(table: Pick<Table, 'columns'>, name: string): Column {
  const column = columnOf(table, name);
  if (!column) throw invalidPayload(`The table has no column ${name}.`, 'keyColumn');
  if (column.type !== 'string' && column.type !== 'number') {
    throw invalidPayload(`A key is a string or a number; ${name} is of type ${column.type}.`, 'keyColumn');
  }
  return column;
}

/** What may still change of a table that is frozen. */
const CHANGEABLE_WHEN_FROZEN = ['frozen', 'tags', 'isComputeEnabled'];

/** @throws ApiError RelationConflict naming what cannot be changed */
export function requireNotFrozen(table: Table, input: Record<string, unknown>): void {
  if (!table.isFrozen || input.frozen === false) return;
  const fixed = Object.keys(input).filter(name => input[name] !== undefined && !CHANGEABLE_WHEN_FROZEN.includes(name));
  if (fixed.length > 0) {
    throw new ApiError(
      'RelationConflict',
      `The table ${table.name} is frozen: ${fixed.join(', ')} cannot change. Set frozen to false first.`,
    );
  }
}

/** Where rows are looked for in a call. */
export const rowSource = (
  call: { bot: Bot; deadlineMs: number },
  { table, lastId }: { table: Table; lastId: number },
): RowSource => ({ bot: call.bot, table, lastId, deadlineMs: call.deadlineMs - RESERVE_MS });
/** Left for reading the rows of the page and answering. */
const RESERVE_MS = 4_000;
