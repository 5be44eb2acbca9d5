/** Tables as they are defined and changed. */
import { mapConcurrently } from '../batches.ts';
import { ApiError, invalidPayload } from '../http/errors.ts';
import type { Bot } from '../table/bots.ts';
import { newTableId } from '../table/ids.ts';
import { visitRows } from '../table/rows.ts';
import { columnOf, keyColumnOf, type Table } from '../table/tables.ts';
import { retryConflicts, write } from '../table/write.ts';
import type { Column } from './column.ts';
import type { Source } from './findRows.ts';
import { findHolders, takeKey } from './rowKeys.ts';
import { decode } from './rowValues.ts';
import { newColumns, requireTableName } from './schema.ts';

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
  return definition.keyColumn ? { ...table, keyColumn: keyOf(table, definition.keyColumn).id } : table;
}

/** The column by which rows are to be told apart. @throws ApiError InvalidPayload */
export function keyOf(table: Pick<Table, 'columns'>, name: string): Column {
  const column = columnOf(table, name);
  if (!column) throw invalidPayload(`The table has no column ${name}.`, 'keyColumn');
  if (column.type !== 'string' && column.type !== 'number') {
    throw invalidPayload(`A key is a string or a number; ${name} is of type ${column.type}.`, 'keyColumn');
  }
  return column;
}

/** What may still change of a table that is frozen. */
const LOOSE = ['frozen', 'tags', 'isComputeEnabled'];

/** @throws ApiError RelationConflict naming what cannot be changed */
export function requireThawed(table: Table, input: Record<string, unknown>): void {
  if (!table.isFrozen || input.frozen === false) return;
  const fixed = Object.keys(input).filter(name => input[name] !== undefined && !LOOSE.includes(name));
  if (fixed.length > 0) {
    throw new ApiError(
      'RelationConflict',
      `The table ${table.name} is frozen: ${fixed.join(', ')} cannot change. Set frozen to false first.`,
    );
  }
}

/** Rows of which a key is made in one call. */
const KEYED_LIMIT = 100_000;
const CLAIMS_AT_ONCE = 100;
const ATTEMPTS = 10;

/**
 * Makes the entries of all rows for a column that has just become the table's key: from then on every writer makes his own.
 * @returns what is wrong, if two rows have the same value
 */
export async function claimAll(source: Pick<Source, 'bot' | 'table' | 'lastId'>): Promise<string | undefined> {
  const { bot, table, lastId } = source;
  const column = keyColumnOf(table)!;
  const ids = new Map<string, number>();
  let fault: string | undefined;
  const reading = { from: 1, to: Math.max(1, lastId), direction: 'asc' as const, columns: [column.id] };
  await visitRows(bot.id, table.id, lastId, reading, ({ id, values }) => {
    const value = values[column.id];
    if (value === undefined) return false;
    if (ids.has(value)) fault = repeatedText(column, value);
    else if (ids.size === KEYED_LIMIT) {
      fault = `A key is made of at most ${KEYED_LIMIT} rows. Create a table with the key, and import the rows.`;
    }
    ids.set(value, id);
    return fault !== undefined;
  });
  if (fault) return fault;

  const entries = [...ids];
  for (let i = 0; i < entries.length; i += CLAIMS_AT_ONCE) {
    const some = entries.slice(i, i + CLAIMS_AT_ONCE);
    const ends = await mapConcurrently(some, CLAIMS_AT_ONCE, ([value, id]) => claimOne(source, column, value, id));
    fault = ends.find(end => end !== undefined);
    if (fault) return fault;
  }
  return undefined;
}

const claimOne = ({ bot, table }: Pick<Source, 'bot' | 'table'>, column: Column, value: string, id: number) =>
  retryConflicts(ATTEMPTS, async () => {
    const [holder] = await findHolders({ bot, table }, column, [value]);
    if (holder?.row) return holder.row.id === id ? undefined : repeatedText(column, value);
    await write([takeKey({ bot, table }, column, value, id, holder?.claim)]);
    return undefined;
  });

const repeatedText = (column: Column, value: string) =>
  `Several rows have the ${column.name} ${JSON.stringify(decode(column, value)).slice(0, 200)}, so it cannot be the key.`;

/** Where rows are looked for in a call. */
export const sourceOf = (
  call: { bot: Bot; deadlineMs: number },
  { table, lastId }: { table: Table; lastId: number },
): Source => ({ bot: call.bot, table, lastId, deadlineMs: call.deadlineMs - RESERVE_MS });
/** Left for reading the rows of the page and answering. */
const RESERVE_MS = 4_000;
