/** Objects and unions that several operations of a group have. Pages describe them once and link to them. */
import { typeOfVariant, variantsOf } from '#infra/gateway/reference/describedSchemas.ts';
import type { JsonObjectSchema, JsonSchema } from '#infra/gateway/reference/jsonSchemas.ts';
import { anchorOf } from './markdown.ts';
import { innermost, shapeKey } from './schemaFields.ts';

/** Minimum number of fields of a shared object. Smaller ones are described in place. */
const MIN_FIELDS = 3;
/** Minimum number of variants of a union that is described apart from its field. */
const MIN_VARIANTS = 4;

/** Names from the operation to the field that has the shape. */
type Path = readonly string[];

interface Candidate {
  schema: JsonSchema;
  paths: Path[];
  /** True for variants of unions, which are described apart even if they occur once. */
  isVariant: boolean;
}

export interface Shape {
  name: string;
  schema: JsonSchema;
}

/**
 * Returns shapes by their key.
 *
 * @param roots schemas of requests, responses and streams by operation
 * @param taken anchors of the page's other sections
 */
export function sharedShapes(
  roots: readonly { operation: string; schema: JsonSchema }[],
  taken: ReadonlySet<string>,
): Map<string, Shape> {
  const candidates = new Map<string, Candidate>();
  for (const { operation, schema } of roots) collect(schema, [operation], candidates);
  const shapes = new Map<string, Shape>();
  const anchors = new Set(taken);
  const byFrequency = [...candidates].sort(([, a], [, b]) => b.paths.length - a.paths.length);
  for (const [key, { schema, paths, isVariant }] of byFrequency) {
    if (paths.length < 2 && !isVariant) continue;
    const name = namesOf(schema, paths, isVariant).find(each => !anchors.has(anchorOf(each)));
    if (name === undefined) continue;
    anchors.add(anchorOf(name));
    shapes.set(key, { name, schema });
  }
  return shapes;
}

function collect(schema: JsonSchema, path: Path, candidates: Map<string, Candidate>): void {
  const { schema: inner } = innermost(schema);
  const { properties = {} } = inner as JsonObjectSchema;
  const variants = variantsOf(inner);
  const typed = variants.filter(each => typeOfVariant(each) !== undefined);
  if (Object.keys(properties).length >= MIN_FIELDS && path.length > 1 && path.at(-1) !== 'data')
    add(inner, path, false, candidates);
  if (typed.length >= MIN_VARIANTS && path.length > 1) add(inner, path, true, candidates);
  for (const variant of variants) {
    if (typed.length > 1 && typed.includes(variant)) {
      add(variant, [...path, typeOfVariant(variant)!], true, candidates);
      collectFields(variant, path, candidates);
    } else collect(variant, path, candidates);
  }
  collectFields(inner, path, candidates);
}

function collectFields(schema: JsonSchema, path: Path, candidates: Map<string, Candidate>): void {
  const { properties = {} } = schema as JsonObjectSchema;
  for (const [name, each] of Object.entries(properties)) collect(each, [...path, name], candidates);
}

function add(schema: JsonSchema, path: Path, isVariant: boolean, candidates: Map<string, Candidate>): void {
  const candidate = candidates.get(shapeKey(schema)) ?? { schema, paths: [], isVariant };
  candidate.paths.push(path);
  candidates.set(shapeKey(schema), candidate);
}

/** Derives names in order of preference: from the most frequent field, its holder, and the operation. */
function namesOf(schema: JsonSchema, paths: readonly Path[], isVariant: boolean): string[] {
  const type = typeOfVariant(schema);
  const fields = Map.groupBy(paths, path => path.at(-1)!);
  const [field] = [...fields].sort(([a, ofA], [b, ofB]) => ofB.length - ofA.length || a.localeCompare(b))[0]!;
  const own = isVariant && type !== undefined ? type : titled(singular(field));
  const longer = fields
    .get(field)!
    .flatMap(path => [path.at(-2)!, path[0]!])
    .map(holder => `${titled(singular(holder))}${titled(own)}`);
  return [own, ...longer];
}

const singular = (name: string) => name.replace(/ies$/, 'y').replace(/s$/, '');
const titled = (name: string) => `${name[0]!.toUpperCase()}${name.slice(1)}`;
