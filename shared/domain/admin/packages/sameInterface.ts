import { isDeepStrictEqual } from 'node:util';
import type { InterfaceDefinition } from './definitions.ts';

/** Keywords that describe a schema and accept or reject no value. */
const ANNOTATIONS: ReadonlySet<string> = new Set(['$schema', 'title', 'description', 'default', 'examples', 'x-zui']);
/** Keywords whose value maps names to schemas. */
const MAPS: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'definitions', '$defs']);

/** Returns true if both declare the same names with schemas that accept the same values, however they are written. */
export const isSameInterface = (one: InterfaceDefinition, other: InterfaceDefinition): boolean =>
  isDeepStrictEqual(partsOf(one), partsOf(other));

const partsOf = ({ entities, events, actions, channels }: InterfaceDefinition) => ({
  entities: mapValues(entities, normalized),
  events: mapValues(events, normalized),
  actions: mapValues(actions, normalized),
  channels: mapValues(channels, ({ messages }) => mapValues(messages, normalized)),
});

const mapValues = <T>(map: Record<string, T>, change: (value: T) => unknown): Record<string, unknown> =>
  Object.fromEntries(Object.entries(map).map(([name, value]) => [name, change(value)]));

function normalized(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normalized);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).flatMap(([name, each]) => keyword(name, each)));
}

/** Returns the keyword in one of its spellings, or nothing for the spelled-out default. */
function keyword(name: string, value: unknown): [string, unknown][] {
  if (ANNOTATIONS.has(name)) return [];
  if (name === 'const') return [['enum', [value]]];
  if (name === 'required' && Array.isArray(value)) return [[name, [...value].sort()]];
  if (MAPS.has(name) && typeof value === 'object' && value !== null) {
    return Object.keys(value).length === 0 ? [] : [[name, mapValues(value as Record<string, unknown>, normalized)]];
  }
  const plain = normalized(value);
  const allowsAll = plain === true || (typeof plain === 'object' && isDeepStrictEqual(plain, {}));
  return name === 'additionalProperties' && allowsAll ? [] : [[name, plain]];
}
