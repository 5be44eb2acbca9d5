/** Tests the descriptions of fields in `shared/api/reference/fields` and in the references of operations. */
import { describe, expect, it } from 'vitest';
import { apis } from '#infra/gateway/apis.ts';
import { deliveredEvents } from '#infra/gateway/reference/deliveries.ts';
import { type FieldOwner, fieldsIn, SEGMENTS, variantsOf } from '#infra/gateway/reference/describedSchemas.ts';
import { type FoundText, fieldSources, findFieldText } from '#infra/gateway/reference/fieldTexts.ts';
import { inputSchema, type JsonSchema, jsonSchema } from '#infra/gateway/reference/jsonSchemas.ts';
import { referenceOf } from '#infra/gateway/reference/operationReferences.ts';
import { generalSources, generalText } from '#infra/gateway/reference/parameters.ts';
import { patternInWords } from '#infra/gateway/reference/patterns.ts';
import { headersOf } from '#infra/gateway/reference/referenceDocument.ts';
import { pathVariables } from '#shared/api/operation.ts';

interface Occurrence {
  operation: FieldOwner;
  path: readonly string[];
  schema: JsonSchema;
  found: FoundText | undefined;
}

const operations = apis.flatMap(api => api.operations);
const ofOperations: Occurrence[] = operations.flatMap(operation =>
  (['body', 'query', 'headers', 'output', 'streams'] as const).flatMap(place => {
    const declared = operation[place];
    if (!declared) return [];
    const root = jsonSchema(declared, place === 'output' || place === 'streams' ? 'output' : 'input');
    // `parameters.ts` describes parameters. The registry describes the fields of their values.
    const isParameter = (path: readonly string[]) => (place === 'query' || place === 'headers') && path.length === 2;
    return [...fieldsIn(root, [SEGMENTS[place]])]
      .filter(({ path }) => !isParameter(path))
      .map(({ path, schema }) => ({ operation, path, schema, found: findFieldText(operation, path) }));
  }),
);
const ofEvents: Occurrence[] = deliveredEvents.flatMap(({ owner, schema: root }) =>
  [...fieldsIn(root, [])].map(({ path, schema }) => ({
    operation: owner,
    path,
    schema,
    found: findFieldText(owner, path),
  })),
);
const occurrences = [...ofOperations, ...ofEvents];
const texts = new Map(occurrences.flatMap(({ found }) => (found ? [[found.text, found]] : [])));

describe('a field of a request, response or signal', () => {
  it('has a description', () => {
    const missing = occurrences.flatMap(({ operation, path, found }) =>
      found
        ? []
        : [
            `${operation.group}.${operation.name}: ${path.join('.')}. Describe it in shared/api/reference/fields/` +
              `${operation.group}, or under "fields" in the reference of the operation.`,
          ],
    );

    expect(missing).toEqual([]);
    expect(occurrences.length).toBeGreaterThan(5_000);
  });

  it('does not repeat limits and defaults of its schema, which the reference shows', () => {
    const repeated = occurrences.flatMap(({ operation, path, schema, found }) =>
      limitsOf(schema).some(limit => mentions(found?.text ?? '', limit))
        ? [`${operation.name}: ${path.join('.')}: ${found!.text}`]
        : [],
    );

    expect(repeated).toEqual([]);
  });
});

describe('a description', () => {
  it('describes a field that exists', () => {
    const used = new Set(occurrences.map(({ found }) => found?.source));

    const unused = fieldSources(operations).filter(source => !used.has(source));

    expect(unused).toEqual([]);
  });

  it('is the only one of its fields', () => {
    const sources = fieldSources(operations);

    const repeated = sources.filter((source, index) => sources.indexOf(source) !== index);

    expect(repeated).toEqual([]);
  });

  it.each([...texts.values()])('is a sentence that adds to the name: $source', ({ text, source }) => {
    const name = source.split('.').at(-1)!;
    const known = new Set([...wordsOf(name.replace(/([A-Z])/g, ' $1')), ...FILLERS]);

    expect(text).toMatch(/^[A-Z`0-9].*[.]$/);
    expect(text.length).toBeLessThanOrEqual(200);
    expect(wordsOf(text).filter(word => !known.has(word)).length).toBeGreaterThan(0);
  });
});

describe('a general description of a parameter', () => {
  it('describes a parameter that exists', () => {
    const used = new Set(
      operations.flatMap(operation =>
        [
          ...pathVariables(operation.path).map(name => ['path', name] as const),
          ...Object.keys((operation.query && inputSchema(operation.query).properties) ?? {}).map(
            name => ['query', name] as const,
          ),
          ...(operation.api === 'webhook' ? [] : headersOf(operation)).map(({ name }) => ['header', name] as const),
        ].map(([place, name]) =>
          referenceOf(operation).parameters?.[name] ? '' : generalText(operation, place, name)?.source,
        ),
      ),
    );

    expect(generalSources().filter(source => !used.has(source))).toEqual([]);
  });
});

describe('patternInWords', () => {
  it('describes a pattern, also of the values in a list', () => {
    const month = { type: 'string', pattern: '^\\d{4}-(?:0[1-9]|1[0-2])$' };

    expect(patternInWords(month)).toBe('Format: a month, `YYYY-MM`.');
    expect(patternInWords({ type: 'array', items: month })).toBe('Format: a month, `YYYY-MM`.');
    expect(patternInWords({ type: 'string' })).toBeUndefined();
  });

  it('rejects a pattern without words, and names the file to edit', () => {
    expect(() => patternInWords({ pattern: '^[xyz]$' })).toThrow('infra/gateway/reference/patterns.ts');
  });
});

/** Words that say nothing about a field. */
const FILLERS = ['the', 'a', 'an', 'of', 'this', 'its', 'id', 'value', 'field', 'object', 'record'];

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[a-z]+/g) ?? [];

/** Returns numbers of the schema that a sentence must not repeat: zero and one are also ordinary words. */
function limitsOf(schema: JsonSchema): number[] {
  const { minLength, maxLength, minimum, maximum, minItems, maxItems, default: byDefault, items } = schema;
  const own = [minLength, maxLength, minimum, maximum, minItems, maxItems, byDefault].filter(
    (limit): limit is number => typeof limit === 'number' && Math.abs(limit) > 1,
  );
  return [...own, ...[...(items ? [items as JsonSchema] : []), ...variantsOf(schema)].flatMap(limitsOf)];
}

const mentions = (text: string, limit: number): boolean =>
  [String(limit), limit.toLocaleString('en')].some(number => new RegExp(`(?<![\\w,.])${number}(?![\\w,])`).test(text));
