import { describe, expect, it } from 'vitest';
import type { Values } from '#shared/domain/tables/query/field.ts';
import { parseFilter } from '#shared/domain/tables/query/filter.ts';
import { columns, refusal, row } from './columns.ts';

/** Matches a filter against a row with the given values. */
const matches = (filter: unknown, values: Values = {}) => parseFilter(filter, columns).matches(row(1, values));
const refused = (filter: unknown) => refusal(() => parseFilter(filter, columns));

describe('a filter', () => {
  it('matches every row when it is empty', () => {
    expect(matches({})).toBe(true);
    expect(parseFilter({}, columns)).toMatchObject({ ids: undefined, idList: undefined });
  });

  it('combines its columns, and the operators of a column, with and', () => {
    expect(matches({ name: 'a', age: 5 }, { name: 'a', age: 5 })).toBe(true);
    expect(matches({ name: 'a', age: 5 }, { name: 'a', age: 6 })).toBe(false);
    expect(matches({ age: { $gt: 1, $lt: 5 } }, { age: 5 })).toBe(false);
    expect(
      matches({ age: { $gt: 1, $lt: 5, $ne: 3 }, name: 'a', isNew: true }, { age: 4, name: 'a', isNew: true }),
    ).toBe(true);
  });

  it('reports the columns that it reads', () => {
    const filter = { name: 'a', $or: [{ 'address.city': 'b' }, { $not: { createdAt: { $gt: '2024-01-01' } } }] };

    expect([...parseFilter(filter, columns).columns]).toEqual(['name', 'address', 'createdAt']);
    expect(parseFilter({}, columns).columns.size).toBe(0);
    expect(parseFilter({ $not: {} }, columns).columns.size).toBe(1);
  });

  it('combines filters with $and, $or and $not', () => {
    const either = { $or: [{ age: 1 }, { $and: [{ name: 'a' }, { isNew: true }] }] };

    expect(matches(either, { age: 1 })).toBe(true);
    expect(matches(either, { age: 2, name: 'a', isNew: true })).toBe(true);
    expect(matches(either, { age: 2, name: 'a' })).toBe(false);
    expect(matches({ $not: either }, { age: 2, name: 'a' })).toBe(true);
    expect(matches({ $not: {} })).toBe(false);
  });

  it.each([
    [null, 'filter', 'A filter must be an object.'],
    [[], 'filter', 'A filter must be an object.'],
    ['x', 'filter', 'A filter must be an object.'],
    [{ $and: [] }, 'filter.$and', '$and takes an array of at least one filter.'],
    [{ $or: { age: 1 } }, 'filter.$or', '$or takes an array of at least one filter.'],
    [{ $or: [{ age: 1 }, 5] }, 'filter.$or.1', 'A filter must be an object.'],
    [{ $not: [] }, 'filter.$not', 'A filter must be an object.'],
    [{ $nor: [] }, 'filter.$nor', 'Unknown filter operator "$nor".'],
    [{ size: 1 }, 'filter.size', 'The table has no column "size".'],
    [{ toString: 1 }, 'filter.toString', 'The table has no column "toString".'],
    [{ stale: null }, 'filter.stale', 'The table has no column "stale".'],
    [{ age: { $near: 1 } }, 'filter.age.$near', 'Unknown column operator "$near".'],
    [{ age: { $and: [] } }, 'filter.age.$and', 'Unknown column operator "$and".'],
    [{ age: { $constructor: 1 } }, 'filter.age.$constructor', 'Unknown column operator "$constructor".'],
    [
      { address: { $eq: 1, city: 1 } },
      'filter.address',
      'Operators and other keys cannot be mixed, as in "$eq" and "city". Use $eq to compare with an object.',
    ],
    [{ age: { $not: 5 } }, 'filter.age.$not', '$not of a column takes an object of operators.'],
    [{ age: { $not: {} } }, 'filter.age.$not', '$not of a column takes an object of operators.'],
    [{ 'name.x': 1 }, 'filter.name.x', 'The column "name" is of type string. Paths require type object or array.'],
    [{ 'id.x': 1 }, 'filter.id.x', 'The column "id" is of type number. Paths require type object or array.'],
    [{ 'address.': 1 }, 'filter.address.', 'A path must have 1 to 20 non-empty names after the column.'],
    [
      { [`address${'.a'.repeat(21)}`]: 1 },
      `filter.address${'.a'.repeat(21)}`,
      'A path must have 1 to 20 non-empty names after the column.',
    ],
  ])('rejects %j', (filter, path, message) => {
    expect(refused(filter)).toEqual({ path, message });
  });

  it('has at most 500 conditions', () => {
    const conditions = (count: number) => ({ $or: Array.from({ length: count }, (_, age) => ({ age })) });

    expect(matches(conditions(500), { age: 499 })).toBe(true);
    expect(refused(conditions(501))).toEqual({
      path: 'filter.$or.500.age',
      message: 'A filter can have at most 500 conditions.',
    });
    expect(refused({ $or: Array.from({ length: 501 }, () => ({})) }).message).toBe(
      'A filter can have at most 500 conditions.',
    );
  });

  it('has at most 20 levels', () => {
    const nested = (levels: number) => {
      let filter: unknown = { age: { $eq: 1 } };
      for (let i = 0; i < levels; i++) filter = i % 2 ? { $not: filter } : { $and: [filter] };
      return filter;
    };

    expect(matches(nested(20), { age: 1 })).toBe(true);
    expect(refused(nested(21)).message).toBe('A filter can have at most 20 nested levels.');
    expect(refused(nested(20_000)).message).toBe('A filter can have at most 20 nested levels.');
  });

  it('has at most 20 levels of $not of a column', () => {
    let operators: unknown = { $eq: 1 };
    for (let i = 0; i < 21; i++) operators = { $not: operators };

    expect(refused({ age: operators }).message).toBe('A filter can have at most 20 nested levels.');
  });

  it('ignores inherited properties', () => {
    expect(matches({ constructor: { $exists: true } })).toBe(false);
    expect(matches({ constructor: 'a' }, { constructor: 'a' })).toBe(true);
    expect(matches(JSON.parse('{"__proto__": {"$exists": true}}'))).toBe(false);
    expect(matches(JSON.parse('{"__proto__": "a"}'), JSON.parse('{"__proto__": "a"}'))).toBe(true);
    expect(matches({ 'address.constructor': null, 'address.__proto__.x': null }, { address: {} })).toBe(true);
    expect(matches({ 'address.length': null, 'tags.length': null }, { tags: [1], address: [1] })).toBe(true);
  });

  it('accepts a column whose name starts like an operator', () => {
    expect(matches({ $price: { $gte: 5 } }, { $price: 5 })).toBe(true);
  });
});

describe('$eq and $ne', () => {
  it.each([
    ['a', 'name', 'a', true],
    ['a', 'name', 'A', false],
    [5, 'age', 5, true],
    [0, 'age', -0, true],
    [5, 'age', null, false],
    [false, 'isNew', false, true],
    [false, 'isNew', null, false],
    [null, 'age', null, true],
    [null, 'age', 0, false],
    [null, 'nothing', null, true],
    [[1, [2]], 'tags', [1, [2]], true],
    [[1, 2], 'tags', [2, 1], false],
    [[], 'tags', null, false],
    [{}, 'address', {}, true],
    [{ a: 1, b: { c: null } }, 'address', { b: { c: null }, a: 1 }, true],
    [{ a: 1 }, 'address', { a: 1, b: null }, false],
    [{ a: '1' }, 'address', { a: 1 }, false],
  ])('compares %j in %s with %j: %s', (operand, name, value, isEqual) => {
    expect(matches({ [name]: operand }, { [name]: value })).toBe(isEqual);
    expect(matches({ [name]: { $eq: operand } }, { [name]: value })).toBe(isEqual);
    expect(matches({ [name]: { $ne: operand } }, { [name]: value })).toBe(!isEqual);
    expect(matches({ [name]: { $not: { $eq: operand } } }, { [name]: value })).toBe(!isEqual);
  });

  it('treats a missing value as null', () => {
    expect(matches({ age: null })).toBe(true);
    expect(matches({ age: { $ne: 5 } })).toBe(true);
    expect(matches({ age: { $ne: null } })).toBe(false);
    expect(matches({ age: null }, { age: undefined })).toBe(true);
  });

  it('compares with an object that has operators as keys', () => {
    expect(matches({ address: { $eq: { $gt: 5 } } }, { address: { $gt: 5 } })).toBe(true);
  });

  it('compares values that are nested deeper than the call stack', () => {
    const deep = (depth: number) => JSON.parse(`${'[{"a":'.repeat(depth)}1${'}]'.repeat(depth)}`);

    expect(matches({ tags: [1] }, { tags: deep(20_000) })).toBe(false);
    expect(matches({ tags: { $in: [deep(20_000)] } }, { tags: deep(20_000) })).toBe(true);
  });

  it.each([
    [{ age: '5' }, 'filter.age', '$eq of column "age" takes a value of type number, not string.'],
    [{ age: { $ne: true } }, 'filter.age.$ne', '$ne of column "age" takes a value of type number, not boolean.'],
    [{ name: {} }, 'filter.name', '$eq of column "name" takes a value of type string, not object.'],
    [{ address: [] }, 'filter.address', '$eq of column "address" takes a value of type object, not array.'],
    [{ nothing: 1 }, 'filter.nothing', '$eq of column "nothing" takes a value of type null, not number.'],
    [{ id: '1' }, 'filter.id', '$eq of column "id" takes a value of type number, not string.'],
    [{ createdAt: 1 }, 'filter.createdAt', '$eq of column "createdAt" takes a value of type string, not number.'],
  ])('rejects %j', (filter, path, message) => {
    expect(refused(filter)).toEqual({ path, message });
  });
});

describe('$gt, $gte, $lt and $lte', () => {
  /** Returns the operators that a value satisfies. */
  const fulfilled = (name: string, value: unknown, operand: unknown) =>
    ['$gt', '$gte', '$lt', '$lte'].filter(operator => matches({ [name]: { [operator]: operand } }, { [name]: value }));

  it.each([
    ['age', 5, 5, ['$gte', '$lte']],
    ['age', 10, 9, ['$gt', '$gte']],
    ['age', -1.5, -1, ['$lt', '$lte']],
    ['age', Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, ['$gte', '$lte']],
    ['name', '10', '9', ['$lt', '$lte']],
    ['name', 'a', 'ab', ['$lt', '$lte']],
    ['name', 'a', '', ['$gt', '$gte']],
    ['name', '\u{1f600}', '\u{1f600}', ['$gte', '$lte']],
    ['isNew', false, true, ['$lt', '$lte']],
    ['isNew', true, true, ['$gte', '$lte']],
    ['isNew', true, false, ['$gt', '$gte']],
  ])('compares %s: %j with %j', (name, value, operand, operators) => {
    expect(fulfilled(name, value, operand)).toEqual(operators);
  });

  it('compares strings by code point, not by UTF-16 unit', () => {
    expect('\u{1f600}' > '\uff5e').toBe(false);
    expect(fulfilled('name', '\u{1f600}', '\uff5e')).toEqual(['$gt', '$gte']);
    expect(fulfilled('name', '\uff5e', '\u{1f600}')).toEqual(['$lt', '$lte']);
    expect(fulfilled('name', 'a\u{1f600}', 'a\u{1f601}')).toEqual(['$lt', '$lte']);
    expect(fulfilled('name', '\u{1f600}', 'z')).toEqual(['$gt', '$gte']);
  });

  it('matches neither null nor another type', () => {
    expect(fulfilled('age', null, 5)).toEqual([]);
    expect(fulfilled('name', null, '')).toEqual([]);
    expect(fulfilled('age', '7', 5)).toEqual([]);
    expect(matches({ 'address.no': { $gte: 5 } }, { address: { no: '7' } })).toBe(false);
    expect(matches({ 'address.no': { $not: { $gte: 5 } } }, { address: { no: '7' } })).toBe(true);
    expect(matches({ age: { $not: { $gt: 5 } } })).toBe(true);
  });

  it.each([
    [{ age: { $gt: 'x' } }, 'filter.age.$gt', '$gt of column "age" takes a value of type number, not string.'],
    [{ age: { $lt: null } }, 'filter.age.$lt', '$lt takes a number, a string or a boolean, not null.'],
    [
      { 'address.no': { $lte: [1] } },
      'filter.address.no.$lte',
      '$lte takes a number, a string or a boolean, not array.',
    ],
    [
      { address: { $gt: {} } },
      'filter.address.$gt',
      '$gt does not apply to column "address", whose values have no order.',
    ],
    [{ tags: { $lte: 5 } }, 'filter.tags.$lte', '$lte does not apply to column "tags", whose values have no order.'],
  ])('rejects %j', (filter, path, message) => {
    expect(refused(filter)).toEqual({ path, message });
  });
});

describe('date-times', () => {
  it.each([
    '2024-03-01T00:00:00.000Z',
    '2024-03-01',
    '2024-03-01T00:00Z',
    '2024-03-01T02:00:00+02:00',
    '2024-03-01t02:00:00.0009+02',
    '2024-02-29T22:30:00,0-0130',
    '2024-03-01 00:00:00z',
  ])('is equal to %s of the same instant', text => {
    expect(matches({ seenAt: text }, { seenAt: '2024-03-01T00:00:00.000Z' })).toBe(true);
    expect(matches({ seenAt: { $in: [text] } }, { seenAt: '2024-03-01T00:00:00.000Z' })).toBe(true);
    expect(matches({ seenAt: { $lt: text } }, { seenAt: '2024-02-29T23:59:59.999Z' })).toBe(true);
    expect(matches({ seenAt: { $gt: text } }, { seenAt: '2024-03-01T00:00:00.001Z' })).toBe(true);
  });

  it('applies to the system columns', () => {
    expect(matches({ createdAt: '2024-01-01', updatedAt: { $gt: '2024-01-01T23:59:59+00:00' } })).toBe(true);
    expect(matches({ seenAt: null })).toBe(true);
  });

  it.each([
    '2024',
    '2024-03',
    '2024-02-30',
    '2024-13-01',
    '2024-03-01T00:00:00',
    '2024-03-01T25:00:00Z',
    '2024-03-01T00:00:60Z',
    '2024-03-01T00:00:00+24:00',
    '9999-12-31T23:00:00-05:00',
    '0000-01-01T00:00:00+05:00',
    'now',
    '',
  ])('rejects %j', text => {
    expect(refused({ seenAt: { $gte: text } })).toEqual({
      path: 'filter.seenAt.$gte',
      message: `$gte of column "seenAt" takes an ISO 8601 date-time with an offset, or a date, not "${text}".`,
    });
  });
});

describe('$in and $nin', () => {
  it.each([
    [['a', 'b'], 'name', 'b', true],
    [['a', 'b'], 'name', 'c', false],
    [['a'], 'name', null, false],
    [['a', null], 'name', null, true],
    [[], 'name', 'a', false],
    [[], 'name', null, false],
    [[{ a: 1, b: 2 }, { c: [] }], 'address', { b: 2, a: 1 }, true],
    [[{ a: 1 }, null], 'address', {}, false],
    [[[1], [2]], 'tags', [2], true],
  ])('searches %j for %s %j: %s', (operand, name, value, isIn) => {
    expect(matches({ [name]: { $in: operand } }, { [name]: value })).toBe(isIn);
    expect(matches({ [name]: { $nin: operand } }, { [name]: value })).toBe(!isIn);
  });

  it('distinguishes types along a path', () => {
    expect(matches({ 'address.no': { $in: ['1', '[1]', true] } }, { address: { no: 1 } })).toBe(false);
    expect(matches({ 'address.no': { $in: ['1', '[1]'] } }, { address: { no: [1] } })).toBe(false);
    expect(matches({ 'address.no': { $in: [1] } }, { address: { no: 1 } })).toBe(true);
  });

  it.each([
    [{ age: { $in: 5 } }, 'filter.age.$in', '$in takes an array of at most 1000 values.'],
    [{ age: { $nin: { a: 1 } } }, 'filter.age.$nin', '$nin takes an array of at most 1000 values.'],
    [
      { age: { $nin: [1, 'x'] } },
      'filter.age.$nin.1',
      '$nin of column "age" takes a value of type number, not string.',
    ],
  ])('rejects %j', (filter, path, message) => {
    expect(refused(filter)).toEqual({ path, message });
  });

  it('accepts at most 1,000 values', () => {
    const ages = (length: number) => ({ age: { $in: Array.from({ length }, (_, i) => i) } });

    expect(matches(ages(1_000), { age: 999 })).toBe(true);
    expect(refused(ages(1_001)).message).toBe('$in takes an array of at most 1000 values.');
  });
});

describe('$exists', () => {
  it('matches values that are not null', () => {
    expect(matches({ age: { $exists: true } }, { age: 0 })).toBe(true);
    expect(matches({ age: { $exists: true } })).toBe(false);
    expect(matches({ age: { $exists: false } }, { age: null })).toBe(true);
    expect(matches({ 'address.a.b': { $exists: true } }, { address: { a: { b: false } } })).toBe(true);
    expect(matches({ 'address.a.b': { $exists: true } }, { address: { a: 'b' } })).toBe(false);
  });

  it('rejects everything except true and false', () => {
    const message = '$exists takes true or false, not number.';

    expect(refused({ age: { $exists: 1 } })).toEqual({ path: 'filter.age.$exists', message });
  });
});

describe('$regex', () => {
  it.each([
    ['b', undefined, 'abc', true],
    ['B', undefined, 'abc', false],
    ['B', 'i', 'abc', true],
    ['B', 'ic', 'abc', false],
    ['B', 'ci', 'abc', true],
    ['B', '', 'abc', false],
    ['^b', undefined, 'abc', false],
    ['^a.c$', undefined, 'abc', true],
    ['^a.c$', 'c', 'aBc', true],
    ['', undefined, '', true],
    ['^.$', undefined, '\u{1f600}', true],
    ['\ud83d', undefined, '\u{1f600}', false],
    ['straße|ÜBER', 'i', 'über', true],
    ['\\d{3}', undefined, 'x123', true],
  ])('searches for %j (%s) in %j: %s', ($regex, $options, name, isFound) => {
    const operators = $options === undefined ? { $regex } : { $options, $regex };

    expect(matches({ name: operators }, { name })).toBe(isFound);
    expect(matches({ name: { $not: operators } }, { name })).toBe(!isFound);
  });

  it('matches strings only', () => {
    expect(matches({ name: { $regex: '' } })).toBe(false);
    expect(matches({ 'address.no': { $regex: '1' } }, { address: { no: 1 } })).toBe(false);
    expect(matches({ 'address.no': { $regex: '1.' } }, { address: { no: '12' } })).toBe(true);
  });

  it('takes time linear in the text', () => {
    const name = `${'a'.repeat(50_000)}!`;

    expect(matches({ name: { $regex: '(a+)+$' } }, { name })).toBe(false);
    expect(matches({ name: { $regex: '^(a|aa)*(a|aa)*$', $options: 'i' } }, { name })).toBe(false);
    expect(matches({ name: { $regex: '(.*)*(.*)*!x' } }, { name })).toBe(false);
  });

  it.each([
    [{ $regex: 5 }, 'filter.name.$regex', '$regex must be a string of at most 1000 characters.'],
    [
      { $regex: 'a', $options: 'x' },
      'filter.name.$options',
      '$options must consist of "i" (ignore case) and "c" (respect case).',
    ],
    [
      { $regex: 'a', $options: null },
      'filter.name.$options',
      '$options must consist of "i" (ignore case) and "c" (respect case).',
    ],
    [{ $options: 'i' }, 'filter.name.$options', '$options requires a $regex.'],
    [
      { $regex: '(a)\\1' },
      'filter.name.$regex',
      '$regex is not accepted: error parsing regexp: invalid escape sequence: `\\1`.',
    ],
    [
      { $regex: 'a(?=b)' },
      'filter.name.$regex',
      '$regex is not accepted: error parsing regexp: invalid or unsupported Perl syntax: `(?=`.',
    ],
    [{ $regex: '[' }, 'filter.name.$regex', '$regex is not accepted: error parsing regexp: missing closing ]: `[`.'],
  ])('rejects %j', (operators, path, message) => {
    expect(refused({ name: operators })).toEqual({ path, message });
  });

  it('rejects a pattern that is too long or too complex', () => {
    expect(matches({ name: { $regex: 'a'.repeat(1_000) } }, { name: 'a'.repeat(1_000) })).toBe(true);
    expect(refused({ name: { $regex: 'a'.repeat(1_001) } }).message).toBe(
      '$regex must be a string of at most 1000 characters.',
    );
    expect(refused({ name: { $regex: '\\pL{300}'.repeat(100) } }).message).toBe(
      '$regex is not accepted: it is too large; use smaller repetition counts.',
    );
  });

  it('rejects a column of another type', () => {
    expect(refused({ age: { $regex: '5' } })).toEqual({
      path: 'filter.age.$regex',
      message: '$regex takes a column of type string; column "age" is of type number.',
    });
  });
});

describe('$mod', () => {
  it.each([
    [[4, 1], 5, true],
    [[4, 1], 6, false],
    [[4, -1], -5, true],
    [[4, 3], -5, false],
    [[-4, 1], 5, true],
    [[4, 0], -8, true],
    [[1, 0], 2.5, false],
    [[4, 0], null, false],
  ])('divides by %j: %j %s', ($mod, age, isMatch) => {
    expect(matches({ age: { $mod } }, { age })).toBe(isMatch);
    expect(matches({ age: { $not: { $mod } } }, { age })).toBe(!isMatch);
  });

  it.each([[[0, 1]], [[4]], [[4, 1, 1]], [[1.5, 0]], [['4', 1]], [4]])('rejects %j', $mod => {
    const message = '$mod takes [divisor, remainder]: two integers, with a divisor other than 0.';

    expect(refused({ age: { $mod } })).toEqual({ path: 'filter.age.$mod', message });
  });

  it('rejects a column of another type', () => {
    const message = '$mod takes a column of type number; column "name" is of type string.';

    expect(refused({ name: { $mod: [2, 0] } })).toEqual({ path: 'filter.name.$mod', message });
  });
});

describe('$size', () => {
  it('compares the length of an array', () => {
    expect(matches({ tags: { $size: 2 } }, { tags: [null, {}] })).toBe(true);
    expect(matches({ tags: { $size: 0 } }, { tags: [] })).toBe(true);
    expect(matches({ tags: { $size: 0 } })).toBe(false);
    expect(matches({ 'address.name': { $size: 2 } }, { address: { name: 'ab' } })).toBe(false);
  });

  it.each([[-1], [1.5], ['1'], [null]])('rejects %j', $size => {
    const message = '$size takes a non-negative integer.';

    expect(refused({ tags: { $size } })).toEqual({ path: 'filter.tags.$size', message });
  });

  it('rejects a column of another type', () => {
    const message = '$size takes a column of type array; column "name" is of type string.';

    expect(refused({ name: { $size: 1 } })).toEqual({ path: 'filter.name.$size', message });
  });
});

describe('a dot path', () => {
  it('resolves into objects, and into arrays by index', () => {
    const values = { address: { city: 'Bern', flats: [{ no: 1 }, { no: 2 }], '0': 'x' }, tags: ['a', ['b']] };

    expect(matches({ 'address.city': 'Bern', 'address.flats.1.no': { $gt: 1 } }, values)).toBe(true);
    expect(matches({ 'tags.0': 'a', 'tags.1.0': { $in: ['b'] }, 'address.0': 'x' }, values)).toBe(true);
    expect(matches({ 'address.flats.no': null, 'tags.2': null, 'tags.00': null, 'tags.-1': null }, values)).toBe(true);
    expect(matches({ 'address.city.0': null }, values)).toBe(true);
  });

  it('resolves to values of any type', () => {
    expect(matches({ 'address.a': { $ne: 5 } }, { address: { a: '5' } })).toBe(true);
    expect(matches({ 'address.a': [1] }, { address: { a: [1] } })).toBe(true);
    expect(matches({ 'address.a': { b: 1 } }, { address: { a: { b: 1 } } })).toBe(true);
    expect(matches({ 'address.a': { $mod: [2, 1] } }, { address: { a: 3 } })).toBe(true);
  });
});

describe('conditions that a filter implies', () => {
  const implied = (filter: unknown) => {
    const { equalities, ids, idList } = parseFilter(filter, columns);
    return { equalities: Object.fromEntries(equalities), ids, idList };
  };
  const nothing = { equalities: {}, ids: undefined, idList: undefined };

  it('includes the required values of columns', () => {
    const filter = {
      name: 'a',
      $and: [{ age: { $in: [5, 5] } }, { seenAt: { $eq: '2024-01-01' } }, { $and: [{ isNew: null }, { name: 'b' }] }],
    };

    expect(implied(filter)).toEqual({
      ...nothing,
      equalities: { name: 'a', age: 5, seenAt: '2024-01-01T00:00:00.000Z', isNew: null },
    });
  });

  it('excludes values that only some rows must have', () => {
    expect(implied({ $or: [{ name: 'a' }, { id: 1 }] })).toEqual(nothing);
    expect(implied({ $not: { name: 'a', $and: [{ id: 1 }] } })).toEqual(nothing);
    expect(implied({ name: { $not: { $eq: 'a' } }, id: { $not: { $gt: 1 } } })).toEqual(nothing);
    expect(implied({ name: { $in: ['a', 'b'] }, age: { $gt: 1 }, 'address.city': 'a', id: { $ne: 5 } })).toEqual(
      nothing,
    );
  });

  it.each([
    [{ id: { $gt: 5 } }, { from: 6, to: 2147483647 }],
    [{ id: { $gte: 5.5, $lt: 9 } }, { from: 6, to: 8 }],
    [{ id: { $gt: 5.5, $lte: 9.5 } }, { from: 6, to: 9 }],
    [
      { id: { $lt: 9.5 }, $and: [{ id: { $lte: 20 } }, { id: { $gt: 2 } }] },
      { from: 3, to: 9 },
    ],
  ])('includes a range of ids: %j', (filter, ids) => {
    expect(implied(filter)).toEqual({ ...nothing, ids });
  });

  it('includes a list of ids', () => {
    const idList = [3, 5];

    expect(implied({ id: 7 })).toEqual({ equalities: { id: 7 }, ids: { from: 7, to: 7 }, idList: [7] });
    expect(implied({ id: { $in: [5, 3, 5, null, 1.5, -1] } })).toEqual({ ...nothing, ids: { from: 3, to: 5 }, idList });
    expect(implied({ id: { $in: [5, 3, 9], $lt: 9 }, $and: [{ id: { $in: [3, 5, 6] } }] })).toMatchObject({ idList });
  });

  it('includes the fact that no row matches', () => {
    const { ids, idList } = implied({ id: { $in: [] } });

    expect(idList).toEqual([]);
    expect(ids!.from).toBeGreaterThan(ids!.to);
    expect(implied({ id: { $in: [null] } }).idList).toEqual([]);
    expect(implied({ id: 5, $and: [{ id: { $gt: 5 } }] }).idList).toEqual([]);
  });
});
