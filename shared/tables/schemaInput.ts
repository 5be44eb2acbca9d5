/** What `schema` may be when a table is made or changed: JSON Schema, an example of a row, or both by column. */

import { COLUMN_TYPES } from '#shared/dynamodb/tables/column.ts';
import { invalidPayload } from '#shared/errors.ts';
import { faultOfJson, isObject, type Json } from './schemaJson.ts';

/** What is said of a column. */
export type Said = { definition: Json } | { example: unknown };

export interface SchemaInput {
  /** By name; null removes the column. */
  columns: [name: string, logMessages: Said | null][];
  /** Names of columns that are not to be null. */
  required: string[];
}

export const COLUMNS_LIMIT = 64;
/** Deeper than a column may be, which is checked by itself. */
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

/**
 * @param known the table's columns: of these a definition need not repeat the type
 * @throws ApiError InvalidPayload
 */
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
  return few(properties).map(([name, value]) => {
    if (value === null) return [name, null];
    if (isObject(value)) return [name, { definition: value }];
    throw invalidPayload(`The schema must say of the column "${called(name)}" its type: {"type": …}.`, pathOf(name));
  });
}

function readRequired(required: unknown): string[] {
  if (required === undefined || required === null) return [];
  if (Array.isArray(required) && required.every(name => typeof name === 'string')) return required;
  throw invalidPayload('In a schema, required must be a list of names of columns.', 'schema.required');
}

const readMixed = (schema: Json, known: ReadonlySet<string>): SchemaInput['columns'] =>
  few(schema).map(([name, value]) => [
    name,
    value === null ? null : isDefinition(value, known.has(name)) ? { definition: value } : { example: value },
  ]);

/** An object with a `type` that is none of ours is an example: of an object that has a type. */
function isDefinition(value: unknown, isKnown: boolean): value is Json {
  if (!isObject(value)) return false;
  if ('x-zui' in value || COLUMN_TYPES.some(type => type === value.type)) return true;
  const keys = Object.keys(value);
  return isKnown && keys.length > 0 && keys.every(key => DEFINITION_KEYS.some(known => known === key));
}

/** Before work is done for each. */
function few(columns: Json): [name: string, value: unknown][] {
  const entries = Object.entries(columns);
  if (entries.length > 2 * COLUMNS_LIMIT) throw tooMany();
  return entries;
}

export const tooMany = () => invalidPayload(`A table has at most ${COLUMNS_LIMIT} columns.`, 'schema');

/** A name as a message shows it: it may be anything. */
export const called = (name: string) => name.slice(0, 100);
export const pathOf = (name: string, ...keys: string[]) => ['schema', called(name), ...keys].join('.');
