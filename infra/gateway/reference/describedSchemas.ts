/** JSON Schemas of an operation's requests and responses, with a description of each field. */
import type { Operation } from '#shared/api/operations/operations.ts';
import { findFieldText } from './fieldTexts.ts';
import { type JsonSchema, jsonSchema } from './jsonSchemas.ts';
import { patternInWords } from './patterns.ts';

export type Place = 'body' | 'query' | 'headers' | 'output' | 'streams';

/** Segment of each place in the paths of fields. */
export const SEGMENTS = { body: 'body', query: 'query', headers: 'header', output: 'output', streams: 'stream' };

/** @returns undefined if the operation has nothing in this place */
export function describedSchema(operation: Operation, place: Place): JsonSchema | undefined {
  const schema = operation[place];
  if (!schema) return undefined;
  const isInput = place !== 'output' && place !== 'streams';
  const described = jsonSchema(schema, isInput ? 'input' : 'output');
  describeSchema(operation, described, [SEGMENTS[place]]);
  return described;
}

export interface FieldVisit {
  path: readonly string[];
  schema: JsonSchema;
}

/** Yields every property and every typed variant with its path, see `shared/api/reference/fieldTexts.ts`. */
export function* fieldsIn(schema: JsonSchema, path: readonly string[]): Generator<FieldVisit> {
  const { properties, items, additionalProperties: values } = schema as Record<string, JsonSchema | undefined>;
  for (const [name, each] of Object.entries((properties ?? {}) as Record<string, JsonSchema>)) {
    yield { path: [...path, name], schema: each };
    yield* fieldsIn(each, [...path, name]);
  }
  if (items && typeof items === 'object') yield* fieldsIn(items, path);
  if (values && typeof values === 'object') yield* fieldsIn(values, [...path, '*']);
  const variants = variantsOf(schema);
  for (const variant of variants) {
    const type = typeOfVariant(variant);
    if (type !== undefined && variants.length > 1) yield { path: [...path, type], schema: variant };
    yield* fieldsIn(variant, type === undefined ? path : [...path, type]);
  }
}

export const variantsOf = (schema: JsonSchema) => (schema.anyOf ?? schema.oneOf ?? []) as JsonSchema[];

/** Returns the constant `type` that distinguishes a variant of a union. */
export const typeOfVariant = ({ properties }: JsonSchema): string | undefined => {
  const constant = (properties as Record<string, JsonSchema> | undefined)?.type?.const;
  return typeof constant === 'string' ? constant : undefined;
};

/** Owner of fields: an operation or an event. */
export type FieldOwner = Pick<Operation, 'group' | 'name'>;

/** Adds descriptions and titles to all fields and variants. @param path of the schema, after the owner */
export function describeSchema(owner: FieldOwner, root: JsonSchema, path: readonly string[]): void {
  for (const { path: each, schema } of [{ path, schema: root }, ...fieldsIn(root, path)]) {
    const text = findFieldText(owner, each)?.text;
    const description = [text, patternInWords(schema)].filter(Boolean).join(' ');
    if (description) schema.description = description;
    for (const variant of variantsOf(schema)) {
      const title = typeOfVariant(variant);
      if (title !== undefined) variant.title = title;
    }
  }
}
