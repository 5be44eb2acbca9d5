import { describe, expect, it } from 'vitest';
import { checkRow } from '#shared/domain/tables/rows/checkRow.ts';
import { decode, decodeRow, encode, rowBytes } from '#shared/domain/tables/schema/rowValues.ts';
import type { Column } from '#shared/storage/dynamodb/tables/column.ts';
import fc from '#test/support/fastCheck.ts';

const column = (name: string, type: Column['type'], more: Partial<Column> = {}): Column => ({
  id: name.slice(0, 1),
  name,
  type,
  nullable: true,
  ...more,
});
const bornAt = column('born', 'string', { format: 'date-time' });
const check = (columns: Column[], input: Record<string, unknown>, isNew = false) => checkRow(columns, input, { isNew });
const errorsOf = (checked: Column, value: unknown) => check([checked], { [checked.name]: value }).errors;

describe('encode and decode', () => {
  /** Converts a value to JSON and back, which removes -0. */
  const json = (value: unknown) => JSON.parse(JSON.stringify(value));
  const wellFormed = fc.string({ unit: 'binary' });
  const jsonValue = fc.jsonValue({ stringUnit: 'grapheme' });
  const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map(each => each + 0);

  it.each<[Column, fc.Arbitrary<unknown>]>([
    [column('a', 'string'), wellFormed],
    [column('a', 'number'), number.filter(each => !Object.is(each, -0))],
    [column('a', 'boolean'), fc.boolean()],
    [column('a', 'object'), fc.dictionary(wellFormed, jsonValue)],
    [column('a', 'array'), fc.array(jsonValue)],
    [
      bornAt,
      fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true }).map(each => each.toISOString()),
    ],
  ])('reverse each other for every value of a column, %#', (each, values) => {
    fc.assert(
      fc.property(values, value => {
        expect(decode(each, encode(each, value))).toEqual(each.type === 'string' ? value : json(value));
        // An encoded value is also accepted.
        expect(check([each], { [each.name]: value }).set).toEqual({ [each.id]: encode(each, value) });
      }),
    );
  });

  it.each<[Column['type'], unknown, string]>([
    ['string', '', ''],
    ['number', 1.5, '1.5'],
    ['number', 1e300, '1e+300'],
    ['boolean', true, '1'],
    ['boolean', false, '0'],
    ['object', { a: [1] }, '{"a":[1]}'],
    ['array', [], '[]'],
  ])('encode a %s as text', (type, value, text) => {
    expect(encode(column('a', type), value)).toBe(text);
  });

  it.each<[Column, string]>([
    [column('a', 'number'), ''],
    [column('a', 'number'), 'x'],
    [column('a', 'number'), 'Infinity'],
    [column('a', 'boolean'), 'true'],
    [column('a', 'object'), '[]'],
    [column('a', 'object'), 'null'],
    [column('a', 'object'), '{'],
    [column('a', 'array'), '{}'],
    [column('a', 'null'), '5'],
    [bornAt, 'x'],
  ])('decode an invalid text to null, %#', (each, text) => {
    expect(decode(each, text)).toBeNull();
  });
});

describe('decodeRow', () => {
  it('returns every column, even one named like an inherited property', () => {
    const columns = [column('constructor', 'string'), column('toString', 'number'), column('x', 'string')];
    const row = decodeRow(columns, { t: '5', z: 'of no column' });

    expect(Object.entries(row)).toEqual([
      ['constructor', null],
      ['toString', 5],
      ['x', null],
    ]);
  });
});

describe('rowBytes', () => {
  it('counts ids and values as UTF-8', () => {
    expect(rowBytes({})).toBe(0);
    expect(rowBytes({ a: 'ä', bc: '😀' })).toBe(1 + 2 + 2 + 4);
  });
});

describe('checkRow', () => {
  it('returns encoded values by column id', () => {
    const columns = [column('name', 'string'), column('age', 'number'), column('ok', 'boolean'), column('x', 'object')];

    expect(check(columns, { name: 'Ada', age: null, ok: false })).toEqual({
      set: { n: 'Ada', a: null, o: '0' },
      warnings: [],
      errors: [],
    });
  });

  it('warns of unknown columns, and ignores system columns', () => {
    const input = {
      id: 1,
      createdAt: 1,
      updatedAt: 1,
      computed: {},
      stale: [],
      similarity: 1,
      other: 1,
      constructor: 1,
    };

    expect(check([], input)).toEqual({
      set: {},
      warnings: ['Unknown column "other" was ignored.', 'Unknown column "constructor" was ignored.'],
      errors: [],
    });
  });

  it('warns of 20 columns by name, and then of the number of others', () => {
    const { warnings } = check([], Object.fromEntries(Array.from({ length: 1_000 }, (_, i) => [`c${i}`, 1])));

    expect(warnings).toHaveLength(21);
    expect(warnings.at(-1)).toBe('980 more unknown columns were ignored.');
  });

  it('ignores inherited properties', () => {
    expect(check([column('constructor', 'string'), column('toString', 'string')], {}, true).errors).toEqual([]);
    expect(check([column('toString', 'string')], { toString: 'x' }).set).toEqual({ t: 'x' });
  });

  const OF_EACH_TYPE = { string: 'x', number: 5, boolean: true, object: {}, array: [] };
  it.each(Object.keys(OF_EACH_TYPE) as (keyof typeof OF_EACH_TYPE)[])('accepts only values of type %s', type => {
    for (const [given, value] of Object.entries(OF_EACH_TYPE)) {
      expect(errorsOf(column('a', type), value)).toHaveLength(given === type ? 0 : 1);
    }
  });

  it('reports the expected and the actual type', () => {
    expect(errorsOf(column('age', 'number'), '5')).toEqual(['Column "age" must be a number, not a string.']);
    expect(errorsOf(column('age', 'null'), {})).toEqual(['Column "age" must be null, not an object.']);
  });

  it('reports the errors of all columns, and sets only valid values', () => {
    const { set, errors } = check([column('a', 'number'), column('b', 'number'), column('c', 'number')], {
      a: 'x',
      b: true,
      c: 1,
    });

    expect(errors).toHaveLength(2);
    expect(set).toEqual({ c: '1' });
  });

  it.each<[string, string]>([
    ['2020-01-31', '2020-01-31T00:00:00.000Z'],
    ['2020-01-31T12:00Z', '2020-01-31T12:00:00.000Z'],
    ['2020-01-31T12:00:00.123456+02:00', '2020-01-31T10:00:00.123Z'],
    ['2020-01-31T12:00:00-0530', '2020-01-31T17:30:00.000Z'],
  ])('encodes the date-time %s in UTC', (given, written) => {
    expect(check([bornAt], { born: given }).set).toEqual({ b: written });
  });

  it.each<unknown>([
    '',
    'x',
    '2020-02-30',
    '2020-01-31T12:00:00',
    '2020',
    '2020-13-01',
    1_580_000_000_000,
    {},
    '\ud800',
  ])('rejects the date-time %j', value => {
    const [error, ...others] = errorsOf(bornAt, value);

    expect(others).toEqual([]);
    expect(error).toMatch(/^Column "born" (must be an ISO 8601 date|has a string that is not well-formed)/);
    expect(error!.isWellFormed()).toBe(true);
  });

  it('requires a value for a column that is not nullable', () => {
    const needed = column('a', 'string', { nullable: false });
    const filled = { ...needed, computed: { action: 'code', code: '1' } } as const;

    expect(check([needed], {}, true).errors).toEqual(['Column "a" must have a value.']);
    expect(check([needed], {}).errors).toEqual([]);
    expect(errorsOf(needed, null)).toEqual(['Column "a" must have a value, not null.']);
    expect(check([filled], {}, true).errors).toEqual([]);
    expect(errorsOf(filled, null)).toHaveLength(1);
    expect(check([{ ...filled, computed: { ...filled.computed, enabled: false } }], {}, true).errors).toHaveLength(1);
  });

  it('lets a caller overwrite a computed value', () => {
    expect(check([column('a', 'string', { computed: { action: 'code', code: '1' } })], { a: 'x' }).set).toEqual({
      a: 'x',
    });
  });

  it('accepts only the values of an enum', () => {
    const colour = column('a', 'string', { enum: ['red', 'green'] });

    expect(errorsOf(colour, 'red')).toEqual([]);
    expect(errorsOf(colour, null)).toEqual([]);
    expect(errorsOf(colour, 'blue')).toEqual(['Column "a" must be one of "red","green"].']);
  });

  it('matches a pattern anywhere in a text, in linear time', () => {
    expect(errorsOf(column('a', 'string', { pattern: 'b+' }), 'abc')).toEqual([]);
    expect(errorsOf(column('a', 'string', { pattern: '^b+$' }), 'abc')).toEqual([
      'Column "a" must match the pattern ^b+$.',
    ]);
    expect(errorsOf(column('a', 'string', { pattern: '^(a+)+$' }), `${'a'.repeat(100_000)}b`)).toHaveLength(1);
  });

  it('checks the elements of an array', () => {
    const names = column('a', 'array', { items: { type: 'string', nullable: false } });

    expect(errorsOf(names, ['x'])).toEqual([]);
    expect(errorsOf(names, ['x', 5])).toEqual(['Column "a"[1] must be a string, not a number.']);
    expect(errorsOf(names, [null])).toHaveLength(1);
    expect(errorsOf(column('a', 'array', { items: { type: 'string' } }), [null])).toEqual([]);
    expect(errorsOf(column('a', 'array'), [1, 'x', [null]])).toEqual([]);
  });

  it('checks declared properties at any depth, and no others', () => {
    const address = column('a', 'object', {
      properties: {
        lines: { type: 'array', items: { type: 'object', properties: { at: { type: 'number' } } } },
        kind: { type: 'string', enum: ['home', 1] },
        toString: { type: 'string', nullable: false },
        odd: { type: 'integer', enum: 5, properties: 'x', items: [] },
      },
    });
    const valid = { toString: 'x' };

    expect(
      errorsOf(address, { ...valid, lines: [{ at: 1 }, { other: {} }], kind: 'home', odd: 'x', more: [] }),
    ).toEqual([]);
    expect(errorsOf(address, { ...valid, lines: [{ at: 'x' }] })).toEqual([
      'Column "a".lines[0].at must be a number, not a string.',
    ]);
    expect(errorsOf(address, { ...valid, kind: 'work' })).toEqual(['Column "a".kind must be one of "home",1].']);
    expect(errorsOf(address, {})).toEqual(['Column "a".toString must have a value, not null.']);
  });

  it('rejects lone surrogates, and values that are nested too deeply', () => {
    const nested = (depth: number): unknown => (depth === 0 ? 1 : [nested(depth - 1)]);
    const [text, object, array] = [column('a', 'string'), column('a', 'object'), column('a', 'array')];

    for (const [each, value] of [
      [text, '\ud800'],
      [object, { a: ['\udc00'] }],
      [object, { '\ud800': 1 }],
    ] as const) {
      expect(errorsOf(each, value)[0]).toContain('well-formed');
    }
    expect(errorsOf(array, nested(50))).toEqual([]);
    expect(errorsOf(array, nested(51))).toEqual(['Column "a" is nested too deeply.']);
    expect(errorsOf(array, JSON.parse('['.repeat(100_000) + ']'.repeat(100_000)))).toHaveLength(1);
  });

  it('stores __proto__ as an ordinary key', () => {
    const value = JSON.parse('{"__proto__": {"x": 1}}');
    const { set } = check([column('a', 'object')], { a: value });

    expect(set).toEqual({ a: '{"__proto__":{"x":1}}' });
    expect(Object.keys(decode(column('a', 'object'), set.a!) as object)).toEqual(['__proto__']);
  });
});
