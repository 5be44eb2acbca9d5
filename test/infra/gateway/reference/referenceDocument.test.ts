import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { default as addFormats } from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { chatApi, platformApi } from '#infra/gateway/apis.ts';
import { referenceDocument } from '#infra/gateway/reference/referenceDocument.ts';
import { STATUS_OF } from '#shared/core/errors.ts';

// biome-ignore-start lint/suspicious/noExplicitAny: a document as its readers parse it
interface Described {
  operationId: string;
  summary: string;
  description: string;
  tags: string[];
  parameters: { name: string; in: string; description?: string; required: boolean; schema: any; example?: unknown }[];
  requestBody?: { content: Record<string, { schema: any; example?: unknown }> };
  responses: Record<string, any>;
}
// biome-ignore-end lint/suspicious/noExplicitAny: see above

const ajv = new Ajv2020({ strict: false, allErrors: true });
// biome-ignore lint/suspicious/noExplicitAny: the package's types name the module in the place of its export
(addFormats as any)(ajv);

function faultsOf(schema: object, value: unknown): string {
  const validate = ajv.compile(schema);
  return validate(value) ? '' : ajv.errorsText(validate.errors);
}

/** Operations without reads. */
const NOT_COUNTED = new Set(
  [...chatApi.operations, ...platformApi.operations].filter(({ table }) => table === 'none').map(({ name }) => name),
);

describe.each([chatApi, platformApi])('the reference of $title', api => {
  const document = JSON.parse(JSON.stringify(referenceDocument(api)));
  const operations: [string, Described][] = Object.values<Record<string, Described>>(document.paths)
    .flatMap(methods => Object.entries(methods).filter(([method]) => method !== 'servers'))
    .map(([, operation]) => [operation.operationId, operation]);
  const resolved = (response: { $ref?: string }) =>
    response.$ref ? document.components.responses[response.$ref.split('/').at(-1)!] : response;

  it('is a valid OpenAPI document', async () => {
    const { valid, errors } = await new Validator().validate(document);

    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
  });

  it('has every operation of the API', () => {
    expect(operations.map(([name]) => name).sort()).toEqual(api.operations.map(({ name }) => name).sort());
  });

  it.each(operations)('describes %s and each of its parameters', (_, operation) => {
    const { summary, description, tags, parameters } = operation;

    expect(summary).toMatch(/^[A-Z][^\n]{5,}[^.:]$/);
    expect(description).toContain('Callers: ');
    expect(description).toMatch(
      NOT_COUNTED.has(operation.operationId) ? /Callers/ : /^Limits: .*\d+ calls in 10 seconds/m,
    );
    expect(tags).toHaveLength(1);
    expect(document.tags).toContainEqual({ name: tags[0], description: expect.stringMatching(/\]\(docs\/\w+/) });
    expect(parameters.filter(each => !/^[A-Z].{7,}\.$/.test(each.description ?? ''))).toEqual([]);
  });

  it.each(operations)('has an example of %s, which satisfies the schemas', (_, operation) => {
    const { parameters, requestBody, responses } = operation;
    const body = requestBody?.content['application/json'];
    const answers = Object.values(responses).flatMap(each =>
      each.$ref ? [] : Object.values(each.content as Record<string, { schema: object; example?: unknown }>),
    );
    const shown = answers.filter(({ example }) => example !== undefined);

    expect(parameters.filter(each => each.required && each.example === undefined)).toEqual([]);
    for (const { schema, example } of parameters) if (example !== undefined) expect(faultsOf(schema, example)).toBe('');
    if (body) expect(faultsOf(body.schema, body.example)).toBe('');
    expect(shown).toHaveLength(1);
    expect(faultsOf(shown[0]!.schema, shown[0]!.example)).toBe('');
  });

  it.each(operations)('lists the errors of %s with their types and causes', (_, operation) => {
    const errors = Object.entries(operation.responses).filter(([status]) => Number(status) >= 400);
    const schema = document.components.schemas.Error;

    expect(errors.map(([status]) => status)).toEqual(expect.arrayContaining(['429', '500', '503', '504']));
    for (const [status, reference] of errors) {
      const { description, content } = resolved(reference);
      const { example } = content['application/json'];
      const types = [...description.matchAll(/^`(\w+)`: [A-Z].*\.$/gm)].map(match => match[1]);
      expect(types.length, description).toBeGreaterThan(0);
      expect(types.filter(type => !(type! in STATUS_OF))).toEqual([]);
      expect(faultsOf(schema, example)).toBe('');
      expect(example.code).toBe(Number(status));
    }
  });
});

it('rejects an example that does not satisfy its schema', () => {
  expect(faultsOf({ type: 'object', required: ['a'] }, {})).toContain("must have required property 'a'");
});
