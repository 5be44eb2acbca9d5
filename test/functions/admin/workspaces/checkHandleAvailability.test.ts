import { describe, expect, it } from 'vitest';
import { newName } from '#test/support/packages.ts';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('PUT /v1/admin/workspaces/handle-availability', () => {
  it('reports a free handle', async () => {
    const { owner } = await newWorkspace();

    const answer = await owner.client.checkHandleAvailability({ handle: newName() });

    expect(answer).toEqual({ available: true, suggestions: [] });
  });

  it('suggests alternatives for a taken handle, and returns its workspace to members only', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const handle = newName();
    await theirs.owner.client.updateWorkspace({ id: theirs.id, handle });

    const own = await theirs.owner.client.checkHandleAvailability({ handle });
    const foreign = await mine.owner.client.checkHandleAvailability({ handle });
    await mine.owner.client.updateWorkspace({ id: mine.id, handle: foreign.suggestions[0]! });
    const after = await mine.owner.client.checkHandleAvailability({ handle });

    expect(own).toMatchObject({ available: false, usedBy: theirs.id });
    expect(foreign).toEqual({ available: false, suggestions: own.suggestions });
    expect(foreign.suggestions).toHaveLength(3);
    expect(after.suggestions).not.toContain(foreign.suggestions[0]);
  });

  it.each(['', 'ab', 'Acme', 'a b', '-acme', 'a'.repeat(51)])('rejects %j with a 400', async handle => {
    const { call } = await newWorkspace();

    const answer = await call('PUT', '/workspaces/handle-availability', { body: { handle } });

    expect(answer).toMatchObject({
      status: 400,
      body: { type: 'InvalidPayload', metadata: { issues: [{ path: 'handle' }] } },
    });
  });
});
