/** Converts the fields of a JSON Schema to table rows. */
import type { JsonObjectSchema, JsonSchema } from '#infra/gateway/reference/jsonSchemas.ts';
import { code } from './markdown.ts';

export interface Field {
  name: string;
  type: string;
  isRequired: boolean;
  limits: string;
}

type Shapes = ReadonlyMap<string, string>;

/** Maximum depth of nested fields, named `a.b`, or `a[].b` in lists. */
const MAX_DEPTH = 3;
const MAX_LISTED_VALUES = 12;

/** @param shapes names of described objects by their JSON; fields link to them */
export function fieldsOf(schema: JsonSchema, shapes: Shapes = new Map(), prefix = '', depth = 1): Field[] {
  const { properties = {}, required = [] } = schema as JsonObjectSchema;
  return Object.entries(properties).flatMap(([name, each]) => {
    const path = `${prefix}${name}`;
    const field = {
      name: path,
      type: typeOf(each, shapes),
      isRequired: required.includes(name),
      limits: limitsOf(each),
    };
    const { schema: inner, suffix } = innermost(each);
    if (depth >= MAX_DEPTH || shapes.has(JSON.stringify(inner))) return [field];
    return [field, ...fieldsOf(inner, shapes, `${path}${suffix}.`, depth + 1)];
  });
}

/** Returns the schema inside lists and nullable values, with its suffix in paths. */
export function innermost(schema: JsonSchema): { schema: JsonSchema; suffix: string } {
  const { items } = schema as { items?: JsonSchema };
  if (items && !Array.isArray(items)) {
    const inner = innermost(items);
    return { schema: inner.schema, suffix: `[]${inner.suffix}` };
  }
  const [only, ...others] = variantsOf(schema).filter(each => each.type !== 'null');
  return only && others.length === 0 ? innermost(only) : { schema, suffix: '' };
}

const variantsOf = (schema: JsonSchema) => (schema.anyOf ?? schema.oneOf ?? []) as JsonSchema[];

export function typeOf(schema: JsonSchema, shapes: Shapes = new Map()): string {
  const shape = shapes.get(JSON.stringify(schema));
  if (shape) return `[${shape}](#${shape.toLowerCase()})`;
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

const listOf = (type: string) => (type.includes(' ') ? `list of ${type}` : `${type}[]`);

export function limitsOf(schema: JsonSchema): string {
  const { items } = schema as { items?: JsonSchema };
  const variants = variantsOf(schema);
  return [
    range(schema.minLength, schema.maxLength, 'characters'),
    range(schema.minItems, schema.maxItems, 'items'),
    range(schema.minProperties, schema.maxProperties, 'entries'),
    range(minimumOf(schema), maximumOf(schema)),
    typeof schema.format === 'string' ? schema.format : '',
    listed(schema.enum),
    listed(discriminators(variants)),
    ...variants.filter(each => each.type !== 'object').map(limitsOf),
    items ? limitsOf(items) : '',
  ]
    .filter((limit, index, all) => limit && all.indexOf(limit) === index)
    .join('; ');
}

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
