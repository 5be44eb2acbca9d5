import * as z from 'zod/mini';
import { invalidPayload } from '#shared/core/errors.ts';
import { COLUMN_TYPES, type Column } from '#shared/storage/dynamodb/tables/column.ts';
import { pathOf, shortened } from './input.ts';
import { isObject, type Json } from './json.ts';

const ID_LENGTH = 200;
const DEPENDENCIES_LIMIT = 64;
const ENUM_LIMIT = 100;

const types = COLUMN_TYPES.join(', ');
const columnType = () => z.enum(COLUMN_TYPES, `must be one of ${types}; use "nullable" to allow null`);
const text = (maxLength: number) => {
  const error = `must be a string of at most ${maxLength.toLocaleString('en')} characters`;
  return z.string(error).check(z.maxLength(maxLength, error));
};
const flag = () => z.boolean('must be true or false');
/** Other keywords are stored unvalidated. */
const isDeclared = (value: unknown): value is Json => isObject(value) && COLUMN_TYPES.some(type => type === value.type);
const items = () => z.custom<Json>(isDeclared, `must be an object whose "type" is one of ${types}`);
const properties = () =>
  z.custom<Record<string, Json>>(
    value => isObject(value) && Object.values(value).every(isDeclared),
    `must be an object that defines the "type" of each property, one of ${types}`,
  );

const computed = () =>
  z.object(
    {
      action: z.enum(['ai', 'code', 'workflow'], 'must be one of ai, code, workflow'),
      dependencies: z.nullish(
        z
          .array(z.string('must be the name of a column'), 'must be an array of column names')
          .check(z.maxLength(DEPENDENCIES_LIMIT, `must be at most ${DEPENDENCIES_LIMIT} names`)),
      ),
      prompt: z.nullish(text(10_000)),
      code: z.nullish(text(20_000)),
      model: z.nullish(text(ID_LENGTH)),
      workflowId: z.nullish(text(ID_LENGTH)),
      enabled: z.nullish(flag()),
    },
    'must be an object that defines how the column is computed',
  );

/** Other keys are dropped, including the `index` and `id` that responses add to `x-zui`. */
const definition = z.object({
  type: z.optional(columnType()),
  format: z.nullish(z.literal('date-time', 'must be date-time or omitted')),
  description: z.nullish(text(1_000)),
  pattern: z.nullish(text(1_000)),
  enum: z.nullish(
    z
      .array(text(200), 'must be an array of strings')
      .check(
        z.minLength(1, 'must have at least one string'),
        z.maxLength(ENUM_LIMIT, `must have at most ${ENUM_LIMIT} strings`),
      ),
  ),
  items: z.nullish(items()),
  properties: z.nullish(properties()),
  nullable: z.nullish(flag()),
  'x-zui': z.optional(
    z.object(
      {
        searchable: z.nullish(flag()),
        hidden: z.nullish(flag()),
        order: z.nullish(z.number('must be a number')),
        width: z.nullish(z.number('must be a number')),
        schemaId: z.nullish(text(ID_LENGTH)),
        typings: z.nullish(text(10_000)),
        computed: z.nullish(computed()),
      },
      'must be an object',
    ),
  ),
});

export type Definition = { [K in Exclude<keyof Column, 'id' | 'name' | 'type'>]?: Column[K] | null } & {
  type?: Column['type'];
};

export function readDefinition(name: string, value: Json): Definition {
  const result = definition.safeParse(value);
  if (!result.success) {
    const { path, message } = result.error.issues[0]!;
    const keys = path.map(String);
    throw invalidPayload(`In the column "${shortened(name)}", ${keys.join('.')} ${message}.`, pathOf(name, ...keys));
  }
  const { 'x-zui': zui, ...plain } = result.data;
  const { computed, ...others } = zui ?? {};
  const flat = { ...plain, ...others, ...(computed && { computed: withDefaults(computed) }) };
  return (computed === null ? { ...flat, computed } : flat) as Definition;
}

const withDefaults = (computed: Json) => present({ ...computed, enabled: computed.enabled ?? true });

/** Keys that apply to one type of value and are dropped when the type changes. */
const TYPED = ['format', 'pattern', 'enum', 'items', 'properties', 'searchable'] as const satisfies (keyof Column)[];

export function applyDefinition(
  before: Omit<Column, 'nullable'> & { nullable?: boolean },
  changes: Definition,
): Column {
  const type = changes.type ?? before.type;
  const kept = type === before.type ? before : without(before, TYPED);
  return { nullable: true, ...present({ ...kept, ...changes }) } as Column;
}

const present = (values: object) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== undefined));
const without = (values: object, keys: readonly string[]) =>
  Object.fromEntries(Object.entries(values).filter(([key]) => !keys.includes(key)));
