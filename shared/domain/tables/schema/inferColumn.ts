import { toInstant } from '#shared/domain/tables/query/instant.ts';
import type { ColumnType } from '#shared/storage/dynamodb/tables/column.ts';
import { isObject, type Json } from './json.ts';

interface Inferred {
  type: ColumnType;
  format?: 'date-time';
  items?: Json;
  properties?: Record<string, Json>;
}

export function inferColumn(example: unknown): Inferred {
  if (example === null) return { type: 'string' };
  return isDateTime(example) ? { type: 'string', format: 'date-time' } : infer(example);
}

/** Requires a time: a string of ten digits and hyphens may not be a date. */
const isDateTime = (example: unknown) =>
  typeof example === 'string' && /^[\d-]{10}T/.test(example) && toInstant(example) !== undefined;

function infer(example: unknown): Inferred {
  if (Array.isArray(example)) return { type: 'array', ...inferItems(example) };
  if (isObject(example)) return { type: 'object', properties: inferProperties(example) };
  return { type: typeof example as 'string' | 'number' | 'boolean' };
}

const inferProperties = (example: Json): Record<string, Json> =>
  Object.fromEntries(
    Object.entries(example)
      .filter(([, each]) => each !== null)
      .map(([key, each]) => [key, { ...infer(each) }]),
  );

function inferItems(example: readonly unknown[]): { items?: Json } {
  const [first, ...others] = example.filter(each => each !== null).map(infer);
  if (!first || others.some(({ type }) => type !== first.type)) return {};
  // Objects in one array may have different properties.
  return { items: others.length === 0 ? { ...first } : { type: first.type } };
}
