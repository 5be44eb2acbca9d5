import { ApiError, invalidPayload } from '#shared/core/errors.ts';
import { newTableId } from '#shared/core/ids.ts';
import type { Column } from '#shared/storage/dynamodb/tables/column.ts';
import { columnOf, type Table } from '#shared/storage/dynamodb/tables/tables.ts';
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

/** Returns the column if its values can identify rows. @throws ApiError InvalidPayload */
export function requireKeyColumn(table: Pick<Table, 'columns'>, name: string): Column {
  const column = columnOf(table, name);
  if (!column) throw invalidPayload(`The table has no column ${name}. Name an existing column.`, 'keyColumn');
  if (column.type !== 'string' && column.type !== 'number') {
    throw invalidPayload(
      `The key column must be of type string or number; ${name} is of type ${column.type}.`,
      'keyColumn',
    );
  }
  return column;
}

const CHANGEABLE_WHEN_FROZEN = ['frozen', 'tags', 'isComputeEnabled'];

/** @throws ApiError RelationConflict that names the fields which cannot change while the table is frozen */
export function requireNotFrozen(table: Table, input: Record<string, unknown>): void {
  if (!table.isFrozen || input.frozen === false) return;
  const fixed = Object.keys(input).filter(name => input[name] !== undefined && !CHANGEABLE_WHEN_FROZEN.includes(name));
  if (fixed.length > 0) {
    throw new ApiError(
      'RelationConflict',
      `The table ${table.name} is frozen, so ${fixed.join(', ')} cannot change. Set frozen to false first.`,
    );
  }
}
