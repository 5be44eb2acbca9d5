import { describe, expect, it } from 'vitest';
import { changedFields, fieldErrorsOf, telLink, textsOf } from '#console/src/pages/inbox/contactFields.ts';

describe('changedFields', () => {
  const before = textsOf({ name: 'Ada', email: 'ada@example.com' });

  it('contains only what the form changed, without surrounding spaces', () => {
    expect(changedFields(before, { ...before, name: ' Ada ', phone: ' 1 ' })).toEqual({ phone: '1' });
  });

  it('removes an emptied field with null', () => {
    expect(changedFields(before, { ...before, email: '  ' })).toEqual({ email: null });
  });
});

describe('fieldErrorsOf', () => {
  it('assigns the messages of the API to fields', () => {
    const issues = [
      { path: 'email', message: 'email: Must be an email address' },
      { path: 'body.phone', message: 'Too long' },
    ];

    expect(fieldErrorsOf({ metadata: { issues } })).toEqual({ email: 'Must be an email address', phone: 'Too long' });
  });

  it.each([[undefined], [new Error('offline')], [{ metadata: { issues: [{ path: 'id', message: 'x' }] } }]])(
    'returns undefined for an error of no field: %o',
    error => {
      expect(fieldErrorsOf(error)).toBeUndefined();
    },
  );
});

it.each([
  ['+44 (20) 7946-0000', 'tel:+442079460000'],
  ['030 / 12 34', 'tel:0301234'],
  ['*100#', 'tel:*100#'],
  ['1+2', 'tel:12'],
])('links the number %s as %s', (phone, link) => {
  expect(telLink(phone)).toBe(link);
});
