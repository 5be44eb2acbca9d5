import { describe, expect, it } from 'vitest';
import { newWorkspace, usePlatform } from '#test/support/platform.ts';

usePlatform();

describe('PUT /v1/admin/account/me', () => {
  it('changes what is given', async () => {
    const { owner } = await newWorkspace();

    const { account } = await owner.client.updateAccount({ displayName: 'Zoë 🦊', profilePicture: 'zoe.png' });

    expect(account).toMatchObject({ id: owner.accountId, displayName: 'Zoë 🦊', profilePicture: 'zoe.png' });
    expect((await owner.client.getAccount({})).account).toEqual(account);
  });

  it('keeps the rest, and removes a field that is given as an empty text', async () => {
    const { owner } = await newWorkspace();
    await owner.client.updateAccount({ displayName: 'Ann', profilePicture: 'p' });

    const { account } = await owner.client.updateAccount({ displayName: '' });

    expect(account).not.toHaveProperty('displayName');
    expect(account.profilePicture).toBe('p');
  });

  it('is seen on the next call, also by who has just looked', async () => {
    const { owner } = await newWorkspace();
    await owner.client.getAccount({});

    await owner.client.updateAccount({ displayName: 'Ann' });
    const { account } = await owner.client.getAccount({});

    expect(account.displayName).toBe('Ann');
  });

  it('shows among the members of the workspace', async () => {
    const { owner } = await newWorkspace();

    await owner.client.updateAccount({ displayName: 'Ann' });
    const { members } = await owner.client.listWorkspaceMembers({});

    expect(members).toMatchObject([{ userId: owner.accountId, displayName: 'Ann' }]);
  });

  it.each([
    ['a long name', { displayName: 'n'.repeat(201) }, 'displayName'],
    ['a name that is no text', { displayName: 7 }, 'displayName'],
    ['half a character', { displayName: '\ud83e' }, 'displayName'],
    ['a big picture', { profilePicture: 'p'.repeat(20_001) }, 'profilePicture'],
  ])('with %s is a 400 that names the fault and changes nothing', async (_, body, path) => {
    const workspace = await newWorkspace();
    const { account: before } = await workspace.owner.client.getAccount({});

    const answer = await workspace.call('PUT', '/account/me', { body });

    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ type: 'InvalidPayload', metadata: { issues: [{ path }] } });
    expect((await workspace.owner.client.getAccount({})).account).toEqual(before);
  });
});
