/** Values of forms. */
import { expect, it } from 'vitest';
import { fieldsOf } from '#console/src/parts/schemaForm/formFields.ts';
import { type Entries, entriesOf, readEntries } from '#console/src/parts/schemaForm/formValues.ts';

const NEW = { isStored: false };
const STORED = { isStored: true };
const secret = { type: 'string', 'x-zui': { secret: true } };

/** Reads a form after edits by path. */
function readAfter(schema: object, stored: object, edits: Record<string, Entries[string]>, options = STORED) {
  const fields = fieldsOf(schema);
  const byPath = Object.entries(edits).map(([path, entry]) => [JSON.stringify(path.split('.')), entry]);
  const entries = { ...entriesOf(fields, stored, options), ...Object.fromEntries(byPath) };
  return readEntries(fields, entries, stored, options);
}

it('returns the stored value if nothing was edited', () => {
  const schema = {
    properties: {
      text: { type: 'string' },
      count: { type: 'integer' },
      isOn: { type: 'boolean' },
      list: { type: 'array', items: { type: 'string' } },
      map: { type: 'object', additionalProperties: true },
      inner: { type: 'object', properties: { level: { enum: [1, 2] } } },
      note: { type: ['string', 'null'] },
    },
    required: ['note'],
  };
  const stored = {
    text: 'a',
    count: 0,
    isOn: false,
    list: ['x', 'y'],
    map: { a: [1] },
    inner: { level: 2, unlisted: 'kept' },
    note: null,
    unknown: { kept: true },
  };

  expect(readAfter(schema, stored, {})).toEqual({ value: stored, faults: {} });
});

it('applies defaults to a new value, but not to a stored one', () => {
  const schema = { properties: { count: { type: 'number', default: 3 }, kind: { const: 'a' } }, required: ['kind'] };

  expect(readAfter(schema, {}, {}, NEW).value).toEqual({ count: 3, kind: 'a' });
  expect(readAfter(schema, {}, {}).value).toEqual({ kind: 'a' });
});

it('shows the default of a switch that was never stored', () => {
  const schema = { properties: { isOn: { type: 'boolean', default: true }, isOff: { type: 'boolean' } } };

  expect(readAfter(schema, {}, {}).value).toEqual({ isOn: true });
});

it('omits secrets that were not replaced, and removes one on request', () => {
  const schema = { properties: { token: secret, other: secret }, required: ['token'] };

  expect(readAfter(schema, {}, {})).toEqual({ value: {}, faults: {} });
  expect(readAfter(schema, {}, { token: 'new', other: null }).value).toEqual({ token: 'new', other: null });
  expect(readAfter(schema, {}, {}, NEW).faults).toEqual({ '["token"]': 'required' });
});

it('drops cleared fields and blank lines', () => {
  const schema = {
    properties: {
      text: { type: 'string' },
      isOn: { type: 'boolean' },
      origins: { type: 'array', items: { type: 'string' } },
    },
  };
  const stored = { text: 'a', isOn: true, origins: ['https://a.example'] };

  expect(readAfter(schema, stored, { text: ' ', isOn: '', origins: ['', ' https://b.example '] }).value).toEqual({
    origins: ['https://b.example'],
  });
  expect(readAfter(schema, stored, { origins: [] }).value).toEqual({ text: 'a', isOn: true });
});

it('omits an optional group that was never filled, and requires its fields otherwise', () => {
  const account = { type: 'object', properties: { id: { type: 'string' }, isLive: { type: 'boolean' } } };
  const schema = { properties: { account: { ...account, required: ['id', 'isLive'] } } };

  expect(readAfter(schema, {}, {}, NEW)).toEqual({ value: {}, faults: {} });
  expect(readAfter(schema, {}, { 'account.isLive': true }, NEW).faults).toEqual({ '["account","id"]': 'required' });
});

it.each([
  [{ type: 'number' }, 'three', 'number'],
  [{ type: 'integer' }, '1.5', 'integer'],
  [{ type: 'integer', minimum: 1 }, '0', 'range'],
  [{ type: 'string', maxLength: 2 }, 'abc', 'length'],
  [{ type: 'array', items: { type: 'string' }, maxItems: 1 }, ['a', 'b'], 'items'],
  [{ type: 'object' }, '{', 'json'],
])('reports the fault of %j in %j', (schema, entry, fault) => {
  expect(readAfter({ properties: { field: schema } }, {}, { field: entry }).faults).toEqual({ '["field"]': fault });
});

it('edits a value without a schema as JSON, and requires an object', () => {
  const fields = fieldsOf({});
  const read = (text: string) => readEntries(fields, { '[]': text }, {}, NEW);

  expect(entriesOf(fields, { a: 1 }, STORED)).toEqual({ '[]': '{\n  "a": 1\n}' });
  expect(read('{"a":2}')).toEqual({ value: { a: 2 }, faults: {} });
  expect(read('')).toEqual({ value: {}, faults: {} });
  expect(read('[1]').faults).toEqual({ '[]': 'json' });
});

it.each([
  ['count', '9007199254740993', { count: 'digits' }],
  ['count', '12345678901234567890', { count: 'digits' }],
  ['count', '1e3', {}],
  ['map', '{"a": [1e400]}', { map: 'digits' }],
  ['map', '{"a": "9007199254740993", "\\"1e400": 0.1}', {}],
])('rejects numbers that JavaScript would change: %s %s', (path, entry, faults) => {
  const schema = { properties: { count: { type: 'number' }, map: { type: 'object', additionalProperties: true } } };
  const byPath = Object.entries(faults).map(([name, fault]) => [JSON.stringify([name]), fault]);

  expect(readAfter(schema, {}, { [path]: entry }).faults).toEqual(Object.fromEntries(byPath));
});
