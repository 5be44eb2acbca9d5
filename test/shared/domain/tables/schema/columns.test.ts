import { describe, expect, it } from 'vitest';
import { ApiError } from '#shared/core/errors.ts';
import { changeColumns, newColumns, renameColumn, type Schema } from '#shared/domain/tables/schema/columns.ts';
import { viewSchema } from '#shared/domain/tables/schema/schemaView.ts';
import { requireTableName } from '#shared/domain/tables/tableName.ts';
import type { Column } from '#shared/storage/dynamodb/tables/column.ts';

function faultOf(act: () => unknown): ApiError {
  try {
    act();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
  throw new Error('It threw nothing.');
}
const refusal = (schema: unknown) => {
  const { type, message } = faultOf(() => newColumns(schema));
  expect(type).toBe('InvalidPayload');
  return message;
};
const columnOf = ({ columns }: Pick<Schema, 'columns'>, name: string) => columns.find(column => column.name === name);
const code = (source: string, dependencies: string[] = []) => ({ action: 'code', code: source, dependencies });
const computed = (value: object, type = 'string') => ({ type, 'x-zui': { computed: value } });

describe('newColumns', () => {
  it('accepts an example row', () => {
    const { columns, nextColumn } = newColumns({
      name: 'Ada',
      age: 5,
      ok: true,
      born: '2020-01-01T00:00:00Z',
      day: '2020-01-01',
      address: { street: 'x', at: { lat: 1 }, nothing: null },
      list: ['a', null, 'b'],
      mixed: [1, 'a'],
      none: [],
      few: [{ a: 1 }],
      unknown: null,
    });

    const text = { type: 'string' };
    expect(columns).toEqual([
      { id: 'a', name: 'name', type: 'string', nullable: true },
      { id: 'b', name: 'age', type: 'number', nullable: true },
      { id: 'c', name: 'ok', type: 'boolean', nullable: true },
      { id: 'd', name: 'born', type: 'string', format: 'date-time', nullable: true },
      { id: 'e', name: 'day', type: 'string', nullable: true },
      {
        id: 'f',
        name: 'address',
        type: 'object',
        properties: { street: text, at: { type: 'object', properties: { lat: { type: 'number' } } } },
        nullable: true,
      },
      { id: 'g', name: 'list', type: 'array', items: text, nullable: true },
      { id: 'h', name: 'mixed', type: 'array', nullable: true },
      { id: 'i', name: 'none', type: 'array', nullable: true },
      {
        id: 'j',
        name: 'few',
        type: 'array',
        items: { type: 'object', properties: { a: { type: 'number' } } },
        nullable: true,
      },
      { id: 'k', name: 'unknown', type: 'string', nullable: true },
    ]);
    expect(nextColumn).toBe(11);
  });

  it('accepts JSON Schema, whose required columns are not nullable', () => {
    const { columns } = newColumns({
      type: 'object',
      properties: { name: { type: 'string', title: 'ignored' }, age: { type: 'number', nullable: false } },
      required: ['name'],
    });

    expect(columns).toEqual([
      { id: 'a', name: 'name', type: 'string', nullable: false },
      { id: 'b', name: 'age', type: 'number', nullable: false },
    ]);
    expect(newColumns({ $schema: 'x', properties: {} })).toEqual({ columns: [], nextColumn: 0 });
  });

  it('accepts both definitions and examples', () => {
    const zui = {
      index: 7,
      id: 'zz',
      searchable: true,
      hidden: false,
      order: 2,
      width: 100,
      schemaId: 's',
      typings: 't',
      computed: { action: 'ai', prompt: 'p', dependencies: ['age'], model: 'm', workflowId: null },
    };
    const { columns } = newColumns({
      note: { type: 'string', description: 'd', pattern: '^a', enum: ['a', 'ab'], 'x-zui': zui },
      age: 5,
      type: 'a column may be called so',
      properties: { type: 'integer' },
    });

    expect(columns[0]).toEqual({
      id: 'a',
      name: 'note',
      type: 'string',
      description: 'd',
      pattern: '^a',
      enum: ['a', 'ab'],
      nullable: true,
      searchable: true,
      hidden: false,
      order: 2,
      width: 100,
      schemaId: 's',
      typings: 't',
      computed: { action: 'ai', prompt: 'p', dependencies: ['age'], model: 'm', enabled: true },
    });
    expect(columns.slice(1).map(({ name, type }) => [name, type])).toEqual([
      ['age', 'number'],
      ['type', 'string'],
      ['properties', 'object'],
    ]);
  });

  it('accepts column names of inherited properties', () => {
    const { columns } = newColumns({ constructor: 'x', toString: 1, hasOwnProperty: true });

    expect(columns.map(({ name }) => name)).toEqual(['constructor', 'toString', 'hasOwnProperty']);
    expect(Object.keys(viewSchema(columns).properties)).toEqual(['constructor', 'toString', 'hasOwnProperty']);
  });

  it('accepts an empty schema, and rejects anything but objects', () => {
    expect(newColumns({})).toEqual({ columns: [], nextColumn: 0 });
    for (const schema of [null, [], 'x', 1]) expect(refusal(schema)).toContain('must be an object');
  });

  it.each([
    '',
    '1a',
    'a-b',
    'ä',
    'a b',
    'a'.repeat(31),
    'id',
    'createdAt',
    'updatedAt',
    'computed',
    'stale',
    'similarity',
  ])('rejects the name %j', name => {
    expect(refusal({ [name]: 'x' })).toContain(`"${name}"`);
  });

  it('rejects the name __proto__', () => {
    expect(refusal(JSON.parse('{"__proto__": "x"}'))).toContain('"__proto__"');
    expect(refusal(JSON.parse('{"type": "object", "properties": {"__proto__": {"type": "string"}}}'))).toContain(
      '"__proto__"',
    );
  });

  it('accepts 64 columns and no more', () => {
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`c${i}`, 1]));

    expect(newColumns(many(64)).columns).toHaveLength(64);
    expect(refusal(many(65))).toContain('at most 64');
    expect(refusal(many(10_000))).toContain('at most 64');
  });

  it('names the fault of a definition and its path', () => {
    const fault = faultOf(() => newColumns({ a: { type: 'string', description: 5 } }));

    expect(fault.message).toBe('In the column "a", description must be a string of at most 1,000 characters.');
    expect(fault.metadata).toEqual({ issues: [{ path: 'schema.a.description', message: fault.message }] });
  });

  it.each<[string, object, string]>([
    ['a description that is too long', { description: 'x'.repeat(1_001) }, '1,000'],
    ['another format', { format: 'email' }, 'date-time'],
    ['an empty enum', { enum: [] }, 'at least one'],
    ['a long enum', { enum: Array.from({ length: 101 }, String) }, '100'],
    ['an enum of long texts', { enum: ['x'.repeat(201)] }, '200'],
    ['an enum of numbers', { enum: [1] }, 'enum.0'],
    ['a pattern that is too long', { pattern: 'x'.repeat(1_001) }, '1,000'],
    ['an invalid pattern', { pattern: '[' }, 'pattern is not accepted'],
    ['a pattern with a lookahead', { pattern: '(?=a)' }, 'RE2'],
    ['a pattern with a backreference', { pattern: '(a)\\1' }, 'RE2'],
    ['a pattern that repeats too much', { pattern: '\\pL{1000}'.repeat(90) }, 'too large'],
    ['items', { items: { type: 'string' } }, 'columns of type array'],
    ['properties', { properties: { a: { type: 'string' } } }, 'columns of type object'],
    ['nullable that is no boolean', { nullable: 'no' }, 'nullable must be true or false'],
    ['an invalid x-zui', { 'x-zui': 5 }, 'x-zui must be an object'],
    ['x-zui that is null', { 'x-zui': null }, 'x-zui must be an object'],
    ['searchable that is no boolean', { 'x-zui': { searchable: 1 } }, 'x-zui.searchable'],
    ['an invalid width', { 'x-zui': { width: 'x' } }, 'x-zui.width'],
    ['typings that are too long', { 'x-zui': { typings: 'x'.repeat(10_001) } }, '10,000'],
    ['half a character', { description: '\ud800' }, 'well-formed'],
  ])('rejects %s', (_, definition, said) => {
    expect(refusal({ a: { type: 'string', ...definition } })).toContain(said);
  });

  it('rejects string keywords for other types', () => {
    for (const key of [{ format: 'date-time' }, { pattern: 'a' }, { enum: ['a'] }, { 'x-zui': { searchable: true } }]) {
      expect(refusal({ a: { type: 'number', ...key } })).toContain('applies to columns of type string');
    }
    expect(newColumns({ a: { type: 'number', 'x-zui': { searchable: false } } }).columns[0]!.searchable).toBe(false);
  });

  it('rejects an unknown or missing type', () => {
    const refused = (definition: object) => refusal({ type: 'object', properties: { a: definition } });

    expect(refused({ type: 'integer' })).toContain('one of string, number, boolean, object, array, null');
    expect(refused({ type: ['string', 'null'] })).toContain('nullable');
    expect(refused({})).toContain('has no type');
    expect(refusal({ type: 'object', properties: { a: 'x' } })).toContain('must define the type of the column "a"');
    expect(refusal({ a: { type: 'null', nullable: false } })).toContain('has no values');
  });

  it('rejects items and properties without a type, and excessive nesting', () => {
    const deep = (levels: number): object =>
      levels === 0 ? { type: 'number' } : { type: 'array', items: deep(levels - 1) };
    const example = (levels: number): unknown => (levels === 0 ? 1 : { a: example(levels - 1) });

    expect(refusal({ a: { type: 'array', items: { type: 'integer' } } })).toContain('items must be');
    expect(refusal({ a: { type: 'array', items: 'string' } })).toContain('items must be');
    expect(refusal({ a: { type: 'object', properties: { b: {} } } })).toContain('properties must be');
    expect(newColumns(deepColumn(deep(19))).columns).toHaveLength(1);
    expect(refusal(deepColumn(deep(20)))).toContain('too deeply');
    expect(refusal(deepColumn(deep(5_000)))).toContain('too deeply');
    expect(refusal({ a: example(12) })).toContain('too deeply');
    const [column] = newColumns({ a: example(9) }).columns;
    expect(newColumns(viewSchema([column!])).columns).toEqual([column]);
  });
  const deepColumn = (items: object) => ({ a: { type: 'array', items } });

  it('rejects a schema of more than 100,000 bytes', () => {
    const texts = Array.from({ length: 100 }, (_, i) => `${i}`.padEnd(199, 'ä'));

    expect(
      refusal({
        a: { type: 'string', enum: texts },
        b: { type: 'string', enum: texts },
        c: { type: 'string', enum: texts },
      }),
    ).toContain('100000 bytes');
  });

  it('rejects required columns that are unknown or nullable', () => {
    const schema = (required: unknown, a: object = {}) => ({
      type: 'object',
      properties: { a: { type: 'string', ...a } },
      required,
    });

    expect(refusal(schema(['b']))).toContain('"b" is required');
    expect(refusal(schema(['constructor']))).toContain('"constructor" is required');
    expect(refusal(schema(['a'], { nullable: true }))).toContain('also nullable');
    expect(refusal(schema('a'))).toContain('array of column names');
  });
});

describe('computed columns', () => {
  it.each<[string, object, string]>([
    ['without an action', {}, 'action must be one of ai, code, workflow'],
    ['with another action', { action: 'magic' }, 'action must be one of ai, code, workflow'],
    ['of code without code', { action: 'code' }, 'computed.code is missing'],
    ['of code that is blank', { action: 'code', code: ' ' }, 'computed.code is missing'],
    ['of code that is too long', { action: 'code', code: 'x'.repeat(20_001) }, '20,000'],
    ['of AI without a prompt', { action: 'ai' }, 'computed.prompt is missing'],
    ['of AI with a prompt that is too long', { action: 'ai', prompt: 'x'.repeat(10_001) }, '10,000'],
    ['of a workflow without one', { action: 'workflow' }, 'computed.workflowId is missing'],
    ['with a model that is too long', { action: 'ai', prompt: 'x', model: 'm'.repeat(201) }, '200'],
    ['with enabled that is no boolean', { action: 'ai', prompt: 'x', enabled: 'yes' }, 'enabled'],
    ['that depends on an unknown column', code('1', ['gone']), '"gone", which does not exist'],
    ['that depends on an inherited property', code('1', ['constructor']), '"constructor", which does not exist'],
    ['that depends on itself', code('1', ['a']), '"a" depends on itself'],
    [
      'with too many dependencies',
      code(
        '1',
        Array.from({ length: 65 }, () => 'b'),
      ),
      '64',
    ],
  ])('are rejected %s', (_, value, said) => {
    expect(refusal({ a: computed(value), b: 1 })).toContain(said);
  });

  it('is enabled by default', () => {
    const { columns } = newColumns({ a: computed(code('1')), b: computed({ ...code('1'), enabled: false }) });

    expect(columns.map(column => column.computed!.enabled)).toEqual([true, false]);
  });

  it('is rejected when columns form a dependency cycle', () => {
    const circle = { a: computed(code('1', ['b'])), b: computed(code('1', ['c'])), c: computed(code('1', ['a'])) };

    expect(refusal(circle)).toContain('a → b → c → a');
    expect(newColumns({ ...circle, c: 1 }).columns).toHaveLength(3);
  });

  it('is stale when added or redefined, but not when enabled or disabled', () => {
    const before = newColumns({ a: computed({ ...code('1', ['b']), model: 'm' }), b: 'x', c: 'x' });
    const stale = (value: object | null) => changeColumns(before, { a: { 'x-zui': { computed: value } } }).staleColumns;

    expect(stale({ ...code('1', ['b']), model: 'm' })).toEqual([]);
    expect(stale({ ...code('1', ['b']), model: 'm', enabled: false })).toEqual([]);
    expect(stale({ ...code('2', ['b']), model: 'm' })).toEqual(['a']);
    expect(stale({ ...code('1', ['c']), model: 'm' })).toEqual(['a']);
    expect(stale(code('1', ['b']))).toEqual(['a']);
    expect(stale({ action: 'ai', prompt: 'p' })).toEqual(['a']);
    expect(stale(null)).toEqual([]);
    expect(changeColumns(before, { b: { 'x-zui': { computed: code('1') } } }).staleColumns).toEqual(['b']);
    expect(changeColumns(before, { d: computed(code('1')) }).staleColumns).toEqual(['d']);
  });

  it('prevents the removal of its dependencies', () => {
    const before = newColumns({ a: computed(code('1', ['b'])), b: 'x' });
    const { type, message } = faultOf(() => changeColumns(before, { b: null }));

    expect(type).toBe('InvalidPayload');
    expect(message).toContain('"a" depends on the column "b"');
    expect(changeColumns(before, { a: null, b: null }).columns).toEqual([]);
  });
});

describe('changeColumns', () => {
  const before = newColumns({
    name: { type: 'string', description: 'd', pattern: '^a', 'x-zui': { searchable: true, width: 5 } },
    age: 5,
    born: '2020-01-01T00:00:00Z',
  });

  it('keeps unnamed columns, changes columns in place, and appends new ones', () => {
    const { columns, nextColumn, staleColumns } = changeColumns(before, {
      z: 1,
      age: { description: 'years' },
      y: null,
    });

    expect(columns).toEqual([
      before.columns[0],
      { ...before.columns[1], description: 'years' },
      before.columns[2],
      { id: 'd', name: 'z', type: 'number', nullable: true },
    ]);
    expect([nextColumn, staleColumns]).toEqual([4, []]);
  });

  it('merges a definition and its x-zui by key, and removes keys set to null', () => {
    const { columns } = changeColumns(before, {
      type: 'object',
      properties: { name: { description: 'e', pattern: null, 'x-zui': { width: null, order: 1 } } },
    });

    expect(columns[0]).toEqual({
      id: 'a',
      name: 'name',
      type: 'string',
      description: 'e',
      nullable: true,
      searchable: true,
      order: 1,
    });
  });

  it('changes nothing for examples of the same type, whatever their format', () => {
    expect(changeColumns(before, { name: '2021-01-01T00:00:00Z', age: 7, born: 'x' })).toEqual({
      ...before,
      staleColumns: [],
    });
  });

  it('changes nothing when given the schema that viewSchema returned', () => {
    const some = newColumns({
      type: 'object',
      properties: { a: computed(code('1', ['b'])), b: { type: 'array', items: { type: 'string' } } },
      required: ['b'],
    });

    expect(changeColumns(some, viewSchema(some.columns))).toEqual({ ...some, staleColumns: [] });
  });

  it('assigns a new id to a column whose type changes, and drops its definition', () => {
    const { columns, nextColumn, staleColumns } = changeColumns(before, { name: { type: 'number' }, age: 'x' });

    expect(columns.slice(0, 2)).toEqual([
      { id: 'd', name: 'name', type: 'number', description: 'd', nullable: true, width: 5 },
      { id: 'e', name: 'age', type: 'string', nullable: true },
    ]);
    expect([nextColumn, staleColumns]).toEqual([5, ['name', 'age']]);
  });

  it('assigns a new id to a text that becomes a date-time or vice versa', () => {
    const { columns, staleColumns } = changeColumns(before, { name: { format: 'date-time' }, born: { format: null } });

    expect(columns.map(({ id, format }) => [id, format])).toEqual([
      ['d', 'date-time'],
      ['b', undefined],
      ['e', undefined],
    ]);
    expect(staleColumns).toEqual(['name', 'born']);
  });

  it('never reuses an id', () => {
    const emptied = changeColumns(before, { name: null, age: null, born: null });
    const again = changeColumns(emptied, { name: 'x' });

    expect(emptied).toEqual({ columns: [], nextColumn: 3, staleColumns: [] });
    expect(again.columns.map(({ id }) => id)).toEqual(['d']);
  });

  it.each<[number, string]>([
    [25, 'z'],
    [26, 'A'],
    [51, 'Z'],
    [52, 'aa'],
    [53, 'ab'],
    [103, 'aZ'],
    [104, 'ba'],
    [2_755, 'ZZ'],
    [2_756, 'aaa'],
  ])('gives column number %i the id %s', (nextColumn, id) => {
    expect(changeColumns({ columns: [], nextColumn }, { a: 1 }).columns[0]!.id).toBe(id);
  });

  it('makes existing columns required, and no others nullable', () => {
    const required = changeColumns(before, { type: 'object', properties: {}, required: ['age'] });
    const after = changeColumns(required, { type: 'object', properties: { name: {} }, required: ['name'] });

    expect(after.columns.map(({ nullable }) => nullable)).toEqual([false, false, true]);
    expect(columnOf(changeColumns(after, { age: { nullable: null } }), 'age')!.nullable).toBe(true);
  });

  it('limits the number of columns after the change', () => {
    const full = newColumns(Object.fromEntries(Array.from({ length: 64 }, (_, i) => [`c${i}`, 1])));

    expect(faultOf(() => changeColumns(full, { more: 1 })).message).toContain('at most 64');
    expect(changeColumns(full, { more: 1, c0: null }).columns).toHaveLength(64);
  });

  it('does not mutate its input', () => {
    const copy = structuredClone(before);
    changeColumns(before, { name: null, age: 'x', born: { nullable: false } });

    expect(before).toEqual(copy);
  });
});

describe('renameColumn', () => {
  const { columns } = newColumns({ a: computed(code('row.b', ['b', 'c'])), b: 1, c: 1 });

  it('keeps the id, and updates dependencies', () => {
    const after = renameColumn(columns, 'b', 'd');

    expect(after.map(({ id, name }) => [id, name])).toEqual([
      ['a', 'a'],
      ['b', 'd'],
      ['c', 'c'],
    ]);
    expect(after[0]!.computed!.dependencies).toEqual(['d', 'c']);
    expect(columns[0]!.computed!.dependencies).toEqual(['b', 'c']);
  });

  it('rejects an unknown column, and a taken or invalid name', () => {
    expect(faultOf(() => renameColumn(columns, 'constructor', 'x')).message).toBe(
      'The column "constructor" was not found.',
    );
    expect(faultOf(() => renameColumn(columns, 'a', 'b')).type).toBe('AlreadyExists');
    expect(faultOf(() => renameColumn(columns, 'a', 'id')).type).toBe('InvalidPayload');
    expect(renameColumn(columns, 'a', 'a')).toEqual(columns);
  });
});

describe('viewSchema', () => {
  it('returns JSON Schema with x-zui', () => {
    const columns: Column[] = [
      {
        id: 'b',
        name: 'a',
        type: 'string',
        format: 'date-time',
        description: 'd',
        pattern: 'p',
        enum: ['e'],
        nullable: false,
        searchable: true,
        hidden: true,
        order: 1,
        width: 2,
        schemaId: 's',
        typings: 't',
        computed: { action: 'code', code: '1', enabled: true },
      },
      { id: 'c', name: 'o', type: 'object', properties: { x: { type: 'string' } }, nullable: true },
      { id: 'd', name: 'l', type: 'array', items: { type: 'string' }, nullable: true },
    ];

    expect(viewSchema(columns)).toEqual({
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      additionalProperties: true,
      properties: {
        a: {
          type: 'string',
          format: 'date-time',
          description: 'd',
          pattern: 'p',
          enum: ['e'],
          nullable: false,
          'x-zui': {
            index: 0,
            id: 'b',
            searchable: true,
            hidden: true,
            order: 1,
            width: 2,
            schemaId: 's',
            typings: 't',
            computed: { action: 'code', code: '1', enabled: true },
          },
        },
        o: { type: 'object', properties: { x: { type: 'string' } }, nullable: true, 'x-zui': { index: 1, id: 'c' } },
        l: { type: 'array', items: { type: 'string' }, nullable: true, 'x-zui': { index: 2, id: 'd' } },
      },
      required: ['a'],
    });
    expect(viewSchema([])).not.toHaveProperty('required');
  });
});

describe('requireTableName', () => {
  it.each(['Table', 'usersTable', '_Table', '$Table', 'A1_2Table', `${'a'.repeat(30)}Table`])('accepts %s', name => {
    expect(requireTableName(name)).toBe(name);
  });

  it.each([
    '',
    'users',
    'usersTables',
    'userstable',
    '1Table',
    'a$Table',
    'a-Table',
    'äTable',
    'a Table',
    'usersTable\n',
    `${'a'.repeat(31)}Table`,
    '6f9619ff-8b86-d011-b42d-00c04fc964ff',
  ])('rejects %j', name => {
    expect(faultOf(() => requireTableName(name)).message).toContain('is not a valid table name');
  });
});
