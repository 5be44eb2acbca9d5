/** Columns that are described by an example of their values. */
import type { ColumnType } from '#shared/dynamodb/tables/column.ts';
import { toInstant } from '#shared/tables/query/instant.ts';
import { isObject, type Json } from './json.ts';

interface Inferred {
  type: ColumnType;
  format?: 'date-time';
  items?: Json;
  properties?: Record<string, Json>;
}

/** @param example JSON. Of null nothing can be told but that it may be empty. */
export function inferColumn(example: unknown): Inferred {
  if (example === null) return { type: 'string' };
  return isDateTime(example) ? { type: 'string', format: 'date-time' } : infer(example);
}

/** A date alone may as well be a text that looks like one. */
const isDateTime = (example: unknown) =>
  typeof example === 'string' && /^[\d-]{10}T/.test(example) && toInstant(example) !== undefined;

function infer(example: unknown): Inferred {
  if (Array.isArray(example)) return { type: 'array', ...inferItems(example) };
  if (isObject(example)) return { type: 'object', properties: inferProperties(example) };
  return { type: typeof example as 'string' | 'number' | 'boolean' };
}

/** What is null says nothing about its type, and so is not declared. */
const inferProperties = (example: Json): Record<string, Json> =>
  Object.fromEntries(
    Object.entries(example)
      .filter(([, each]) => each !== null)
      .map(([key, each]) => [key, { ...infer(each) }]),
  );

/** Declared only if all are of one type. */
function inferItems(example: readonly unknown[]): { items?: Json } {
  const [first, ...others] = example.filter(each => each !== null).map(infer);
  if (!first || others.some(({ type }) => type !== first.type)) return {};
  // Objects of a list may differ in what they have.
  return { items: others.length === 0 ? { ...first } : { type: first.type } };
}
