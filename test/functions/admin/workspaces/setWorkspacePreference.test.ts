import { describe, expect, it } from 'vitest';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';
import { testSetPreference } from '#test/support/suites/preferences.ts';

useSharedPlatform();

describe('POST /v1/admin/workspaces/preferences/{key}', () => {
  testSetPreference({
    path: '/workspaces/preferences',
    set: (client, input) => client.setWorkspacePreference(input),
    get: (client, input) => client.getWorkspacePreference(input),
  });

  it('returns 403 to a viewer and stores nothing', async () => {
    const workspace = await newWorkspace();
    const viewer = await workspace.join('viewer');

    const setting = viewer.client.setWorkspacePreference({ key: 'k', value: 1 });

    await expect(setting).rejects.toMatchObject({ code: 403, type: 'Forbidden' });
    expect(await viewer.client.getWorkspacePreference({ key: 'k' })).toEqual({});
  });
});
