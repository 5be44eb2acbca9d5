import { describe, expect, it } from 'vitest';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('PUT /v1/admin/account/me', () => {
  it('changes the given fields', async () => {
    const { owner } = await newWorkspace();

    const { account } = await owner.client.updateAccount({ displayName: 'Zoë 🦊', profilePicture: 'zoe.png' });

    expect(account).toMatchObject({ id: owner.accountId, displayName: 'Zoë 🦊', profilePicture: 'zoe.png' });
    expect((await owner.client.getAccount({})).account).toEqual(account);
  });

  it('keeps the other fields, and removes a field set to an empty string', async () => {
    const { owner } = await newWorkspace();
    await owner.client.updateAccount({ displayName: 'Ann', profilePicture: 'p' });

    const { account } = await owner.client.updateAccount({ displayName: '' });

    expect(account).not.toHaveProperty('displayName');
    expect(account.profilePicture).toBe('p');
  });

  it('takes effect on the next call', async () => {
    const { owner } = await newWorkspace();
    await owner.client.getAccount({});

    await owner.client.updateAccount({ displayName: 'Ann' });
    const { account } = await owner.client.getAccount({});

    expect(account.displayName).toBe('Ann');
  });

  it('appears in the list of members', async () => {
    const { owner } = await newWorkspace();

    await owner.client.updateAccount({ displayName: 'Ann' });
    const { members } = await owner.client.listWorkspaceMembers({});

    expect(members).toMatchObject([{ userId: owner.accountId, displayName: 'Ann' }]);
  });

  it.each([
    ['a long name', { displayName: 'n'.repeat(201) }, 'displayName'],
    ['a name that is not a string', { displayName: 7 }, 'displayName'],
    ['a lone surrogate', { displayName: '\ud83e' }, 'displayName'],
    ['a big picture', { profilePicture: 'p'.repeat(20_001) }, 'profilePicture'],
  ])('rejects %s with a 400 that names the field, and changes nothing', async (_, body, path) => {
    const workspace = await newWorkspace();
    const { account: before } = await workspace.owner.client.getAccount({});

    const answer = await workspace.call('PUT', '/account/me', { body });

    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ type: 'InvalidPayload', metadata: { issues: [{ path }] } });
    expect((await workspace.owner.client.getAccount({})).account).toEqual(before);
  });
});
