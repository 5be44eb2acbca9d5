import { describe, expect, it } from 'vitest';
import { apiBaseUrl, call, newWorkspace, type TestWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const invite = async ({ call }: TestWorkspace, role = 'developer', email = 'ann@example.com') =>
  (await call('POST', '/workspace-members', { body: { email, role } })).body;

describe('POST /v1/admin/invitations/accept', () => {
  it('creates an account and a token with the permissions of the role', async () => {
    const workspace = await newWorkspace();
    const { id: memberId, inviteToken } = await invite(workspace);

    const { status, body } = await workspace.call('POST', '/invitations/accept', {
      body: { inviteToken, displayName: 'Ann' },
      headers: { authorization: '', 'x-workspace-id': '' },
    });
    const client = workspace.clientOf(body.token);

    expect(status).toBe(201);
    expect(body).toMatchObject({
      workspaceId: workspace.id,
      account: { email: 'ann@example.com', displayName: 'Ann' },
      token: expect.stringMatching(/^bp_pat_[A-Za-z0-9_-]{36}$/),
    });
    expect(await client.getWorkspaceMember({})).toMatchObject({
      id: memberId,
      userId: body.account.id,
      role: 'developer',
    });
    expect((await client.createBot({})).bot.createdBy).toBe(body.account.id);
  });

  it('signs the person in when asked, and creates no token', async () => {
    const workspace = await newWorkspace();
    const { inviteToken } = await invite(workspace);

    const { status, body } = await workspace.call('POST', '/invitations/accept', {
      token: '',
      body: { inviteToken, session: { note: 'Firefox, Linux' } },
    });

    expect(status).toBe(201);
    expect(body).not.toHaveProperty('token');
    expect(body.session).toMatchObject({ note: 'Firefox, Linux', value: expect.stringMatching(/^bp_ses_/) });
    const client = workspace.clientOf(body.session.value);
    expect(await client.getWorkspaceMember({})).toMatchObject({ userId: body.account.id, role: 'developer' });
    expect((await client.listPersonalAccessTokens({})).pats).toEqual([]);
  });

  it('creates a separate account even for an email that has one', async () => {
    const [one, two] = [await newWorkspace(), await newWorkspace()];
    const accept = async (workspace: TestWorkspace) =>
      (await workspace.call('POST', '/invitations/accept', { body: await invite(workspace) })).body;

    const [first, second] = [await accept(one), await accept(two)];

    expect(first.account.id).not.toBe(second.account.id);
    await expect(one.clientOf(second.token).getWorkspaceMember({})).rejects.toMatchObject({ code: 403 });
  });

  it('returns 401 when repeated, and creates nothing', async () => {
    const workspace = await newWorkspace();
    const { inviteToken } = await invite(workspace);

    const answers = await Promise.all(
      [1, 2, 3].map(() => workspace.call('POST', '/invitations/accept', { body: { inviteToken } })),
    );
    const again = await workspace.call('POST', '/invitations/accept', { body: { inviteToken } });

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401, 401]);
    expect(again.body).toMatchObject({ code: 401, type: 'Unauthorized' });
    expect(again.body).not.toHaveProperty('token');
    expect((await workspace.owner.client.listWorkspaceMembers({})).members).toHaveLength(2);
  });

  it('returns 401 for an expired, revoked or forged invitation', async () => {
    const workspace = await newWorkspace();
    const removed = await invite(workspace);
    await workspace.owner.client.deleteWorkspaceMember({ id: removed.id });
    await invite(workspace);
    const tokens = ['', 'garbage', `bp_inv_${'A'.repeat(66)}`, removed.inviteToken, workspace.owner.token];

    const answers = await Promise.all(
      tokens.map(inviteToken => workspace.call('POST', '/invitations/accept', { body: { inviteToken } })),
    );

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
    expect(new Set(answers.map(({ body }) => body.message)).size).toBe(1);
  });

  it('returns 400 without an invitation or for a long name, and keeps the invitation valid', async () => {
    const workspace = await newWorkspace();
    const { inviteToken } = await invite(workspace);
    const accept = (body: unknown) => workspace.call('POST', '/invitations/accept', { body });

    const none = await accept({});
    const long = await accept({ inviteToken, displayName: 'n'.repeat(201) });
    const good = await accept({ inviteToken });

    expect(none.body).toMatchObject({ code: 400, metadata: { issues: [{ path: 'inviteToken' }] } });
    expect(long.body).toMatchObject({ code: 400, metadata: { issues: [{ path: 'displayName' }] } });
    expect(good.status).toBe(201);
  });

  it('returns 400 for an uploaded body, because callers without a token have no uploads', async () => {
    const workspace = await newWorkspace();
    const slot = await workspace.call('POST', '/body-uploads', { body: { size: 2 } });

    const { status, body } = await call(`${apiBaseUrl()}/v1/admin/invitations/accept`, {
      method: 'POST',
      headers: { 'x-body-ref': slot.body.ref },
    });

    expect({ status, path: body.metadata?.issues[0].path }).toEqual({ status: 400, path: 'x-body-ref' });
  });
});
