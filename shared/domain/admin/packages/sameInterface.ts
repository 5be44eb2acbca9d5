import { isDeepStrictEqual } from 'node:util';
import { isObject } from '#shared/core/objectIn.ts';
import type { InterfaceDefinition } from './definitions.ts';

/** Keywords that describe a schema or a declaration, and accept or reject no value. */
const ANNOTATIONS: ReadonlySet<string> = new Set([
  '$schema',
  'title',
  'description',
  'default',
  'examples',
  'x-zui',
  'attributes',
]);
/** Keywords whose value maps names to schemas. */
const MAPS: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'definitions', '$defs']);
/** Keywords whose elements have no order. */
const SETS: ReadonlySet<string> = new Set(['anyOf', 'oneOf', 'required', 'enum']);

/** Returns true if both declare the same names with schemas that accept the same values, however they are written. */
export const isSameInterface = (one: InterfaceDefinition, other: InterfaceDefinition): boolean =>
  isDeepStrictEqual(partsOf(one), partsOf(other));

const partsOf = ({ entities, events, actions, channels }: InterfaceDefinition) => ({
  entities: mapValues(entities, normalized),
  events: mapValues(events, normalized),
  actions: mapValues(actions, normalized),
  channels: mapValues(channels, ({ messages }) => mapValues(messages, normalized)),
});

/** Sorts the names, so that the elements of sets can be sorted by their text. */
const mapValues = <T>(map: Record<string, T>, change: (value: T) => unknown): Record<string, unknown> =>
  Object.fromEntries(byText(Object.entries(map)).map(([name, value]) => [name, change(value)]));

const byText = <T>(elements: readonly T[]): T[] =>
  elements
    .map(element => ({ element, text: JSON.stringify(element) }))
    .sort((one, other) => (one.text < other.text ? -1 : 1))
    .map(({ element }) => element);

function normalized(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normalized);
  if (!isObject(value)) return value;
  const keywords = Object.fromEntries(byText(Object.entries(value).flatMap(([name, each]) => keyword(name, each))));
  return choiceIn(keywords) ?? keywords;
}

/** Returns the keyword in one of its spellings, or nothing for the spelled-out default. */
function keyword(name: string, value: unknown): [string, unknown][] {
  if (value === undefined || ANNOTATIONS.has(name)) return [];
  if (name === 'const') return [['enum', [value]]];
  if (SETS.has(name) && Array.isArray(value)) return [[name, byText(value.map(normalized))]];
  if (MAPS.has(name) && isObject(value)) {
    return Object.keys(value).length === 0 ? [] : [[name, mapValues(value, normalized)]];
  }
  const plain = normalized(value);
  const allowsAll = plain === true || isDeepStrictEqual(plain, {});
  return name === 'additionalProperties' && allowsAll ? [] : [[name, plain]];
}

/** Returns a choice of constants as one list of constants. */
function choiceIn({ anyOf, ...rest }: Record<string, unknown>): Record<string, unknown> | undefined {
  if (!Array.isArray(anyOf) || Object.keys(rest).length > 0) return undefined;
  const constants = anyOf.flatMap(({ type, enum: values, ...more }) =>
    Array.isArray(values) && Object.keys(more).length === 0 ? [{ type, values }] : [],
  );
  const [first] = constants;
  if (!first || constants.length < anyOf.length || constants.some(({ type }) => type !== first.type)) return undefined;
  return { enum: byText(constants.flatMap(({ values }) => values)), type: first.type };
}
