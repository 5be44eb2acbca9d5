/** Issues of the API at the fields of a form. */
import { expect, it } from 'vitest';
import { fieldsOf } from '#console/src/parts/schemaForm/formFields.ts';
import { serverFaultsOf } from '#console/src/parts/schemaForm/serverFaults.ts';

const PREFIX = 'integrations.chat.configuration';
const fields = fieldsOf({
  properties: {
    origins: { type: 'array', items: { type: 'string' } },
    inner: { type: 'object', properties: { key: { type: 'string' } } },
    map: { type: 'object', additionalProperties: true },
  },
});
const errorOf = (...issues: [path: string, message: string][]) =>
  Object.assign(new Error('invalid'), { metadata: { issues: issues.map(([path, message]) => ({ path, message })) } });

it('shows an issue at its field, with the line or path inside', () => {
  const error = errorOf(
    [`${PREFIX}.origins.1`, 'Must be an origin'],
    [`${PREFIX}.inner.key`, `${PREFIX}.inner.key: The value is missing.`],
    [`${PREFIX}.map.a.b`, 'is wrong'],
  );

  expect(serverFaultsOf(error, fields, PREFIX)).toEqual({
    byField: {
      '["origins"]': '2: Must be an origin',
      '["inner","key"]': 'The value is missing.',
      '["map"]': 'a.b: is wrong',
    },
    others: [],
  });
});

it('shows issues without a field above the form', () => {
  const error = errorOf(
    [PREFIX, `${PREFIX}: The value has too many properties.`],
    [`${PREFIX}.extra`, 'is not allowed'],
  );

  expect(serverFaultsOf(error, fields, PREFIX)).toEqual({
    byField: {},
    others: ['The value has too many properties.', 'extra: is not allowed'],
  });
});

it('returns undefined for errors without issues in the form', () => {
  expect(serverFaultsOf(new Error('No network'), fields, PREFIX)).toBeUndefined();
  expect(serverFaultsOf(errorOf(['integrations.chat', 'is wrong']), fields, PREFIX)).toBeUndefined();
  expect(serverFaultsOf(errorOf([`${PREFIX}s`, 'is wrong']), fields, PREFIX)).toBeUndefined();
});
