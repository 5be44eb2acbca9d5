import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { keyOf, SHOWS_KEY } from '#test/support/deployedCode.ts';
import { newBot, newWorkspace, type TestWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('PUT /v1/admin/workspace-members/{id}', () => {
  it('changes the role with effect from the next call', async () => {
    const workspace = await newWorkspace();
    const viewer = await workspace.join('viewer');
    await expect(viewer.client.createBot({})).rejects.toMatchObject({ code: 403 });

    const member = await workspace.owner.client.updateWorkspaceMember({ id: viewer.memberId, role: 'developer' });
    const { bot } = await viewer.client.createBot({});

    expect(member).toMatchObject({ id: viewer.memberId, userId: viewer.accountId, role: 'developer' });
    expect(bot.createdBy).toBe(viewer.accountId);
    expect((await viewer.client.getWorkspaceMember({})).role).toBe('developer');
  });

  it('returns 409 when the last owner steps down, and 200 with another owner', async () => {
    const workspace = await newWorkspace();
    const { client, memberId } = workspace.owner;

    const last = client.updateWorkspaceMember({ id: memberId, role: 'administrator' });
    await expect(last).rejects.toMatchObject({ code: 409, type: 'ReferenceConstraint' });
    await workspace.join('owner');
    const stepped = await client.updateWorkspaceMember({ id: memberId, role: 'administrator' });

    expect(stepped.role).toBe('administrator');
  });

  it('leaves exactly one owner when two owners demote each other concurrently', async () => {
    const workspace = await newWorkspace();
    const one = workspace.owner;
    const two = await workspace.join('owner');

    const results = await Promise.allSettled([
      one.client.updateWorkspaceMember({ id: two.memberId, role: 'viewer' }),
      two.client.updateWorkspaceMember({ id: one.memberId, role: 'viewer' }),
    ]);

    const { members } = await one.client.listWorkspaceMembers({});
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(members.map(({ role }) => role).sort()).toEqual(['owner', 'viewer']);
  });

  it('changes the roles of two members concurrently', async () => {
    const workspace = await newWorkspace();
    const [one, two] = [await workspace.join('viewer'), await workspace.join('viewer')];
    const promote = (id: string) => workspace.owner.client.updateWorkspaceMember({ id, role: 'manager' });

    await Promise.all([promote(one.memberId), promote(two.memberId)]);
    const bots = await Promise.all([one.client.createBot({}), two.client.createBot({})]);

    const roles = await Promise.all([one, two].map(async ({ client }) => (await client.getWorkspaceMember({})).role));
    expect(roles).toEqual(['manager', 'manager']);
    expect(bots).toHaveLength(2);
  });

  it('returns 403 when an administrator grants or revokes the role owner, for themselves or others', async () => {
    const workspace = await newWorkspace();
    const administrator = await workspace.join('administrator');
    const viewer = await workspace.join('viewer');
    const change = (id: string, role: 'owner' | 'viewer') =>
      administrator.client.updateWorkspaceMember({ id, role }).catch(error => error);

    const answers = [
      await change(administrator.memberId, 'owner'),
      await change(viewer.memberId, 'owner'),
      await change(workspace.owner.memberId, 'viewer'),
    ];

    expect(answers.map(({ code }) => code)).toEqual([403, 403, 403]);
    const { members } = await workspace.owner.client.listWorkspaceMembers({});
    expect(members.filter(({ role }) => role === 'owner')).toHaveLength(1);
  });

  it('returns 400 for an unknown role, and 404 for a member who is unknown or in another workspace', async () => {
    const { owner, call } = await newWorkspace();
    const other = await newWorkspace();
    const viewer = await other.join('viewer');

    const role = await call('PUT', `/workspace-members/${owner.memberId}`, { body: { role: 'king' } });
    const foreign = await call('PUT', `/workspace-members/${viewer.memberId}`, { body: { role: 'manager' } });
    const unknown = await call('PUT', '/workspace-members/member_none', { body: { role: 'manager' } });

    expect(role.body).toMatchObject({ code: 400, metadata: { issues: [{ path: 'role' }] } });
    expect([foreign.status, unknown.status]).toEqual([404, 404]);
    expect((await viewer.client.getWorkspaceMember({})).role).toBe('viewer');
  });

  it.each([
    ['viewer', true],
    ['manager', false],
  ] as const)(
    "replaces the key of a developer's code when they become a %s only if that role cannot deploy",
    async (role, isRenewed) => {
      const workspace = await newWorkspace();
      const developer = await workspace.join('developer');
      const { bot } = await developer.client.createBot({ code: SHOWS_KEY });
      const deployer = { kind: 'bot', id: bot.id } as const;
      const former = await keyOf(deployer);

      await workspace.owner.client.updateWorkspaceMember({ id: developer.memberId, role });
      const current = await keyOf(deployer);

      const isRevoked = async (token: string) =>
        (await workspace.call('POST', '/introspect', { token, body: {} })).status === 401;
      expect(await isRevoked(former)).toBe(isRenewed);
      expect(await isRevoked(current)).toBe(false);
    },
  );

  describe('with botIds', () => {
    const update = (workspace: TestWorkspace, id: string, body: object) =>
      workspace.call('PUT', `/workspace-members/${id}`, { body });

    it('limits an agent to bots, keeps the limit with another role, and removes it with null', async () => {
      const { id, workspace } = await newBot();
      const { memberId } = await workspace.join('agent');

      const limited = (await update(workspace, memberId, { botIds: [id] })).body;
      const promoted = (await update(workspace, memberId, { role: 'viewer' })).body;
      const unlimited = (await update(workspace, memberId, { botIds: null })).body;

      expect([limited.botIds, promoted.botIds, unlimited.botIds]).toEqual([[id], [id], undefined]);
      const { records } = await workspace.owner.client.getAuditRecords({ id: workspace.id });
      expect(records[0]?.value).toBe('viewer to viewer, bots: 1 to all');
    });

    it('keeps ids of deleted bots', async () => {
      const bot = await newBot();
      const { workspace } = bot;
      const left = await newBot(workspace);
      const { memberId } = await workspace.join('agent');
      await update(workspace, memberId, { botIds: [bot.id] });
      await workspace.owner.client.deleteBot({ id: bot.id });

      const { status, body } = await update(workspace, memberId, { botIds: [bot.id, left.id] });

      expect([status, body.botIds]).toEqual([200, [bot.id, left.id]]);
    });

    it.each<[string, (own: string, foreign: string) => unknown, number]>([
      ['a bot of another workspace', (_, foreign) => [foreign], 400],
      ['an unknown bot', () => [randomUUID()], 400],
      ['a text that is no id', () => ['bot'], 400],
      ['no bots', () => [], 400],
      ['a bot twice', own => [own, own], 400],
      ['more than 20 bots', () => Array.from({ length: 21 }, () => randomUUID()), 400],
    ])('returns an error for %s', async (_, botIds, expected) => {
      const { id, workspace } = await newBot();
      const { memberId } = await workspace.join('agent');

      const { status } = await update(workspace, memberId, { botIds: botIds(id, (await newBot()).id) });

      expect(status).toBe(expected);
    });

    it('applies to an invitation that is accepted later', async () => {
      const { id, workspace } = await newBot();
      const other = await newBot(workspace);
      const invited = await workspace.call('POST', '/workspace-members', {
        body: { email: `${randomUUID()}@example.com`, role: 'agent', botIds: [id] },
      });
      expect(invited.body.botIds).toEqual([id]);

      const accepted = await workspace.call('POST', '/invitations/accept', {
        body: { inviteToken: invited.body.inviteToken },
      });

      const client = workspace.clientOf(accepted.body.token);
      expect((await client.listBots({})).bots.map(each => each.id)).toEqual([id]);
      await expect(client.getBot({ id: other.id })).rejects.toMatchObject({ code: 404 });
    });
  });
});
