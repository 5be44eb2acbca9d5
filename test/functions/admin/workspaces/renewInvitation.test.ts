import { describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { isLeftOut, newWorkspace, type TestWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const invite = async ({ call }: TestWorkspace, role = 'developer') =>
  (await call('POST', '/workspace-members', { body: { email: 'ann@example.com', role } })).body;
const renew = ({ call }: TestWorkspace, id: string, token?: string) =>
  call('POST', `/workspace-members/${id}/invitation`, token ? { token } : {});
const accept = ({ call }: TestWorkspace, inviteToken: string) =>
  call('POST', '/invitations/accept', { body: { inviteToken } });

describe('POST /v1/admin/workspace-members/{id}/invitation', () => {
  it('returns a new invitation and ends the previous one', async () => {
    const workspace = await newWorkspace();
    const first = await invite(workspace);

    const { status, body } = await renew(workspace, first.id);
    const answers = [await accept(workspace, first.inviteToken), await accept(workspace, body.inviteToken)];

    expect(status).toBe(200);
    expect(body).toMatchObject({ id: first.id, role: 'developer', inviteToken: expect.stringMatching(/^bp_inv_/) });
    expect(answers.map(each => each.status)).toEqual([401, 201]);
  });

  it.skipIf(isLeftOut('clock'))('renews an expired invitation, whose expiry the list of members shows', async () => {
    const workspace = await newWorkspace();
    const { id, inviteExpiresAt } = await invite(workspace);
    clock.advance(Date.parse(inviteExpiresAt) - clock.now() + 1);

    const { body } = await renew(workspace, id);
    const { members } = (await workspace.call('GET', '/workspace-members')).body;

    const pending = members.find((each: { id: string }) => each.id === id);
    expect(pending.inviteExpiresAt).toBe(body.inviteExpiresAt);
    expect(Date.parse(body.inviteExpiresAt)).toBeGreaterThan(clock.now());
    expect((await accept(workspace, body.inviteToken)).status).toBe(201);
  });

  it('returns 409 for a member, 404 for an unknown id, and 403 to a manager and for an invited owner', async () => {
    const workspace = await newWorkspace();
    const [manager, administrator] = [await workspace.join('manager'), await workspace.join('administrator')];
    const owner = await invite(workspace, 'owner');

    const answers = [
      await renew(workspace, manager.memberId),
      await renew(workspace, `member_${'A'.repeat(22)}`),
      await renew(workspace, owner.id, manager.token),
      await renew(workspace, owner.id, administrator.token),
    ];

    expect(answers.map(({ status }) => status)).toEqual([409, 404, 403, 403]);
  });
});
