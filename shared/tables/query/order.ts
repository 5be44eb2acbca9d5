/** In which order rows are answered. */

import type { Column } from '#shared/dynamodb/tables/column.ts';
import { invalidPayload } from '#shared/errors.ts';
import { compareInDirection, isComposite } from './compare.ts';
import { parseField, quote, type Values } from './field.ts';

/** What is kept of a row to put it in order. */
export interface Ordered {
  key: unknown;
  id: number;
}

export interface OrderInput {
  orderBy?: string | undefined;
  orderDirection?: 'asc' | 'desc' | undefined;
}

export interface Order {
  /** A column, or a path into one. */
  by: string;
  /** The column that it reads. */
  column: string;
  isById: boolean;
  isDescending: boolean;
  /** Rows without a value are last in both directions, and equal ones stand by their ids, ascending. */
  compare(a: Ordered, b: Ordered): number;
  keyOf(row: Values): unknown;
}

/** Inside a column there may be objects and arrays: all alike, and not worth their memory. */
const COMPOSITE = Object.freeze({});

/** @throws InvalidPayload if there is no such column, or it holds objects or arrays */
export function parseOrder({ orderBy = 'id', orderDirection = 'asc' }: OrderInput, columns: readonly Column[]): Order {
  const { column, type, read } = parseField(orderBy, columns, 'orderBy');
  if (type === 'object' || type === 'array') {
    throw invalidPayload(`Rows cannot be ordered by column ${quote(orderBy)}, which is of type ${type}.`, 'orderBy');
  }
  const isById = orderBy === 'id';
  const isDescending = orderDirection === 'desc';
  return {
    by: orderBy,
    column,
    isById,
    isDescending,
    compare: isById
      ? (a, b) => (isDescending ? b.id - a.id : a.id - b.id)
      : (a, b) => compareInDirection(a.key, b.key, isDescending) || a.id - b.id,
    keyOf: row => {
      const key = read(row);
      return isComposite(key) ? COMPOSITE : key;
    },
  };
}
