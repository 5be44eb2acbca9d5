/** Walks the declared inputs of operations, and changes requests at their places. */
import { chatApi, platformApi } from '#infra/gateway/apis.ts';
import { inputSchema, type JsonSchema } from '#infra/gateway/reference/jsonSchemas.ts';
import type { Operation } from '#shared/api/operations/operations.ts';

export type Path = readonly string[];

export interface Place {
  path: Path;
  schema: JsonSchema;
}

/** Stands for an element of a list. */
export const ELEMENT = '[]';
/** Stands for a name that the caller chooses. */
export const NAME = '*';

interface Parts {
  type?: string;
  properties?: Record<string, JsonSchema>;
  additionalProperties?: JsonSchema | boolean;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  enum?: unknown[];
  const?: unknown;
}

/** Returns the cases of a test of each operation without a stream that has such places. */
export const operationsWith = (placesOf: (operation: Operation) => readonly unknown[]) =>
  [...chatApi.operations, ...platformApi.operations]
    .filter(operation => !operation.streams && placesOf(operation).length > 0)
    .map(operation => [operation.group, operation.name, operation] as const);

export const partsOf = (schema: JsonSchema): Parts => schema;

/** Yields each place once per alternative of its schema. */
function* walk(schema: JsonSchema | undefined, path: Path): Generator<Place> {
  if (!schema) return;
  yield { path, schema };
  const { properties = {}, additionalProperties, items, anyOf = [], oneOf = [] } = partsOf(schema);
  for (const [name, each] of Object.entries(properties)) yield* walk(each, [...path, name]);
  if (typeof additionalProperties === 'object') yield* walk(additionalProperties, [...path, NAME]);
  yield* walk(items, [...path, ELEMENT]);
  for (const each of [...anyOf, ...oneOf]) yield* walk(each, path);
}

/** Returns the places of an operation's body that match, each once. */
export function placesOf({ body }: Operation, isWanted: (place: Place) => boolean): Place[] {
  const all = body ? [...walk(inputSchema(body) as JsonSchema, [])].filter(isWanted) : [];
  return [...new Map(all.map(place => [place.path.join('.'), place])).values()];
}

/** Returns a value that the schema permits, as small as possible. */
export function sampleOf(schema: JsonSchema): unknown {
  const { type, properties = {}, required = [], anyOf, oneOf, enum: values, const: constant } = partsOf(schema);
  if (constant !== undefined) return constant;
  if (values) return values[0];
  const alternatives = anyOf ?? oneOf;
  if (alternatives) return sampleOf(alternatives[0]!);
  if (type === 'object') return Object.fromEntries(required.map(name => [name, sampleOf(properties[name] ?? {})]));
  if (type === 'array') return [];
  if (type === 'number' || type === 'integer') return 1;
  if (type === 'boolean') return true;
  return 'sample';
}

/**
 * Returns a copy of a valid body with a value at a place, and with the required values on the way.
 * @param name replaces {@link NAME}
 */
export function bodyWith(operation: Operation, body: unknown, path: Path, value: unknown, name = 'sample'): unknown {
  let schema = inputSchema(operation.body!) as JsonSchema;
  const root = structuredClone(body ?? {}) as object;
  let parent = root;
  for (const step of path.slice(0, -1)) {
    schema = childOf(schema, step);
    const key = keyOf(step, name);
    const known = Object.hasOwn(parent, key) ? (parent as Record<string, unknown>)[key] : undefined;
    const child = isObject(known) ? known : sampleObject(schema);
    define(parent, key, child);
    parent = child;
  }
  define(parent, keyOf(path.at(-1)!, name), value);
  return root;
}

const keyOf = (step: string, name: string) => (step === ELEMENT ? '0' : step === NAME ? name : step);

/** Assigning `__proto__` would set the prototype. */
const define = (target: object, name: string, value: unknown) =>
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const sampleObject = (schema: JsonSchema): object => {
  const sample = sampleOf(schema);
  return isObject(sample) ? sample : {};
};

function childOf(schema: JsonSchema, step: string): JsonSchema {
  const { properties = {}, additionalProperties, items, anyOf, oneOf } = partsOf(schema);
  const own = step === ELEMENT ? items : step === NAME ? additionalProperties : properties[step];
  if (typeof own === 'object') return own;
  for (const each of anyOf ?? oneOf ?? []) {
    const child = childOf(each, step);
    if (Object.keys(child).length > 0) return child;
  }
  return {};
}
