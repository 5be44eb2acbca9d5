import { describe, expect, it } from 'vitest';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('GET /v1/admin/account/preferences/{key}', () => {
  it("returns the caller's own preference, not another account's", async () => {
    const workspace = await newWorkspace();
    const other = await workspace.join('owner');
    await workspace.owner.client.setAccountPreference({ key: 'theme', value: 'dark' });
    await other.client.setAccountPreference({ key: 'lang', value: 'fr' });

    const answers = [
      await workspace.owner.client.getAccountPreference({ key: 'theme' }),
      await other.client.getAccountPreference({ key: 'theme' }),
      await other.client.getAccountPreference({ key: 'lang' }),
    ];

    expect(answers).toEqual([{ value: 'dark' }, {}, { value: 'fr' }]);
  });

  it('returns no value for an unset key', async () => {
    const { call } = await newWorkspace();

    const { status, body } = await call('GET', '/account/preferences/nothing');

    expect([status, body]).toEqual([200, {}]);
  });

  it('returns 400 for a key that is too long', async () => {
    const { call } = await newWorkspace();

    const longest = await call('GET', `/account/preferences/${'k'.repeat(200)}`);
    const tooLong = await call('GET', `/account/preferences/${'k'.repeat(201)}`);

    expect(longest.status).toBe(200);
    expect(tooLong.status).toBe(400);
    expect(tooLong.body).toMatchObject({ type: 'InvalidPayload', metadata: { issues: [{ path: 'key' }] } });
  });
});
