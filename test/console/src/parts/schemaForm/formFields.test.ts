/** Fields of JSON schemas. */
import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { type Field, fieldsOf } from '#console/src/parts/schemaForm/formFields.ts';

// The package's ES module does not load in Node.
const { z }: typeof import('@botpress/sdk') = createRequire(import.meta.url)('@botpress/sdk');

const kindsOf = (fields: Field[]) => Object.fromEntries(fields.map(({ path, kind }) => [path.join('.'), kind]));

it('selects a field by type for schemas of the Botpress SDK', () => {
  const schema = z
    .object({
      name: z.string().title('Name').describe('A name').placeholder('Ada'),
      token: z.string().secret(),
      count: z.number().int().min(1).max(9).default(3),
      share: z.number().optional(),
      isOn: z.boolean(),
      level: z.enum(['low', 'high']).optional(),
      union: z.union([z.literal('a'), z.literal('b')]),
      note: z.string().nullable(),
      lines: z.array(z.string()).min(1),
      levels: z.array(z.enum(['x', 'y'])),
      inner: z.object({ key: z.string().optional() }),
      map: z.record(z.string()),
      kind: z.literal('fixed'),
      internal: z.string().hidden().optional(),
    })
    .toJSONSchema();

  const fields = fieldsOf(schema);

  expect(kindsOf(fields)).toEqual({
    name: 'text',
    token: 'text',
    count: 'integer',
    share: 'number',
    isOn: 'boolean',
    level: 'choice',
    union: 'choice',
    note: 'text',
    lines: 'lines',
    levels: 'choices',
    inner: 'group',
    map: 'json',
    kind: 'hidden',
    internal: 'hidden',
  });
  const [name, token, count] = fields;
  expect(name).toMatchObject({ title: 'Name', description: 'A name', placeholder: 'Ada', isRequired: true });
  expect(token).toMatchObject({ isSecret: true, isRequired: true });
  expect(count).toMatchObject({ default: 3, limits: { minimum: 1, maximum: 9 }, isRequired: false });
  expect(fields.find(({ title }) => title === 'note')).toMatchObject({ isNullable: true, isRequired: true });
});

it('offers true and false for a boolean in a union', () => {
  const schema = { properties: { open: { anyOf: [{ type: 'boolean' }, { const: 'withIds', title: 'With ids' }] } } };

  expect(fieldsOf(schema)[0]).toMatchObject({
    kind: 'choice',
    choices: [{ value: true }, { value: false }, { value: 'withIds', label: 'With ids' }],
  });
});

it('edits unknown types as JSON, and secret lists as secrets', () => {
  const schema = {
    properties: {
      any: {},
      either: { oneOf: [{ type: 'string' }, { type: 'number' }] },
      keys: { type: 'array', items: { type: 'string', 'x-zui': { secret: true } } },
      objects: { type: 'array', items: { type: 'object' } },
    },
  };

  expect(kindsOf(fieldsOf(schema))).toEqual({ any: 'json', either: 'json', keys: 'json', objects: 'json' });
});

it('resolves references, including those of a recursive schema', () => {
  const schema = {
    properties: { tree: { $ref: '#/definitions/node' }, lost: { $ref: '#/definitions/none' } },
    definitions: {
      node: { type: 'object', properties: { child: { $ref: '#/definitions/node' }, id: { type: 'string' } } },
    },
  };

  const [tree, lost] = fieldsOf(schema);

  expect(tree).toMatchObject({ kind: 'group', fields: [{ path: ['tree', 'child'], kind: 'group' }, { kind: 'text' }] });
  expect(JSON.stringify(tree)).toContain('"kind":"json"');
  expect(lost).toMatchObject({ kind: 'json' });
});

it('edits a value without a schema as JSON, and shows no field for an empty object', () => {
  expect(fieldsOf({})).toMatchObject([{ path: [], kind: 'json' }]);
  expect(fieldsOf({ type: 'object', properties: {}, additionalProperties: false })).toEqual([]);
  expect(fieldsOf({ type: 'object', additionalProperties: false })).toEqual([]);
  expect(fieldsOf(undefined)).toEqual([]);
});
