/**
 * Secret fields of configurations: those that a JSON schema marks with `x-zui: { secret: true }`, as the ecosystem's schema
 * builder writes `.secret()`. They are written and never read (docs/compatibility.md#secret-fields).
 */
import type { SecretPath } from '#shared/dynamodb/workspace/integrationDefinition.ts';

/** Stands for every configuration type of an integration that has too many to list. */
export const ANY_TYPE = '*';

type JsonObject = Record<string, unknown>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isMarked = (schema: JsonObject) => isObject(schema['x-zui']) && schema['x-zui'].secret === true;

/** Schemas whose values take the place of the schema's own. */
const ALTERNATIVES = ['anyOf', 'oneOf', 'allOf'];
const BRANCHES = ['if', 'then', 'else', 'not'];
/** Schemas of values without names: any secret in them makes the whole value secret. */
const ELEMENTS = [
  'items',
  'additionalItems',
  'prefixItems',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
];

/** Longer lists are shortened to the fields of the first level. */
const LONGEST_BYTES = 10_000;

/** The paths of the secret fields. An empty path means that all is secret. */
export function secretPathsOf(schema: unknown): SecretPath[] {
  const paths = uniquePaths(pathsIn(schema, schema, new Set()));
  if (JSON.stringify(paths).length <= LONGEST_BYTES) return paths;
  const firstLevel = uniquePaths(paths.map(path => path.slice(0, 1)));
  return JSON.stringify(firstLevel).length <= LONGEST_BYTES ? firstLevel : [[]];
}

function pathsIn(schema: unknown, root: unknown, references: ReadonlySet<string>): SecretPath[] {
  if (!isObject(schema)) return [];
  if (isMarked(schema)) return [[]];
  const inner = (each: unknown) => pathsIn(each, root, references);
  const listed = (name: string) => (Array.isArray(schema[name]) ? (schema[name] as unknown[]) : [schema[name]]);
  const elements = [...ELEMENTS.flatMap(listed), ...valuesOf(schema.patternProperties)];
  if (elements.some(each => inner(each).length > 0)) return [[]];
  return [
    ...Object.entries(isObject(schema.properties) ? schema.properties : {}).flatMap(([key, each]) =>
      inner(each).map(path => [key, ...path]),
    ),
    ...[...ALTERNATIVES, ...BRANCHES].flatMap(listed).flatMap(inner),
    ...valuesOf(schema.dependentSchemas).flatMap(inner),
    ...(typeof schema.$ref === 'string' ? pathsBehind(schema.$ref, root, references) : []),
  ];
}

const valuesOf = (map: unknown) => (isObject(map) ? Object.values(map) : []);

function pathsBehind(reference: string, root: unknown, references: ReadonlySet<string>): SecretPath[] {
  const target = reference
    .replace(/^#\/?/, '')
    .split('/')
    .filter(Boolean)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((at, part) => (isObject(at) && Object.hasOwn(at, part) ? at[part] : undefined), root);
  // A recursive schema has no finite list of paths.
  if (references.has(reference)) return /"secret"\s*:\s*true/.test(JSON.stringify(target) ?? '') ? [[]] : [];
  return pathsIn(target, root, new Set([...references, reference]));
}

/** Without those that another path covers. */
export function uniquePaths(paths: SecretPath[]): SecretPath[] {
  if (paths.some(path => path.length === 0)) return [[]];
  return [...new Map(paths.map(path => [JSON.stringify(path), path])).values()];
}

/** The paths below a key. */
const pathsBelow = (paths: readonly SecretPath[], key: string) =>
  paths.filter(([first]) => first === key).map(path => path.slice(1));

const coversAll = (paths: readonly SecretPath[]) => paths.some(path => path.length === 0);

/** A configuration without its secret fields. */
export function withoutSecrets(value: JsonObject, paths: readonly SecretPath[]): JsonObject {
  if (coversAll(paths)) return {};
  const shown = Object.entries(value).flatMap(([key, each]): [string, unknown][] => {
    const below = pathsBelow(paths, key);
    if (below.length === 0) return [[key, each]];
    // A list where the schema expects an object: nobody knows what is in it.
    if (coversAll(below) || Array.isArray(each)) return [];
    return [[key, isObject(each) ? withoutSecrets(each, below) : each]];
  });
  return Object.fromEntries(shown);
}

/**
 * A written configuration with the stored values of the secret fields that it leaves out; null removes one. So a client can
 * read a bot, change something and write the configuration back.
 */
export function keepSecrets(written: JsonObject, stored: JsonObject, paths: readonly SecretPath[]): JsonObject {
  const given = Object.entries(written).flatMap(([key, each]): [string, unknown][] => {
    const below = pathsBelow(paths, key);
    if (coversAll(below)) return each === null ? [] : [[key, each]];
    if (below.length === 0 || !isObject(each)) return [[key, each]];
    const storedInner = Object.hasOwn(stored, key) ? stored[key] : undefined;
    return [[key, keepSecrets(each, isObject(storedInner) ? storedInner : {}, below)]];
  });
  const kept = Object.entries(stored).flatMap(([key, each]): [string, unknown][] => {
    const below = pathsBelow(paths, key);
    if (below.length === 0 || Object.hasOwn(written, key)) return [];
    if (coversAll(below)) return [[key, each]];
    const inner = isObject(each) ? keepSecrets({}, each, below) : {};
    return Object.keys(inner).length > 0 ? [[key, inner]] : [];
  });
  return Object.fromEntries([...given, ...kept]);
}

/** A schema without the defaults and examples of its secret fields. */
export function withoutSecretDefaults<T>(schema: T): T {
  if (Array.isArray(schema)) return schema.map(withoutSecretDefaults) as T;
  if (!isObject(schema)) return schema;
  const hidden = isMarked(schema) ? ['default', 'examples'] : [];
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key]) => !hidden.includes(key))
      .map(([key, each]) => [key, withoutSecretDefaults(each)]),
  ) as T;
}
