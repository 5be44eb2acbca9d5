/** Objects that several operations of a group return. Pages describe them once and link to them. */
import type { JsonObjectSchema, JsonSchema } from '#infra/gateway/reference/jsonSchemas.ts';
import { innermost } from './schemaFields.ts';

/** Minimum number of fields of a shape. Smaller objects are described in place. */
const MIN_FIELDS = 4;

interface Candidate {
  count: number;
  /** Occurrences by property name. */
  properties: Map<string, number>;
}

/** Returns the names of shared shapes by their JSON. */
export function sharedShapes(outputs: readonly JsonSchema[]): Map<string, string> {
  const candidates = new Map<string, Candidate>();
  for (const output of outputs) collect(output, '', candidates);
  const shapes = new Map<string, string>();
  for (const [json, { count, properties }] of [...candidates].sort(([, a], [, b]) => b.count - a.count)) {
    const name = nameFrom(properties);
    if (count > 1 && name && ![...shapes.values()].includes(name)) shapes.set(json, name);
  }
  return shapes;
}

function collect(schema: JsonSchema, property: string, candidates: Map<string, Candidate>): void {
  const object = innermost(schema).schema;
  const { properties = {} } = object as JsonObjectSchema;
  if (Object.keys(properties).length >= MIN_FIELDS) {
    const json = JSON.stringify(object);
    const candidate = candidates.get(json) ?? { count: 0, properties: new Map() };
    candidate.count++;
    if (property) candidate.properties.set(property, (candidate.properties.get(property) ?? 0) + 1);
    candidates.set(json, candidate);
  }
  for (const [name, each] of Object.entries(properties)) collect(each, name, candidates);
}

/** Derives a name from the most frequent property, such as `User` from `users`. */
function nameFrom(properties: Map<string, number>): string | undefined {
  const [mostFrequent] = [...properties].sort(([a, timesA], [b, timesB]) => timesB - timesA || a.localeCompare(b));
  const name = mostFrequent?.[0].replace(/s$/, '');
  return name && `${name[0]!.toUpperCase()}${name.slice(1)}`;
}
