/** Each value is an attribute under its column's id, so that queries project columns and renames write no row. */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { idOfRowSk, rowKey } from '#shared/storage/dynamodb/keys/tables.ts';

export interface Cell {
  status: 'pending' | 'completed' | 'failed';
  error?: string;
  updatedBy?: string;
  updatedAtMs?: number;
  workflow?: string;
}

export interface Row {
  id: number;
  createdAtMs: number;
  updatedAtMs: number;
  version: number;
  values: Record<string, string>;
  cells: Record<string, Cell>;
  pending: string[];
  isUnindexed: boolean;
}

export const CREATED = 'c';
export const UPDATED = 'u';
export const VERSION = 'v';
const CELLS = 'm';
const PENDING = 'q';
export const UNINDEXED = 'i';
/** Prefix that separates columns from other attributes. */
export const COLUMN = '_';
const COLUMN_CODE = COLUMN.charCodeAt(0);

export const toItem = (botId: string, tableId: string, row: Row) => ({
  ...rowKey(botId, tableId, row.id),
  [CREATED]: row.createdAtMs,
  [UPDATED]: row.updatedAtMs,
  [VERSION]: row.version,
  [CELLS]: Object.keys(row.cells).length > 0 ? JSON.stringify(row.cells) : undefined,
  [PENDING]: row.pending.length > 0 ? row.pending.join(',') : undefined,
  [UNINDEXED]: row.isUnindexed ? 1 : undefined,
  ...Object.fromEntries(Object.entries(row.values).map(([column, value]) => [`${COLUMN}${column}`, value])),
});

export function parseRow(item: Record<string, unknown>): Row {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(item)) {
    if (name.startsWith(COLUMN)) values[name.slice(COLUMN.length)] = String(value);
  }
  return {
    id: idOfRowSk(String(item.sk)),
    createdAtMs: Number(item[CREATED]),
    updatedAtMs: Number(item[UPDATED]),
    version: Number(item[VERSION]),
    values,
    cells: item[CELLS] === undefined ? {} : JSON.parse(String(item[CELLS])),
    pending: item[PENDING] === undefined ? [] : String(item[PENDING]).split(','),
    isUnindexed: item[UNINDEXED] !== undefined,
  };
}

/** Skips the SDK's unmarshalling, which dominates the cost of reading many rows. */
export function parseMarshalledRow(item: Record<string, AttributeValue>): Row {
  const values: Record<string, string> = {};
  for (const name in item) {
    if (name.charCodeAt(0) === COLUMN_CODE) values[name.slice(COLUMN.length)] = item[name]!.S!;
  }
  return {
    id: idOfRowSk(item.sk!.S!),
    createdAtMs: Number(item[CREATED]?.N),
    updatedAtMs: Number(item[UPDATED]?.N),
    version: Number(item[VERSION]?.N),
    values,
    cells: item[CELLS] === undefined ? {} : JSON.parse(item[CELLS].S!),
    pending: item[PENDING] === undefined ? [] : item[PENDING].S!.split(','),
    isUnindexed: item[UNINDEXED] !== undefined,
  };
}

export const isStale = (row: Row | undefined): boolean => row !== undefined && row.pending.length > 0;

export const isUnindexed = (row: Row | undefined): boolean => row?.isUnindexed === true;
