import { describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { isLeftOut, newWorkspace, type TestWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const invite = async ({ call }: TestWorkspace) =>
  (await call('POST', '/workspace-members', { body: { email: 'ann@example.com', role: 'developer' } })).body;
const inspect = ({ call }: TestWorkspace, inviteToken: string) =>
  call('POST', '/invitations/inspect', { token: '', body: { inviteToken } });

describe('POST /v1/admin/invitations/inspect', () => {
  it('returns the workspace, role and address of an invitation, without an account', async () => {
    const workspace = await newWorkspace('Acme');
    const { inviteToken, inviteExpiresAt } = await invite(workspace);

    const { status, body } = await inspect(workspace, inviteToken);

    expect(status).toBe(200);
    expect(body.invitation).toEqual({
      workspaceId: workspace.id,
      workspaceName: 'Acme',
      role: 'developer',
      email: 'ann@example.com',
      expiresAt: inviteExpiresAt,
    });
  });

  it('returns 401 with one message for an unknown, an accepted and a revoked invitation', async () => {
    const workspace = await newWorkspace();
    const accepted = await invite(workspace);
    await workspace.call('POST', '/invitations/accept', { body: { inviteToken: accepted.inviteToken } });
    const other = await newWorkspace();
    const revoked = await invite(other);
    await other.owner.client.deleteWorkspaceMember({ id: revoked.id });

    const answers = [
      await inspect(workspace, 'garbage'),
      await inspect(workspace, accepted.inviteToken),
      await inspect(workspace, revoked.inviteToken),
    ];

    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401]);
    expect(new Set(answers.map(({ body }) => body.message)).size).toBe(1);
  });

  it.skipIf(isLeftOut('clock'))('returns 401 for an expired invitation', async () => {
    const workspace = await newWorkspace();
    const { inviteToken, inviteExpiresAt } = await invite(workspace);
    clock.advance(Date.parse(inviteExpiresAt) - clock.now());

    const { status } = await inspect(workspace, inviteToken);

    expect(status).toBe(401);
  });
});
