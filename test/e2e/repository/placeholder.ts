/** Derives a plausible value from a JSON schema: the smallest value with all required fields. */
export interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minItems?: number;
  enum?: unknown[];
  const?: unknown;
  default?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  format?: string;
  minLength?: number;
  minimum?: number;
}

const FORMATS: Record<string, string> = {
  uri: 'https://example.com',
  url: 'https://example.com',
  email: 'owner@example.com',
  uuid: '00000000-0000-4000-8000-000000000000',
  'date-time': '2026-01-01T00:00:00.000Z',
  date: '2026-01-01',
};

export function placeholder(schema: Schema, name = ''): unknown {
  if (schema.default !== undefined) return schema.default;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const [variant] = schema.anyOf ?? schema.oneOf ?? [];
  if (variant) return placeholder(variant, name);
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map(each => placeholder(each, name)));
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === 'object' || schema.properties) return objectOf(schema);
  if (type === 'array')
    return Array.from({ length: schema.minItems ?? 0 }, () => placeholder(schema.items ?? {}, name));
  if (type === 'number' || type === 'integer') return schema.minimum ?? 1;
  if (type === 'boolean') return false;
  if (type === 'null') return null;
  return textOf(schema, name);
}

function objectOf({ properties = {}, required = [] }: Schema): Record<string, unknown> {
  const fields = required.filter(field => properties[field]);
  return Object.fromEntries(fields.map(field => [field, placeholder(properties[field]!, field)]));
}

function textOf({ format, minLength = 0 }: Schema, name: string): string {
  if (format && FORMATS[format]) return FORMATS[format];
  if (/url|endpoint|host$/i.test(name)) return 'https://example.com';
  if (/email/i.test(name)) return 'owner@example.com';
  return 'placeholder'.padEnd(minLength, '0');
}
