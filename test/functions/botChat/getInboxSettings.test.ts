import { describe, expect, it } from 'vitest';
import { inboxOf } from '#test/support/agents.ts';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('GET /v1/chat/inbox/settings', () => {
  it('returns manual assignment by default, to agents as well', async () => {
    const workspace = await newWorkspace();
    const { token } = await workspace.join('agent');

    const { body } = await inboxOf(workspace, token).settings();

    expect(body.settings).toEqual({ assignment: 'manual', maxOpenPerAgent: 5, releaseAfterMinutes: null });
  });

  it("returns the workspace's own settings", async () => {
    const [workspace, other] = [await newWorkspace(), await newWorkspace()];
    await inboxOf(workspace).setSettings({ assignment: 'automatic', maxOpenPerAgent: 2, releaseAfterMinutes: 15 });

    const settingsOf = async (each: typeof workspace) => (await inboxOf(each).settings()).body.settings;

    expect(await settingsOf(workspace)).toEqual({
      assignment: 'automatic',
      maxOpenPerAgent: 2,
      releaseAfterMinutes: 15,
    });
    expect(await settingsOf(other)).toMatchObject({ assignment: 'manual' });
  });
});
