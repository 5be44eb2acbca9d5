/** Converts the fields of a JSON Schema to table rows. */
import { variantsOf } from '#infra/gateway/reference/describedSchemas.ts';
import type { JsonObjectSchema, JsonSchema } from '#infra/gateway/reference/jsonSchemas.ts';
import { formatInWords } from '#infra/gateway/reference/patterns.ts';
import { anchorOf, code } from './markdown.ts';

export interface Field {
  name: string;
  type: string;
  isRequired: boolean;
  limits: string;
  description: string;
}

/** Names of objects and unions that have a section of their own, by {@link shapeKey}. */
export type Shapes = ReadonlyMap<string, string>;

const MAX_LISTED_VALUES = 12;

/** Identifies a shape regardless of the field that has it. */
export const shapeKey = ({ description: _, title: __, ...schema }: JsonSchema): string => JSON.stringify(schema);

/** @param shapes described objects, to which fields link. Other nested fields are named `a.b`, `a[].b` or `a.*.b`. */
export function fieldsOf(schema: JsonSchema, shapes: Shapes = new Map(), prefix = ''): Field[] {
  const { properties = {}, required = [] } = schema as JsonObjectSchema;
  return Object.entries(properties).flatMap(([name, each]) => {
    const path = `${prefix}${name}`;
    const field = {
      name: path,
      type: typeOf(each, shapes),
      isRequired: required.includes(name),
      limits: limitsOf(each, shapes),
      description: String(each.description ?? ''),
    };
    const { schema: inner, suffix } = innermost(each);
    if (shapes.has(shapeKey(inner))) return [field];
    const variants = variantsOf(inner).filter(variant => !shapes.has(shapeKey(variant)));
    return [field, ...unique([inner, ...variants].flatMap(part => fieldsOf(part, shapes, `${path}${suffix}.`)))];
  });
}

/** Merges fields that several variants of a union have. */
const unique = (fields: readonly Field[]): Field[] =>
  [...Map.groupBy(fields, ({ name }) => name).values()].map(same => ({
    ...same[0]!,
    type: [...new Set(same.map(({ type }) => type))].join(' or '),
  }));

/** Returns the schema inside lists, maps and nullable values, with its suffix in paths. */
export function innermost(schema: JsonSchema): { schema: JsonSchema; suffix: string } {
  const { items, properties, additionalProperties: values } = schema as Record<string, JsonSchema | undefined>;
  if (items && !Array.isArray(items)) return suffixed(items, '[]');
  if (!properties && values && typeof values === 'object') return suffixed(values, '.*');
  const [only, ...others] = variantsOf(schema).filter(each => each.type !== 'null');
  return only && others.length === 0 ? innermost(only) : { schema, suffix: '' };
}

function suffixed(schema: JsonSchema, suffix: string) {
  const inner = innermost(schema);
  return { schema: inner.schema, suffix: `${suffix}${inner.suffix}` };
}

export function typeOf(schema: JsonSchema, shapes: Shapes = new Map()): string {
  const shape = shapes.get(shapeKey(schema));
  if (shape) return `[${shape}](#${anchorOf(shape)})`;
  if (schema.const !== undefined) return code(JSON.stringify(schema.const));
  const variants = variantsOf(schema);
  if (variants.length > 0) return [...new Set(variants.map(each => typeOf(each, shapes)))].join(' or ');
  const { type, items, additionalProperties: values, properties } = schema as Record<string, JsonSchema | undefined>;
  if (type === undefined) return 'any';
  if (Array.isArray(type)) return type.join(' or ');
  if (String(type) === 'array') return listOf(items ? typeOf(items, shapes) : 'any');
  if (String(type) === 'object' && !properties && typeof values === 'object') {
    const type = typeOf(values, shapes);
    return `map of ${type.includes(' or ') ? `(${type})` : type}`;
  }
  return String(type);
}

const listOf = (type: string) => (/[ \]]/.test(type) ? `list of ${type}` : `${type}[]`);

function limitsOf(schema: JsonSchema, shapes: Shapes = new Map()): string {
  const { items } = schema as { items?: JsonSchema };
  if (shapes.has(shapeKey(schema))) return '';
  const variants = variantsOf(schema).filter(each => !shapes.has(shapeKey(each)));
  return [
    lengthOf(schema),
    range(schema.minItems, schema.maxItems, 'items'),
    range(schema.minProperties, schema.maxProperties, 'entries'),
    range(minimumOf(schema), maximumOf(schema)),
    typeof schema.format === 'string' ? formatInWords(schema.format) : '',
    schema.default === undefined ? '' : `default ${code(JSON.stringify(schema.default))}`,
    listed(schema.enum),
    listed(discriminators(variants)),
    ...variants.filter(each => each.type !== 'object').map(each => limitsOf(each, shapes)),
    items ? limitsOf(items, shapes) : '',
  ]
    .filter((limit, index, all) => limit && all.indexOf(limit) === index)
    .join('; ');
}

const lengthOf = ({ minLength, maxLength }: JsonSchema) =>
  minLength === 1 && maxLength === undefined ? 'not empty' : range(minLength, maxLength, 'characters');

/** Returns the values of `type` that distinguish the variants of a union. */
const discriminators = (variants: readonly JsonSchema[]) =>
  variants.flatMap(({ properties }) => (properties as JsonObjectSchema['properties'])?.type?.const ?? []);

function listed(values: unknown): string {
  if (!Array.isArray(values) || values.length === 0) return '';
  const shown = values.slice(0, MAX_LISTED_VALUES).map(value => code(String(value)));
  const rest = values.length - shown.length;
  return `${shown.join(' ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

/** Ignores Zod's default bounds of integers. */
const isBound = (value: unknown): value is number =>
  typeof value === 'number' && Math.abs(value) < Number.MAX_SAFE_INTEGER;
const minimumOf = ({ minimum, exclusiveMinimum }: JsonSchema) => (isBound(minimum) ? minimum : exclusiveMinimum);
const maximumOf = ({ maximum, exclusiveMaximum }: JsonSchema) => (isBound(maximum) ? maximum : exclusiveMaximum);

function range(least: unknown, most: unknown, unit = ''): string {
  const [min, max] = [least, most].map(value => (isBound(value) ? value.toLocaleString('en') : undefined));
  const bounds =
    min !== undefined && max !== undefined
      ? min === max
        ? min
        : `${min}–${max}`
      : min !== undefined
        ? `≥ ${min}`
        : max !== undefined
          ? `≤ ${max}`
          : '';
  return bounds && `${bounds}${unit && ` ${unit}`}`;
}
