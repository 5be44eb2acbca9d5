/** Each value is an attribute under its column's id, so that queries project columns and renames write no row. */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Aliases } from '#shared/storage/dynamodb/engine/aliases.ts';
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

export const ROW = {
  createdAtMs: 'c',
  updatedAtMs: 'u',
  version: 'v',
  cells: 'm',
  pending: 'q',
  isUnindexed: 'i',
} as const satisfies Aliases;
/** Prefix that separates columns from other attributes. */
export const COLUMN = '_';
const COLUMN_CODE = COLUMN.charCodeAt(0);

export const toItem = (botId: string, tableId: string, row: Row) => ({
  ...rowKey(botId, tableId, row.id),
  [ROW.createdAtMs]: row.createdAtMs,
  [ROW.updatedAtMs]: row.updatedAtMs,
  [ROW.version]: row.version,
  [ROW.cells]: Object.keys(row.cells).length > 0 ? JSON.stringify(row.cells) : undefined,
  [ROW.pending]: row.pending.length > 0 ? row.pending.join(',') : undefined,
  [ROW.isUnindexed]: row.isUnindexed ? 1 : undefined,
  ...Object.fromEntries(Object.entries(row.values).map(([column, value]) => [`${COLUMN}${column}`, value])),
});

export function parseRow(item: Record<string, unknown>): Row {
  const values: Record<string, string> = {};
  for (const [name, value] of Object.entries(item)) {
    if (name.startsWith(COLUMN)) values[name.slice(COLUMN.length)] = String(value);
  }
  return {
    id: idOfRowSk(String(item.sk)),
    createdAtMs: Number(item[ROW.createdAtMs]),
    updatedAtMs: Number(item[ROW.updatedAtMs]),
    version: Number(item[ROW.version]),
    values,
    cells: item[ROW.cells] === undefined ? {} : JSON.parse(String(item[ROW.cells])),
    pending: item[ROW.pending] === undefined ? [] : String(item[ROW.pending]).split(','),
    isUnindexed: item[ROW.isUnindexed] !== undefined,
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
    createdAtMs: Number(item[ROW.createdAtMs]?.N),
    updatedAtMs: Number(item[ROW.updatedAtMs]?.N),
    version: Number(item[ROW.version]?.N),
    values,
    cells: item[ROW.cells] === undefined ? {} : JSON.parse(item[ROW.cells]!.S!),
    pending: item[ROW.pending] === undefined ? [] : item[ROW.pending]!.S!.split(','),
    isUnindexed: item[ROW.isUnindexed] !== undefined,
  };
}

export const isStale = (row: Row | undefined): boolean => row !== undefined && row.pending.length > 0;

export const isUnindexed = (row: Row | undefined): boolean => row?.isUnindexed === true;
