import { describe, expect, it } from 'vitest';
import { faultOf } from '#shared/core/jsonSchema.ts';

const TREE = { type: 'object', properties: { child: { $ref: '#' }, name: { type: 'string' } }, required: ['name'] };
const SHAPE = {
  anyOf: [
    {
      type: 'object',
      properties: { kind: { const: 'circle' }, radius: { type: 'number' } },
      required: ['kind', 'radius'],
    },
    { type: 'object', properties: { kind: { const: 'square' }, side: { type: 'number' } }, required: ['kind', 'side'] },
  ],
};

// biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
const CONDITION = { if: { required: ['a'] }, then: { required: ['b'] } };

describe('a fitting value', () => {
  it.each<[unknown, unknown]>([
    [{}, { any: 'thing' }],
    [true, 1],
    [{ type: ['string', 'null'] }, null],
    [{ type: 'string', nullable: true }, null],
    [{ type: 'integer' }, 3],
    [{ type: 'number', multipleOf: 0.1 }, 0.3],
    [{ enum: [{ a: 1 }] }, { a: 1 }],
    [{ type: 'string', maxLength: 1 }, '🦜'],
    [{ type: 'object', patternProperties: { '^x-': { type: 'string' } }, additionalProperties: false }, { 'x-a': 'b' }],
    [{ type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'number' } }, ['a', 1, 2]],
    [{ type: 'array', items: [{ type: 'string' }], additionalItems: false }, ['a']],
    [CONDITION, { c: 1 }],
    [{ oneOf: [{ type: 'string' }, { type: 'number' }] }, 1],
    [TREE, { name: 'a', child: { name: 'b' } }],
    [{ type: 'string', pattern: '(?<=a)b' }, 'RE2 knows no look-behind'],
    [{ $ref: 'https://example.com/schema.json' }, 'a reference to elsewhere is not followed'],
  ])('fits the schema %j: %j', (schema, value) => {
    expect(faultOf(schema, value)).toBeUndefined();
  });
});

describe('a fault', () => {
  it.each<[unknown, unknown, string, RegExp]>([
    [false, 1, '', /not allowed/],
    [{ type: 'string' }, 1, '', /must be string, not number/],
    [{ type: 'integer' }, 1.5, '', /must be integer/],
    [{ properties: { a: { enum: ['x'] } } }, { a: 'y' }, 'a', /one of \["x"\]/],
    [{ required: ['a'] }, {}, 'a', /is missing/],
    [{ properties: {}, additionalProperties: false }, { b: 1 }, 'b', /not allowed/],
    [{ properties: { l: { items: { type: 'number' } } } }, { l: [1, 'a'] }, 'l.1', /must be number/],
    [{ minLength: 2 }, 'a', '', /at least 2/],
    [{ pattern: '^a+$' }, 'b', '', /pattern/],
    [{ minimum: 1, exclusiveMinimum: true }, 1, '', /more than 1/],
    [{ exclusiveMaximum: 2 }, 2, '', /less than 2/],
    [{ uniqueItems: true }, [1, 1], '', /unique items/],
    [{ contains: { const: 1 } }, [2], '', /matches the schema in "contains"/],
    [{ allOf: [{ required: ['a'] }] }, {}, 'a', /missing/],
    [SHAPE, { kind: 'square' }, 'side', /missing/],
    [{ oneOf: [{ type: 'number' }, { type: 'integer' }] }, 1, '', /exactly one schema in "oneOf"/],
    [{ not: { type: 'string' } }, 'a', '', /schema in "not"/],
    [CONDITION, { a: 1 }, 'b', /missing/],
    [{ propertyNames: { maxLength: 1 } }, { ab: 1 }, 'ab', /name/],
    [TREE, { name: 'a', child: {} }, 'child.name', /missing/],
    [{ required: ['__proto__'] }, {}, '__proto__', /missing/],
  ])('names its path under the schema %j: %j', (schema, value, path, message) => {
    const fault = faultOf(schema, value);

    expect(fault?.path.join('.')).toBe(path);
    expect(fault?.message).toMatch(message);
  });
});

const nameMap = (names: readonly string[]) => Object.fromEntries(names.map(name => [name, 1]));

describe('a hostile schema', () => {
  it.each<[string, unknown, unknown]>([
    ['refers to itself', { $ref: '#' }, 1],
    ['refers to itself in alternatives', { anyOf: [{ $ref: '#' }, { $ref: '#' }] }, 1],
    [
      'multiplies its alternatives',
      Array.from({ length: 25 }).reduce<object>(inner => ({ anyOf: [inner, inner] }), { type: 'string' }),
      1,
    ],
  ])('returns a fault if it %s', (_, schema, value) => {
    expect(faultOf(schema, value)).toBeDefined();
  });

  const long = 'a'.repeat(100_000);
  const many = (schema: object, count = 2_000) => ({ allOf: Array.from({ length: count }, () => schema) });
  const names = Array.from({ length: 20_000 }, (_, i) => `name${i}`);

  it.each<[string, unknown, unknown]>([
    ['reads a long text thousands of times', many({ minLength: 1 }), long],
    ['matches a long text with patterns that the engine is slow at', many({ pattern: '(a|b)*a(a|b){300}$' }, 40), long],
    ['matches many names', { patternProperties: { '(a|b)*a(a|b){300}$|^n': {} } }, nameMap(names)],
    ['compares with long constants', many({ enum: [long, 'x'] }), 'x'],
    ['compares the items of a long list', many({ uniqueItems: true }), names],
    ['demands many names', many({ required: names }, 3_000), nameMap(names)],
    ['has references that are long', many({ $ref: `#/${'x/'.repeat(50_000)}` }, 1_000), 1],
  ])('is rejected as too complex if it %s', (_, schema, value) => {
    expect(faultOf(schema, value)?.message).toBe('is too complex for its schema');
  });

  it('is accepted at the size of usual schemas', () => {
    const rows = Array.from({ length: 2_000 }, (_, i) => ({ id: `row-${i}`, mail: `user${i}@example.com` }));
    const row = {
      required: ['id', 'mail'],
      properties: { id: { minLength: 1, maxLength: 50 }, mail: { pattern: '^[^@ ]+@[a-z.]+$' } },
    };

    expect(faultOf({ items: row, uniqueItems: true }, rows)).toBeUndefined();
  });

  it('matches an expensive pattern in linear time', () => {
    expect(faultOf({ pattern: '^(a+)+$' }, `${'a'.repeat(50_000)}!`)).toBeDefined();
  });
});

it('accepts undeclared properties of objects if the caller permits them', () => {
  const schema = { properties: { a: { type: 'string' } }, additionalProperties: false };

  expect(faultOf(schema, { a: 'x', b: 1 }, { mayHaveMore: true })).toBeUndefined();
  expect(faultOf(schema, { a: 1 }, { mayHaveMore: true })).toBeDefined();
});
