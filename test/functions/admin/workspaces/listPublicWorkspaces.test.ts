import { describe, expect, it } from 'vitest';
import { newName } from '#test/support/packages.ts';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('GET /v1/admin/workspaces/public', () => {
  it("pages through other owners' public workspaces, oldest first, and searches their text", async () => {
    const search = newName();
    const [mine, one, two, hidden] = [
      await newWorkspace(`Mine ${search}`),
      await newWorkspace(`One ${search}`),
      await newWorkspace(`Two ${search.toUpperCase()}`),
      await newWorkspace(`Hidden ${search}`),
    ];
    for (const { id, owner } of [one, two, hidden]) await owner.client.updateWorkspace({ id, isPublic: true });
    await hidden.owner.client.updateWorkspace({ id: hidden.id, isPublic: false });

    const first = await mine.owner.client.listPublicWorkspaces({ search, pageSize: 1 });
    const second = await mine.owner.client.listPublicWorkspaces({
      search,
      pageSize: 1,
      nextToken: first.meta.nextToken,
    });

    expect([...first.workspaces, ...second.workspaces].map(({ id }) => id)).toEqual([one.id, two.id]);
    expect(second.meta).toEqual({});
  });

  it('returns only the public workspaces among the given ids', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    await theirs.owner.client.updateWorkspace({ id: theirs.id, isPublic: true });

    const { workspaces } = await mine.owner.client.listPublicWorkspaces({
      workspaceIds: [mine.id, theirs.id, theirs.id, 'wkspace_nobody'],
    });

    expect(workspaces.map(({ id }) => id)).toEqual([theirs.id]);
  });
});
