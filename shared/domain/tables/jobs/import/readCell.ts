import { faultOfNumber } from '#shared/core/exactNumber.ts';
import { InexactJsonError, parseExactly } from '#shared/core/parseExactly.ts';
import type { Column } from '#shared/storage/dynamodb/tables/column.ts';

const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;
const TRUE = /^(true|1)$/i;
const FALSE = /^(false|0)$/i;

/**
 * Returns text of another type as is, for `checkRow` to reject. An empty string is a value only if it is quoted and the
 * column accepts any text. @throws InexactJsonError for a number that a double cannot represent
 */
export function readCell(column: Column, cell: { text: string; isQuoted: boolean } | undefined): unknown {
  if (!cell) return null;
  const { text, isQuoted } = cell;
  if (text === '') return isQuoted && acceptsAnyText(column) ? '' : null;
  const trimmed = text.trim();
  switch (column.type) {
    case 'number':
      return NUMBER.test(trimmed) ? numberIn(trimmed, column.name) : text;
    case 'boolean':
      return TRUE.test(trimmed) ? true : FALSE.test(trimmed) ? false : text;
    case 'object':
    case 'array':
      return parsed(text, column.name);
    default:
      return text;
  }
}

const acceptsAnyText = ({ type, format, enum: values, pattern }: Column) =>
  type === 'string' && format === undefined && values === undefined && pattern === undefined;

function numberIn(text: string, name: string): number {
  const fault = faultOfNumber(text);
  if (fault)
    throw new InexactJsonError({ path: name, message: `The number ${fault}. Import it into a string column.` });
  return Number(text);
}

function parsed(text: string, name: string): unknown {
  try {
    return parseExactly(text);
  } catch (error) {
    if (!(error instanceof InexactJsonError)) return text;
    const { path, message } = error;
    throw new InexactJsonError({ path: `${name}.${path}`, message });
  }
}
