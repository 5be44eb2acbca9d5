/** Converts a JSON schema to the fields of a form. Parts that no field can edit become JSON text. */

type Schema = Readonly<Record<string, unknown>>;

interface Choice {
  label: string;
  value: unknown;
}

interface Limits {
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

interface BaseField {
  path: readonly string[];
  title: string;
  description?: string;
  placeholder?: string;
  isRequired: boolean;
  isNullable: boolean;
  /** Write-only: the API never returns the value. */
  isSecret: boolean;
  default?: unknown;
  limits: Limits;
}

interface PlainField extends BaseField {
  kind: 'text' | 'number' | 'integer' | 'boolean' | 'lines' | 'json' | 'hidden';
}

export interface ChoiceField extends BaseField {
  kind: 'choice' | 'choices';
  choices: Choice[];
}

interface GroupField extends BaseField {
  kind: 'group';
  fields: Field[];
}

export type Field = PlainField | ChoiceField | GroupField;

export const idOf = ({ path }: Pick<Field, 'path'>): string => JSON.stringify(path);

const isObject = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const asText = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** Nesting limit, for schemas that refer to themselves. */
const MAX_DEPTH = 5;
const LIMITS = ['minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems'] as const;

/** Returns one JSON field for a schema without properties. */
export function fieldsOf(schema: unknown): Field[] {
  if (!isObject(schema)) return [];
  const root = resolve(schema, schema);
  if (isObject(root.properties)) return propertiesOf(root, [], schema);
  const isEmptyObject = root.type === 'object' && root.additionalProperties === false;
  return isEmptyObject ? [] : [{ ...baseOf(root, [], false), kind: 'json' }];
}

function propertiesOf(schema: Schema, path: readonly string[], root: Schema): Field[] {
  const required = new Set(asList(schema.required));
  return Object.entries(schema.properties as Schema).map(([key, each]) =>
    fieldOf(isObject(each) ? each : {}, { path: [...path, key], isRequired: required.has(key), root }),
  );
}

interface Place {
  path: readonly string[];
  isRequired: boolean;
  root: Schema;
}

function fieldOf(schema: Schema, { path, isRequired, root }: Place): Field {
  const { inner, isNullable } = withoutNull(resolve(schema, root));
  const base = { ...baseOf({ ...inner, ...schema }, path, isRequired), isNullable, limits: limitsOf(inner) };
  const isSecret = base.isSecret || extrasOf(inner).secret === true;
  if (extrasOf(schema).hidden === true || Object.hasOwn(inner, 'const')) {
    return { ...base, kind: 'hidden', default: base.default ?? inner.const };
  }
  const choices = isSecret ? undefined : choicesOf(inner);
  if (choices) return { ...base, kind: 'choice', choices };
  switch (inner.type) {
    case 'string':
      return { ...base, isSecret, kind: 'text' };
    case 'number':
    case 'integer':
    case 'boolean':
      return { ...base, isSecret, kind: isSecret ? 'json' : inner.type };
    case 'array':
      return { ...base, isSecret, ...listOf(inner, isSecret, root) };
  }
  if (isObject(inner.properties) && !isSecret && path.length < MAX_DEPTH) {
    return { ...base, kind: 'group', fields: propertiesOf(inner, path, root) };
  }
  return { ...base, isSecret, kind: 'json' };
}

function listOf({ items }: Schema, isSecret: boolean, root: Schema): { kind: 'lines' | 'json' } | ChoiceList {
  const item = isObject(items) ? resolve(items, root) : {};
  if (isSecret || extrasOf(item).secret === true) return { kind: 'json' };
  const choices = choicesOf(item);
  if (choices) return { kind: 'choices', choices };
  return { kind: item.type === 'string' ? 'lines' : 'json' };
}

type ChoiceList = Pick<ChoiceField, 'kind' | 'choices'>;

function baseOf(schema: Schema, path: readonly string[], isRequired: boolean): BaseField {
  const { title, placeholder, secret } = extrasOf(schema);
  const description = asText(schema.description);
  const example = asText(placeholder) ?? asText(asList(schema.examples)[0]);
  return {
    path,
    title: asText(schema.title) ?? asText(title) ?? path.at(-1) ?? '',
    ...(description === undefined ? {} : { description }),
    ...(example === undefined ? {} : { placeholder: example }),
    isRequired,
    isNullable: false,
    isSecret: secret === true,
    ...(schema.default === undefined ? {} : { default: schema.default }),
    limits: {},
  };
}

/** Annotations of the Botpress SDK's schema library. */
const extrasOf = (schema: Schema): Schema => (isObject(schema['x-zui']) ? schema['x-zui'] : {});

const limitsOf = (schema: Schema): Limits =>
  Object.fromEntries(LIMITS.flatMap(name => (typeof schema[name] === 'number' ? [[name, schema[name]]] : [])));

const alternativesOf = (schema: Schema) => [...asList(schema.anyOf), ...asList(schema.oneOf)].filter(isObject);

function withoutNull(schema: Schema): { inner: Schema; isNullable: boolean } {
  const types = asList(schema.type);
  const others = types.filter(type => type !== 'null');
  if (types.length > 0 && others.length === 1) {
    return { inner: { ...schema, type: others[0] }, isNullable: others.length < types.length };
  }
  const alternatives = alternativesOf(schema);
  const rest = alternatives.filter(({ type }) => type !== 'null');
  const isNullable = rest.length < alternatives.length;
  if (rest.length === 1) {
    const { anyOf: _, oneOf: __, ...outer } = schema;
    return { inner: { ...outer, ...rest[0] }, isNullable: isNullable || schema.nullable === true };
  }
  return { inner: schema, isNullable: isNullable || schema.nullable === true };
}

/** Returns the values of an enumeration, or of alternatives that are all constants, enumerations or Booleans. */
function choicesOf(schema: Schema): Choice[] | undefined {
  if (Array.isArray(schema.enum)) return schema.enum.filter(value => value !== null).map(value => choice(value));
  const alternatives = alternativesOf(schema).filter(({ type }) => type !== 'null');
  if (alternatives.length === 0) return undefined;
  const all = alternatives.map(each => {
    if (Object.hasOwn(each, 'const')) return [choice(each.const, each)];
    if (each.type === 'boolean') return [choice(true), choice(false)];
    return choicesOf(each);
  });
  return all.every(each => each !== undefined) ? all.flat() : undefined;
}

const choice = (value: unknown, { title }: Schema = {}): Choice => ({
  label: asText(title) ?? (typeof value === 'string' ? value : JSON.stringify(value)),
  value,
});

/** Follows references within the schema. */
function resolve(schema: Schema, root: Schema): Schema {
  let found = schema;
  for (let hops = 0; hops < MAX_DEPTH && typeof found.$ref === 'string'; hops++) {
    const keys = found.$ref.replace(/^#\/?/, '').split('/').filter(Boolean);
    const target = keys
      .map(key => key.replaceAll('~1', '/').replaceAll('~0', '~'))
      .reduce<unknown>((at, key) => (isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined), root);
    if (!isObject(target)) return {};
    found = target;
  }
  return found;
}
