import type { Column } from '#shared/storage/dynamodb/tables/column.ts';

const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;
const TRUE = /^(true|1)$/i;
const FALSE = /^(false|0)$/i;

/**
 * Returns text of another type as is, for `checkRow` to reject. An empty string is a value only if it is quoted and the
 * column accepts any text.
 */
export function readCell(column: Column, cell: { text: string; isQuoted: boolean } | undefined): unknown {
  if (!cell) return null;
  const { text, isQuoted } = cell;
  if (text === '') return isQuoted && acceptsAnyText(column) ? '' : null;
  const trimmed = text.trim();
  switch (column.type) {
    case 'number':
      return NUMBER.test(trimmed) && Number.isFinite(Number(trimmed)) ? Number(trimmed) : text;
    case 'boolean':
      return TRUE.test(trimmed) ? true : FALSE.test(trimmed) ? false : text;
    case 'object':
    case 'array':
      return parsed(text);
    default:
      return text;
  }
}

const acceptsAnyText = ({ type, format, enum: values, pattern }: Column) =>
  type === 'string' && format === undefined && values === undefined && pattern === undefined;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
