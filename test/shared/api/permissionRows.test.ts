/** Tests that a decision was made for every row of the permissions. */
import { expect, it } from 'vitest';
import { PERMISSIONS } from '#shared/api/permissions.ts';

const rows = Object.entries(PERMISSIONS).flatMap(([group, rules]) =>
  Object.entries(rules).map(([name, rule]) => [`${group}.${name}`, rule] as const),
);

it.each(rows)('permits at least one role to call %s', (_, rule) => {
  expect(Object.keys(rule).length).toBeGreaterThan(0);
});
