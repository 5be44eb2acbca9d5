import { describe, expect, it } from 'vitest';
import { labelsOf } from '#test/support/labels.ts';
import { newBot, newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('GET /v1/chat/inbox/labels', () => {
  it('lists the labels of the workspace in the order of their creation, to every role of the inbox', async () => {
    const workspace = await newWorkspace();
    const labels = labelsOf(workspace);
    const [zoo, art] = [await labels.created('Zoo', 'red'), await labels.created('Art', 'gray')];

    for (const role of ['viewer', 'agent', 'developer'] as const) {
      const { token } = await workspace.join(role);
      expect((await labelsOf(workspace, token).list()).body).toEqual({ labels: [zoo, art] });
    }
  });

  it('returns an empty list before the first label, and 403 to the role billing', async () => {
    const workspace = await newWorkspace();
    const { token } = await workspace.join('billing');

    expect((await labelsOf(workspace).list()).body).toEqual({ labels: [] });
    expect((await labelsOf(workspace, token).list()).status).toBe(403);
  });

  it('returns no labels of another workspace, and 403 to strangers', async () => {
    const [workspace, other] = [await newWorkspace(), await newBot()];
    await labelsOf(workspace).created('Secret');

    expect((await labelsOf(other.workspace).list()).body).toEqual({ labels: [] });
    expect((await labelsOf(workspace, other.workspace.owner.token).list()).status).toBe(403);
    expect((await labelsOf(workspace, other.tokens.bot).list()).status).toBe(403);
  });
});
