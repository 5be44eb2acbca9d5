import { invalidPayload } from '#shared/core/errors.ts';
import type { Column } from '#shared/storage/dynamodb/tables/column.ts';
import { compareInDirection, isComposite } from './compareValues.ts';
import { type Field, parseField, quote, type Values } from './field.ts';

export interface Ordered {
  key: unknown;
  id: number;
}

export interface OrderInput {
  orderBy?: string | undefined;
  orderDirection?: 'asc' | 'desc' | undefined;
}

export interface Order {
  by: string;
  column: string;
  isById: boolean;
  isDescending: boolean;
  /** Rows without a value are last in both directions. Ties are broken by ascending id. */
  compare(a: Ordered, b: Ordered): number;
  field: Field;
  keyOf(row: Values): unknown;
  asKey(value: unknown): unknown;
}

/** Placeholder for all objects and arrays, which are equal in order: saves memory. */
const COMPOSITE = Object.freeze({});

export function parseOrder({ orderBy = 'id', orderDirection = 'asc' }: OrderInput, columns: readonly Column[]): Order {
  const field = parseField(orderBy, columns, 'orderBy');
  const { column, type, read } = field;
  if (type === 'object' || type === 'array') {
    throw invalidPayload(`Rows cannot be ordered by column ${quote(orderBy)} of type ${type}.`, 'orderBy');
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
    field,
    keyOf: row => asKey(read(row)),
    asKey,
  };
}

const asKey = (value: unknown) => (isComposite(value) ? COMPOSITE : value);
