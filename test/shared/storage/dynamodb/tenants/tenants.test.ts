import { expect, it } from 'vitest';
import { accountKey } from '#shared/storage/dynamodb/keys/workspace.ts';
import { accountInWorkspace } from '#shared/storage/dynamodb/tenants/tenants.ts';

const ACCOUNT = {
  ...accountKey('5f0c9a52-9a7e-4d2c-8f0d-2d1d3c1f7a11'),
  id: '5f0c9a52-9a7e-4d2c-8f0d-2d1d3c1f7a11',
  email: 'ada@example.com',
  displayName: 'Ada',
  createdAtMs: 1,
};
const OWN = { wkspace_own: { role: 'owner', memberId: 'member_1' } };

it('exports an account without its memberships in other workspaces', () => {
  const memberships = { ...OWN, wkspace_other: { role: 'viewer', memberId: 'member_2' } };

  const exported = accountInWorkspace('wkspace_own', { ...ACCOUNT, memberships });

  expect(exported).toEqual({ ...ACCOUNT, memberships: OWN });
});

it('exports no attribute of an account that is not listed', () => {
  const item = { ...ACCOUNT, memberships: OWN, ofALaterRelease: 'private' };

  const exported = accountInWorkspace('wkspace_own', item);

  expect(exported).toEqual({ ...ACCOUNT, memberships: OWN });
});
