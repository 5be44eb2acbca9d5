import { describe, expect, it } from 'vitest';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const handleOf = (id: string) => id.slice('wkspace_'.length).toLowerCase();

describe('PUT /v1/admin/workspaces/{id}', () => {
  it('changes the given fields and keeps the others', async () => {
    const { id, owner } = await newWorkspace('Acme');
    const fields = {
      about: 'We make things.',
      contactEmail: 'hi@example.com',
      website: 'https://example.com',
      socialAccounts: ['https://social.example.com/acme'],
      isPublic: true,
      spendingLimit: 12.5,
    };

    await owner.client.updateWorkspace({ id, ...fields });
    const workspace = await owner.client.updateWorkspace({ id, name: 'Acme 2' });

    expect(workspace).toMatchObject({ id, name: 'Acme 2', ...fields });
    expect(workspace.updatedAt > workspace.createdAt).toBe(true);
    expect(await owner.client.getWorkspace({ id })).toEqual(workspace);
  });

  it('rejects a taken handle until its workspace changes to another', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const handle = handleOf(mine.id);
    await mine.owner.client.updateWorkspace({ id: mine.id, handle });

    const taken = theirs.owner.client.updateWorkspace({ id: theirs.id, handle });
    await expect(taken).rejects.toMatchObject({ code: 409, type: 'AlreadyExists' });
    await mine.owner.client.updateWorkspace({ id: mine.id, handle: `${handle}-2` });
    const free = await theirs.owner.client.updateWorkspace({ id: theirs.id, handle });

    expect(free.handle).toBe(handle);
    expect((await mine.owner.client.getWorkspace({ id: mine.id })).handle).toBe(`${handle}-2`);
  });

  it('gives a handle to exactly one of several concurrent workspaces', async () => {
    const { owner } = await newWorkspace();
    const workspaces = await Promise.all([1, 2, 3, 4].map(n => owner.client.createWorkspace({ name: `W${n}` })));
    const handle = handleOf(workspaces[0]!.id);

    const results = await Promise.allSettled(workspaces.map(({ id }) => owner.client.updateWorkspace({ id, handle })));

    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const shown = await Promise.all(workspaces.map(({ id }) => owner.client.getWorkspace({ id })));
    expect(shown.filter(each => each.handle === handle)).toHaveLength(1);
  });

  it.each([
    ['an empty name', { name: '' }, 'name'],
    ['a handle in capitals', { handle: 'Acme' }, 'handle'],
    ['a short handle', { handle: 'ab' }, 'handle'],
    ['a long handle', { handle: 'a'.repeat(51) }, 'handle'],
    ['a handle that ends with a dash', { handle: 'acme-' }, 'handle'],
    ['an invalid contact email', { contactEmail: 'nobody' }, 'contactEmail'],
    ['a negative limit', { spendingLimit: -1 }, 'spendingLimit'],
    ['a long text', { about: 'a'.repeat(5_001) }, 'about'],
    ['too many accounts', { socialAccounts: Array(21).fill('a') }, 'socialAccounts'],
  ])('rejects %s with a 400 that names the field, and changes nothing', async (_, body, path) => {
    const { id, owner, call } = await newWorkspace();
    const before = await owner.client.getWorkspace({ id });

    const answer = await call('PUT', `/workspaces/${id}`, { body });

    expect(answer.body).toMatchObject({ code: 400, type: 'InvalidPayload', metadata: { issues: [{ path }] } });
    expect(await owner.client.getWorkspace({ id })).toEqual(before);
  });

  it('returns 403 to a manager and for another workspace, and 404 for an unknown one', async () => {
    const workspace = await newWorkspace('Acme');
    const manager = await workspace.join('manager');
    const other = await newWorkspace();
    const change = (token: string, id: string) =>
      workspace.call('PUT', `/workspaces/${id}`, { token, body: { name: 'Mine' } });

    const answers = await Promise.all([
      change(manager.token, workspace.id),
      change(workspace.owner.token, other.id),
      change(workspace.owner.token, 'wkspace_nobody'),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([403, 403, 404]);
    expect((await workspace.owner.client.getWorkspace({ id: workspace.id })).name).toBe('Acme');
    expect((await other.owner.client.getWorkspace({ id: other.id })).name).toBe('Acme');
  });
});
