import { expect, it } from 'vitest';
import { fieldsToAsk, userFieldsOf } from '#widget/visitorFields.ts';

const FIELDS = [
  { kind: 'name' },
  { kind: 'email', required: true },
  { kind: 'text', label: 'Order', attribute: 'orderNumber' },
] as const;

it('asks only for what the page has not set', () => {
  expect(fieldsToAsk(undefined, undefined)).toEqual([]);
  expect(fieldsToAsk(FIELDS, undefined)).toEqual(FIELDS);
  expect(fieldsToAsk(FIELDS, { name: 'Ada', attributes: { orderNumber: '7', email: null } })).toEqual([FIELDS[1]]);
});

it('makes the name and attributes of the user, without empty ones', () => {
  expect(userFieldsOf(FIELDS, [' Ada ', 'ada@example.com', ' '])).toEqual({
    name: 'Ada',
    attributes: { email: 'ada@example.com' },
  });
  expect(userFieldsOf(FIELDS, ['', '', '7'])).toEqual({ attributes: { orderNumber: '7' } });
  expect(userFieldsOf(FIELDS, [])).toEqual({});
});
