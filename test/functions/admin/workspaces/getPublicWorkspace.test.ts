import { describe, expect, it } from 'vitest';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('GET /v1/admin/workspaces/{id}/public', () => {
  it('returns only the profile of a public workspace to non-members', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace('Theirs')];
    await theirs.owner.client.updateWorkspace({
      id: theirs.id,
      isPublic: true,
      about: 'Us',
      website: 'https://a.example',
    });

    const found = await mine.owner.client.getPublicWorkspace({ id: theirs.id });

    expect(found).toEqual({
      id: theirs.id,
      name: 'Theirs',
      about: 'Us',
      website: 'https://a.example',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
  });

  it('returns 404 for a workspace that is not public, no longer public, being deleted or unknown', async () => {
    const [mine, closed, deleted] = [await newWorkspace(), await newWorkspace(), await newWorkspace()];
    for (const { id, owner } of [closed, deleted]) await owner.client.updateWorkspace({ id, isPublic: true });
    await closed.owner.client.updateWorkspace({ id: closed.id, isPublic: false });
    await deleted.owner.client.deleteWorkspace({ id: deleted.id });

    const answers = await Promise.all(
      [mine.id, closed.id, deleted.id, 'wkspace_nobody'].map(id => mine.call('GET', `/workspaces/${id}/public`)),
    );

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
  });
});
