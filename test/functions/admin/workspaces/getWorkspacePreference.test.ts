import { describe, expect, it } from 'vitest';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('GET /v1/admin/workspaces/preferences/{key}', () => {
  it('shows the preference to every member, but not to other workspaces or as an account preference', async () => {
    const workspace = await newWorkspace();
    const viewer = await workspace.join('viewer');
    const other = await newWorkspace();
    await workspace.owner.client.setWorkspacePreference({ key: 'theme', value: 'dark' });
    await viewer.client.setAccountPreference({ key: 'lang', value: 'fr' });

    const answers = [
      await viewer.client.getWorkspacePreference({ key: 'theme' }),
      await other.owner.client.getWorkspacePreference({ key: 'theme' }),
      await viewer.client.getWorkspacePreference({ key: 'lang' }),
    ];

    expect(answers).toEqual([{ value: 'dark' }, {}, {}]);
  });

  it('returns no value for an unset key', async () => {
    const { call } = await newWorkspace();

    const { status, body } = await call('GET', '/workspaces/preferences/nothing');

    expect([status, body]).toEqual([200, {}]);
  });

  it('returns 400 for a key that is too long', async () => {
    const { call } = await newWorkspace();

    const longest = await call('GET', `/workspaces/preferences/${'k'.repeat(200)}`);
    const tooLong = await call('GET', `/workspaces/preferences/${'k'.repeat(201)}`);

    expect(longest.status).toBe(200);
    expect(tooLong.status).toBe(400);
    expect(tooLong.body).toMatchObject({ type: 'InvalidPayload', metadata: { issues: [{ path: 'key' }] } });
  });
});
