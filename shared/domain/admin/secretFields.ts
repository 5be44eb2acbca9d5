/**
 * Secret fields of configurations, marked by `x-zui: { secret: true }` in the JSON schema. They are write-only
 * (docs/api/admin.md#secret-fields).
 */
import { own } from '#shared/core/own.ts';
import type { SecretPath } from '#shared/storage/dynamodb/secrets/secretPaths.ts';

export const ANY_TYPE = '*';

type JsonObject = Record<string, unknown>;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isMarked = (schema: JsonObject) => isObject(schema['x-zui']) && schema['x-zui'].secret === true;

const ALTERNATIVES = ['anyOf', 'oneOf', 'allOf'];
const BRANCHES = ['if', 'then', 'else', 'not'];
/** Keywords for unnamed values. A secret in them makes the whole value secret. */
const ELEMENTS = [
  'items',
  'additionalItems',
  'prefixItems',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
];

/** Longer lists are reduced to first-level fields. */
const MAX_BYTES = 10_000;

/** Paths per schema. Schemas that refer to each other can have exponentially many. */
const PATHS_LIMIT = 100_000;
/** Nesting limit, including references. At greater depth, a schema with any secret field is secret as a whole. */
const DEPTH_LIMIT = 200;

/** Returns the paths of the secret fields. An empty path marks the whole value. */
export function secretPathsOf(schema: unknown): SecretPath[] {
  const paths = uniquePaths(new PathFinder(schema).pathsIn(schema));
  if (JSON.stringify(paths).length <= MAX_BYTES) return paths;
  const firstGauge = uniquePaths(paths.map(path => path.slice(0, 1)));
  return JSON.stringify(firstGauge).length <= MAX_BYTES ? firstGauge : [[]];
}

interface Parts {
  elements: unknown[];
  properties: [string, unknown][];
  same: unknown[];
}

/** Visits each schema once, regardless of references. */
class PathFinder {
  readonly #root: unknown;
  readonly #known = new Map<JsonObject, SecretPath[] | undefined>();
  #pathsLeft = PATHS_LIMIT;
  #depth = 0;

  constructor(root: unknown) {
    this.#root = root;
  }

  pathsIn(schema: unknown): SecretPath[] {
    if (!isObject(schema)) return [];
    if (this.#known.has(schema)) return this.#known.get(schema) ?? this.#wholeIfSecretive(schema);
    if (this.#depth >= DEPTH_LIMIT) return this.#wholeIfSecretive(schema);
    this.#known.set(schema, undefined);
    this.#depth++;
    const paths = isMarked(schema) ? [[]] : this.#pathsOf(this.#partsOf(schema));
    this.#depth--;
    this.#pathsLeft -= paths.length;
    const affordable = this.#pathsLeft < 0 && paths.length > 0 ? [[]] : paths;
    this.#known.set(schema, affordable);
    return affordable;
  }

  #pathsOf({ elements, properties, same }: Parts): SecretPath[] {
    if (elements.some(each => this.pathsIn(each).length > 0)) return [[]];
    const paths: SecretPath[] = [];
    const add = (found: readonly SecretPath[], key?: string) => {
      for (const path of found) paths.push(key === undefined ? path : [key, ...path]);
      return this.#pathsLeft >= paths.length;
    };
    for (const [key, each] of properties) if (!add(this.pathsIn(each), key)) return [[]];
    for (const each of same) if (!add(this.pathsIn(each))) return [[]];
    return uniquePaths(paths);
  }

  #partsOf(schema: JsonObject): Parts {
    const listed = (name: string) => (Array.isArray(schema[name]) ? (schema[name] as unknown[]) : [schema[name]]);
    return {
      elements: [...ELEMENTS.flatMap(listed), ...valuesOf(schema.patternProperties)],
      properties: Object.entries(isObject(schema.properties) ? schema.properties : {}),
      same: [
        ...[...ALTERNATIVES, ...BRANCHES].flatMap(listed),
        ...valuesOf(schema.dependentSchemas),
        ...(typeof schema.$ref === 'string' ? [this.#resolveReference(schema.$ref)] : []),
      ],
    };
  }

  readonly #targets = new Map<string, unknown>();
  #resolveReference(reference: string): unknown {
    if (!this.#targets.has(reference)) this.#targets.set(reference, targetOf(reference, this.#root));
    return this.#targets.get(reference);
  }

  /** Returns the empty path if the schema contains a secret field. */
  #wholeIfSecretive(schema: JsonObject): SecretPath[] {
    this.#secretiveSchemas ??= this.#findSecretiveSchemas();
    return this.#secretiveSchemas.has(schema) ? [[]] : [];
  }

  #secretiveSchemas: ReadonlySet<unknown> | undefined;
  #findSecretiveSchemas(): ReadonlySet<unknown> {
    const holders = new Map<unknown, unknown[]>();
    const all = new Set<unknown>([this.#root]);
    const secretive = new Set<unknown>();
    for (const each of all) {
      if (!isObject(each)) continue;
      if (isMarked(each)) secretive.add(each);
      const { elements, properties, same } = this.#partsOf(each);
      for (const part of [...elements, ...properties.map(([, value]) => value), ...same]) {
        if (!isObject(part)) continue;
        all.add(part);
        const known = holders.get(part);
        if (known) known.push(each);
        else holders.set(part, [each]);
      }
    }
    for (const each of secretive) for (const holder of holders.get(each) ?? []) secretive.add(holder);
    return secretive;
  }
}

const valuesOf = (map: unknown) => (isObject(map) ? Object.values(map) : []);

const targetOf = (reference: string, root: unknown): unknown =>
  reference
    .replace(/^#\/?/, '')
    .split('/')
    .filter(Boolean)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>((at, part) => (isObject(at) && Object.hasOwn(at, part) ? at[part] : undefined), root);

export function uniquePaths(paths: SecretPath[]): SecretPath[] {
  if (paths.some(path => path.length === 0)) return [[]];
  return [...new Map(paths.map(path => [JSON.stringify(path), path])).values()];
}

const pathsBelow = (paths: readonly SecretPath[], key: string) =>
  paths.filter(([first]) => first === key).map(path => path.slice(1));

const coversAll = (paths: readonly SecretPath[]) => paths.some(path => path.length === 0);

export function withoutSecrets(value: JsonObject, paths: readonly SecretPath[]): JsonObject {
  if (coversAll(paths)) return {};
  const shown = Object.entries(value).flatMap(([key, each]): [string, unknown][] => {
    const below = pathsBelow(paths, key);
    if (below.length === 0) return [[key, each]];
    // The content of an unexpected list is unknown.
    if (coversAll(below) || Array.isArray(each)) return [];
    return [[key, isObject(each) ? withoutSecrets(each, below) : each]];
  });
  return Object.fromEntries(shown);
}

/**
 * Merges stored values of omitted secret fields into a written configuration. Null removes one. Clients can thus read,
 * change and write a configuration.
 */
export function keepSecrets(written: JsonObject, stored: JsonObject, paths: readonly SecretPath[]): JsonObject {
  const given = Object.entries(written).flatMap(([key, each]): [string, unknown][] => {
    const below = pathsBelow(paths, key);
    if (coversAll(below)) return each === null ? [] : [[key, each]];
    if (below.length === 0 || !isObject(each)) return [[key, each]];
    const storedInner = own(stored, key);
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

const SAMPLES = ['default', 'examples'];
/** Keywords whose values are schemas by name. Fields may have the name of a keyword. */
const SCHEMA_MAPS = ['properties', 'patternProperties', 'dependentSchemas', 'definitions', '$defs'];

/**
 * Removes defaults and examples of secret fields. For other fields, removes only objects and lists, which may contain
 * secret values.
 */
export const withoutSecretDefaults = <T>(schema: T): T =>
  containsMark(schema) ? (withoutSamples(schema, false) as T) : schema;

/** Searches every keyword, including unreferenced schemas. */
const containsMark = (schema: unknown): boolean =>
  Array.isArray(schema)
    ? schema.some(containsMark)
    : isObject(schema) && (isMarked(schema) || Object.values(schema).some(containsMark));

function withoutSamples(schema: unknown, isSecret: boolean): unknown {
  if (Array.isArray(schema)) return schema.map(each => withoutSamples(each, isSecret));
  if (!isObject(schema)) return schema;
  const areHidden = isSecret || isMarked(schema);
  return Object.fromEntries(
    Object.entries(schema)
      .filter(([key, value]) => !SAMPLES.includes(key) || !(areHidden || typeof value === 'object'))
      .map(([key, value]) => [
        key,
        SCHEMA_MAPS.includes(key) && isObject(value)
          ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withoutSamples(each, areHidden)]))
          : withoutSamples(value, areHidden),
      ]),
  );
}
