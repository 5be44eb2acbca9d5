export type Schema = Record<string, unknown>;

const OPTIONAL = Symbol('optional');
type Property = Schema & { [OPTIONAL]?: true };

export const optional = (schema: Schema): Property => ({ ...schema, [OPTIONAL]: true });

export function object(properties: Record<string, Property> = {}): Schema {
  const required = Object.keys(properties).filter(name => !properties[name]![OPTIONAL]);
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(properties).map(([name, { ...schema }]) => [name, without(schema)])),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties: false,
  };
}

const without = ({ [OPTIONAL]: _, ...schema }: Property): Schema => schema;

export const text = (): Schema => ({ type: 'string' });
export const nonEmpty = (): Schema => ({ type: 'string', minLength: 1 });
export const url = (): Schema => ({ type: 'string', format: 'uri' });
export const dateTime = (): Schema => ({ type: 'string', format: 'date-time' });
export const oneOf = (...values: string[]): Schema => ({ type: 'string', enum: values });
export const number = (limits: { minimum?: number; maximum?: number } = {}): Schema => ({ type: 'number', ...limits });
export const integer = (limits: { minimum?: number; maximum?: number } = {}): Schema => ({
  type: 'integer',
  ...limits,
});
export const boolean = (): Schema => ({ type: 'boolean' });
export const list = (items: Schema, limits: { maxItems?: number } = {}): Schema => ({
  type: 'array',
  items,
  ...limits,
});
export const map = (values: Schema = {}): Schema => ({ type: 'object', additionalProperties: values });
export const nullable = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] });
export const either = (...schemas: Schema[]): Schema => ({ anyOf: schemas });
export const both = (...schemas: Schema[]): Schema => ({ allOf: schemas });

/** Refers to an entity, which an integration may extend. */
export const entity = (name: string): Schema => ({ $ref: name });

export const action = (input: Schema, output: Schema, fields: Schema = {}) => ({
  ...fields,
  input: { schema: input },
  output: { schema: output },
});

export const HIDDEN = { attributes: { bpActionHiddenInStudio: 'true' } };
