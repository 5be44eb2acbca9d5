import { invalidPayload } from '#shared/core/errors.ts';
import { startOf } from '#shared/core/excerpt.ts';
import { COLUMN_TYPES } from '#shared/storage/dynamodb/tables/column.ts';
import { faultOfJson, isObject, type Json } from './json.ts';

export type ColumnInput = { definition: Json } | { example: unknown };

export interface SchemaInput {
  columns: [name: string, input: ColumnInput | null][];
  required: string[];
}

export const COLUMNS_LIMIT = 64;
/** Recursion limit while parsing. `rules.ts` enforces the lower limit per column. */
const DEPTH_LIMIT = 30;

const DEFINITION_KEYS = [
  'type',
  'format',
  'description',
  'pattern',
  'enum',
  'items',
  'properties',
  'nullable',
  'x-zui',
] as const;

export function readSchema(schema: unknown, known: ReadonlySet<string>): SchemaInput {
  if (!isObject(schema)) throw invalidPayload('The schema must be an object: JSON Schema, or an example.', 'schema');
  const fault = faultOfJson(schema, DEPTH_LIMIT);
  if (fault) throw invalidPayload(`The schema ${fault}.`, 'schema');
  return isJsonSchema(schema)
    ? { columns: readProperties(schema.properties), required: readRequired(schema.required) }
    : { columns: readMixed(schema, known), required: [] };
}

const isJsonSchema = (schema: Json): schema is Json & { properties: Json } =>
  isObject(schema.properties) && (schema.type === 'object' || '$schema' in schema);

function readProperties(properties: Json): SchemaInput['columns'] {
  return limitedEntries(properties).map(([name, value]) => {
    if (value === null) return [name, null];
    if (isObject(value)) return [name, { definition: value }];
    throw invalidPayload(
      `The schema must define the type of the column "${shortened(name)}": {"type": …}.`,
      pathOf(name),
    );
  });
}

function readRequired(required: unknown): string[] {
  if (required === undefined || required === null) return [];
  if (Array.isArray(required) && required.every(name => typeof name === 'string')) return required;
  throw invalidPayload('In a schema, required must be an array of column names.', 'schema.required');
}

const readMixed = (schema: Json, known: ReadonlySet<string>): SchemaInput['columns'] =>
  limitedEntries(schema).map(([name, value]) => [
    name,
    value === null ? null : isDefinition(value, known.has(name)) ? { definition: value } : { example: value },
  ]);

/** Treats an object whose `type` is not a column type as an example. */
function isDefinition(value: unknown, isKnown: boolean): value is Json {
  if (!isObject(value)) return false;
  if ('x-zui' in value || COLUMN_TYPES.some(type => type === value.type)) return true;
  const keys = Object.keys(value);
  return isKnown && keys.length > 0 && keys.every(key => DEFINITION_KEYS.some(known => known === key));
}

function limitedEntries(columns: Json): [name: string, value: unknown][] {
  const entries = Object.entries(columns);
  if (entries.length > 2 * COLUMNS_LIMIT) throw tooManyColumns();
  return entries;
}

export const tooManyColumns = () => invalidPayload(`A table can have at most ${COLUMNS_LIMIT} columns.`, 'schema');

export const shortened = (name: string) => startOf(name, 100);
export const pathOf = (name: string, ...keys: string[]) => ['schema', shortened(name), ...keys].join('.');
