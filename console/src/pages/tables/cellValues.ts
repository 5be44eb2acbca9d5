/** Converts cell values to text and back. */
import type { Client } from '@botpress/client';
import { tables } from '../../messages/en/tables.ts';
import { translator } from '../../messages/translate.ts';
import { hasExactNumbers } from '../../parts/exactNumbers.ts';
import { KINDS } from './readColumns.ts';

const t = translator('tables', tables);

export type Table = Awaited<ReturnType<Client['getTable']>>['table'];
export type Column = Table['schema']['properties'][string];
export type Row = Awaited<ReturnType<Client['findTableRows']>>['rows'][number];

export function columnsOf(table: Table): { name: string; column: Column }[] {
  return Object.entries(table.schema.properties)
    .map(([name, column]) => ({ name, column }))
    .filter(({ column }) => column['x-zui'].hidden !== true)
    .sort((a, b) => orderOf(a.column) - orderOf(b.column));
}
const orderOf = ({ 'x-zui': { order, index } }: Column) => order ?? index;

export const kindOf = ({ type, format }: Column): string => (format === 'date-time' ? 'date' : type);

/** Columns declared by code can have other types, which have no text. */
export function kindLabel(column: Column): string {
  const kind = kindOf(column);
  const known = KINDS.find(each => each === kind);
  return known ? t(`kind_${known}`) : kind;
}

export const isComputed = (column: Column): boolean =>
  column['x-zui'].computed !== undefined && column['x-zui'].computed.enabled !== false;

export function show(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** Parses input as the column's type. @throws Error that names the expected form */
export function parse(text: string, column: Column): unknown {
  if (text === '') return column.type === 'string' && column.nullable === false ? '' : null;
  switch (column.type) {
    case 'number': {
      const number = Number(text);
      if (Number.isNaN(number)) throw new Error(t('noNumber', { text }));
      requireExactNumbers(text);
      return number;
    }
    case 'boolean':
      if (!/^(true|false)$/i.test(text)) throw new Error(t('trueOrFalse'));
      return text.toLowerCase() === 'true';
    case 'object':
    case 'array':
      return parseJson(text, column.type);
    default:
      return text;
  }
}

/** Not part of the texts, in which braces are placeholders. */
const EXAMPLES = { array: '[1, 2]', object: '{"a": 1}' };

function parseJson(text: string, type: 'object' | 'array'): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error(t(type === 'array' ? 'jsonList' : 'jsonObject', { example: EXAMPLES[type] }));
  }
  requireExactNumbers(text);
  return value;
}

function requireExactNumbers(text: string): void {
  if (!hasExactNumbers(text)) throw new Error(t('inexactNumber'));
}

/** Parses cells copied from a spreadsheet: tab-separated lines with quoted cells. */
export function parsePasted(text: string): string[][] {
  const rows: string[][] = [[]];
  const cells = text
    .replace(/\r\n?/g, '\n')
    .replace(/\n$/, '')
    .matchAll(/(?:"((?:[^"]|"")*)"(?=[\t\n]|$)|([^\t\n]*))([\t\n]|$)/g);
  for (const [whole, quoted, plain = '', end] of cells) {
    rows.at(-1)!.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end === '\n') rows.push([]);
    if (end === '' || whole === '') break;
  }
  return rows;
}

const OPERATORS = ['$eq', '$ne', '$gt', '$lt', '$regex', '$exists'] as const;
type Operator = (typeof OPERATORS)[number];

export const operatorLabel = (operator: Operator): string => t(`operator_${operator}`);

export const operatorsFor = (column: Column | undefined) =>
  OPERATORS.filter(value => {
    if (value === '$regex') return column?.type === 'string' && column.format === undefined;
    if (value === '$gt' || value === '$lt') return column?.type === 'number' || column?.format === 'date-time';
    return value === '$exists' || (column?.type !== 'object' && column?.type !== 'array');
  });

export interface Condition {
  name: string;
  operator: Operator;
  text: string;
}

/** @throws Error for a value that does not match the column */
export function filterOf({ name, operator, text }: Condition, column: Column): Record<string, unknown> {
  if (operator === '$exists') return { [name]: { $exists: true } };
  if (operator === '$regex') return { [name]: { $regex: text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'), $options: 'i' } };
  return { [name]: { [operator]: parse(text, column) } };
}
