import { describe, expect, it } from 'vitest';
import { newWorkspace, type TestWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const invite = async ({ call }: TestWorkspace, role = 'developer', email = 'ann@example.com') =>
  (await call('POST', '/workspace-members', { body: { email, role } })).body;

describe('POST /v1/admin/invitations/join', () => {
  it('adds the existing account as a member', async () => {
    const workspace = await newWorkspace();
    const { owner: guest, id: home } = await newWorkspace();
    const { id: memberId, inviteToken } = await invite(workspace);

    const { status, body } = await workspace.call('POST', '/invitations/join', {
      token: guest.token,
      body: { inviteToken },
    });

    const client = workspace.clientOf(guest.token);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      workspaceId: workspace.id,
      member: { id: memberId, userId: guest.accountId, role: 'developer' },
    });
    expect((await client.createBot({})).bot.createdBy).toBe(guest.accountId);
    const { workspaces } = await client.listWorkspaces({});
    expect(workspaces.map(({ id }) => id).sort()).toEqual([home, workspace.id].sort());
  });

  it('returns 401 when repeated', async () => {
    const workspace = await newWorkspace();
    const { owner: guest } = await newWorkspace();
    const { inviteToken } = await invite(workspace);
    const options = { token: guest.token, body: { inviteToken } };
    await workspace.call('POST', '/invitations/join', options);

    const again = await workspace.call('POST', '/invitations/join', options);

    expect(again.body).toMatchObject({ code: 401, type: 'Unauthorized' });
    expect((await workspace.owner.client.listWorkspaceMembers({})).members).toHaveLength(2);
  });

  it('returns 409 to a member, and keeps the invitation valid for its addressee', async () => {
    const workspace = await newWorkspace();
    const { owner: guest } = await newWorkspace();
    const { inviteToken } = await invite(workspace, 'owner');

    const own = await workspace.call('POST', '/invitations/join', { body: { inviteToken } });
    const other = await workspace.call('POST', '/invitations/join', { token: guest.token, body: { inviteToken } });

    expect(own.body).toMatchObject({ code: 409, type: 'AlreadyExists' });
    expect(other.body.member).toMatchObject({ role: 'owner', userId: guest.accountId });
  });

  it('counts an owner who joins, so that the first owner can leave', async () => {
    const workspace = await newWorkspace();
    const { owner: guest } = await newWorkspace();
    const { inviteToken } = await invite(workspace, 'owner');
    await workspace.call('POST', '/invitations/join', { token: guest.token, body: { inviteToken } });

    await workspace.owner.client.deleteWorkspaceMember({ id: workspace.owner.memberId });

    const { members } = await workspace.clientOf(guest.token).listWorkspaceMembers({});
    expect(members).toMatchObject([{ userId: guest.accountId, role: 'owner' }]);
  });

  it('returns 401 for an invalid invitation and 403 to bots and scoped tokens, and adds no member', async () => {
    const workspace = await newWorkspace();
    const { inviteToken } = await invite(workspace);
    const { owner: guest, call } = await newWorkspace();
    const { bot } = await guest.client.createBot({});
    const key = await guest.client.createBotApiKey({ botId: bot.id, note: '' });
    const scoped = await call('POST', '/account/pats', { body: { note: '', scopes: ['admin'] } });
    const join = (token: string, value: string) =>
      call('POST', '/invitations/join', { token, body: { inviteToken: value } });

    const answers = [
      await join(guest.token, 'garbage'),
      await join(key.value, inviteToken),
      await join(scoped.body.pat.value, inviteToken),
    ];

    expect(answers.map(({ status }) => status)).toEqual([401, 403, 403]);
    const { members } = await workspace.owner.client.listWorkspaceMembers({});
    expect(members.filter(({ userId }) => userId)).toHaveLength(1);
  });
});
