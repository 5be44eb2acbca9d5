import { describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { listTokens } from '#shared/storage/dynamodb/workspace/tokens.ts';
import { afterRollout, keyOf, SHOWS_KEY } from '#test/support/deployedCode.ts';
import {
  eventually,
  newBotWithIntegration,
  newWorkspace,
  type TestWorkspace,
  useSharedPlatform,
} from '#test/support/platform.ts';

useSharedPlatform();

describe('DELETE /v1/admin/workspace-members/{id}', () => {
  it('removes the member, whose email can be invited again', async () => {
    const { owner, call, clientOf } = await newWorkspace();
    const body = { email: 'ann@example.com', role: 'viewer' };
    const { inviteToken, id } = (await call('POST', '/workspace-members', { body })).body;
    const { token } = (await call('POST', '/invitations/accept', { body: { inviteToken } })).body;

    await owner.client.deleteWorkspaceMember({ id });
    const { members } = await owner.client.listWorkspaceMembers({});
    const again = await call('POST', '/workspace-members', { body });

    // First call of the member: functions cache callers for 30 s.
    await expect(clientOf(token).listBots({})).rejects.toMatchObject({ code: 403, type: 'Forbidden' });
    expect(members.map(({ role }) => role)).toEqual(['owner']);
    expect(again.status).toBe(201);
  });

  it("returns the member's bot and integration keys, which stay valid, and audits them", async () => {
    const workspace = await newWorkspace();
    const leaver = await workspace.join('developer');
    const { bot, integration } = await newBotWithIntegration(workspace);
    const key = await leaver.client.createBotApiKey({ botId: bot.id, note: 'ci' });
    const other = await leaver.client.createIntegrationApiKey({ integrationId: integration.id });
    await leaver.client.deleteBotApiKey({ id: (await leaver.client.createBotApiKey({ botId: bot.id })).id });
    await workspace.owner.client.createBotApiKey({ botId: bot.id });

    const { body } = await workspace.call('DELETE', `/workspace-members/${leaver.memberId}`);
    const { records } = await workspace.owner.client.getAuditRecords({ id: workspace.id });
    const works = await workspace.call('POST', '/introspect', { token: key.value, body: { botId: bot.id } });

    expect(body.keys).toEqual(
      expect.arrayContaining([
        { id: key.id, note: 'ci', createdAt: expect.any(String), botId: bot.id },
        { id: other.id, note: '', createdAt: expect.any(String), integrationId: integration.id },
      ]),
    );
    expect(body.keys).toHaveLength(2);
    expect(records[0]).toMatchObject({
      action: 'REMOVE_WORKSPACE_MEMBER',
      value: expect.stringContaining(`kept keys: `),
    });
    expect(records[0]!.value).toContain(key.id);
    expect(works.status).toBe(200);
  });

  it("revokes any number of the member's keys with revokeKeys=true", async () => {
    const workspace = await newWorkspace();
    const leaver = await workspace.join('developer');
    const { bot } = await workspace.owner.client.createBot({});
    for (let i = 0; i < 45; i++) await leaver.client.createBotApiKey({ botId: bot.id });
    const { id: own } = await workspace.owner.client.createBotApiKey({ botId: bot.id });

    const { body } = await workspace.call('DELETE', `/workspace-members/${leaver.memberId}?revokeKeys=true`);

    expect(body.keys).toHaveLength(45);
    expect((await workspace.owner.client.listBotApiKeys({ botId: bot.id })).baks.map(({ id }) => id)).toEqual([own]);
  });

  it('revokes keys that are created concurrently', async () => {
    const workspace = await newWorkspace();
    const leaver = await workspace.join('developer');
    const { bot } = await workspace.owner.client.createBot({});

    const [removal] = await Promise.all([
      workspace.call('DELETE', `/workspace-members/${leaver.memberId}?revokeKeys=true`),
      ...Array.from({ length: 5 }, () => leaver.client.createBotApiKey({ botId: bot.id }).catch(() => undefined)),
    ]);

    expect(removal.status).toBe(200);
    expect((await workspace.owner.client.listBotApiKeys({ botId: bot.id })).baks).toEqual([]);
  });

  it('lets a viewer leave but not remove other members', async () => {
    const workspace = await newWorkspace();
    const [one, two] = [await workspace.join('viewer'), await workspace.join('viewer')];

    const other = one.client.deleteWorkspaceMember({ id: two.memberId });
    await expect(other).rejects.toMatchObject({ code: 403, type: 'Forbidden' });
    await one.client.deleteWorkspaceMember({ id: one.memberId });

    const { members } = await workspace.owner.client.listWorkspaceMembers({});
    expect(members.map(({ id }) => id).sort()).toEqual([workspace.owner.memberId, two.memberId].sort());
  });

  it('returns 409 when the last owner leaves, and 200 with another owner', async () => {
    const workspace = await newWorkspace();
    const { client, memberId } = workspace.owner;

    const last = client.deleteWorkspaceMember({ id: memberId });
    await expect(last).rejects.toMatchObject({ code: 409, type: 'ReferenceConstraint' });
    const heir = await workspace.join('owner');
    await client.deleteWorkspaceMember({ id: memberId });

    const { members } = await heir.client.listWorkspaceMembers({});
    expect(members.map(({ id }) => id)).toEqual([heir.memberId]);
  });

  it('leaves exactly one owner when two owners remove each other concurrently', async () => {
    const workspace = await newWorkspace();
    const viewer = await workspace.join('viewer');
    const one = workspace.owner;
    const two = await workspace.join('owner');

    await Promise.allSettled([
      one.client.deleteWorkspaceMember({ id: two.memberId }),
      two.client.deleteWorkspaceMember({ id: one.memberId }),
    ]);

    const { members } = await viewer.client.listWorkspaceMembers({});
    expect(members.map(({ role }) => role).sort()).toEqual(['owner', 'viewer']);
  });

  it('returns 403 when an administrator removes an owner', async () => {
    const workspace = await newWorkspace();
    await workspace.join('owner');
    const administrator = await workspace.join('administrator');

    const removal = administrator.client.deleteWorkspaceMember({ id: workspace.owner.memberId });

    await expect(removal).rejects.toMatchObject({ code: 403, type: 'Forbidden' });
    expect((await workspace.owner.client.listWorkspaceMembers({})).members).toHaveLength(3);
  });

  it('returns 404 for a member who is unknown, removed or in another workspace', async () => {
    const workspace = await newWorkspace();
    const gone = await workspace.join('viewer');
    await workspace.owner.client.deleteWorkspaceMember({ id: gone.memberId });
    const other = await newWorkspace();
    const foreign = await other.join('viewer');

    const ids = ['member_none', gone.memberId, foreign.memberId];
    const answers = await Promise.all(ids.map(id => workspace.call('DELETE', `/workspace-members/${id}`)));

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect((await other.owner.client.listWorkspaceMembers({})).members).toHaveLength(2);
  });
});

describe('DELETE /v1/admin/workspace-members/{id}?revokeKeys=true of a member who deployed code', () => {
  const remove = (workspace: TestWorkspace, { memberId }: { memberId: string }, query = '?revokeKeys=true') =>
    workspace.call('DELETE', `/workspace-members/${memberId}${query}`);
  const isRevoked = async (workspace: TestWorkspace, token: string) =>
    (await workspace.call('POST', '/introspect', { token, body: {} })).status === 401;

  it('redeploys the code with new keys, revokes the old keys, and lists the deployments', async () => {
    const workspace = await newWorkspace();
    const leaver = await workspace.join('developer');
    const { bot } = await leaver.client.createBot({ code: SHOWS_KEY });
    const { integration } = await leaver.client.createIntegration({ name: 'mail', version: '1.0.0', code: SHOWS_KEY });
    const deployers = [
      { kind: 'bot', id: bot.id },
      { kind: 'integration', id: integration.id },
    ] as const;
    const former = await Promise.all(deployers.map(keyOf));

    const { body } = await remove(workspace, leaver);
    const current = await Promise.all(deployers.map(keyOf));

    expect(body.redeployed).toEqual(expect.arrayContaining([{ botId: bot.id }, { integrationId: integration.id }]));
    expect(body.redeployed).toHaveLength(2);
    for (const key of former) expect(await isRevoked(workspace, key)).toBe(true);
    for (const key of current) expect(await isRevoked(workspace, key)).toBe(false);
    const { records } = await workspace.owner.client.getAuditRecords({ id: workspace.id });
    expect(records[0]!.value).toContain(bot.id);
  });

  it('revokes the old key within a minute, even if the new deployment fails', async () => {
    const workspace = await newWorkspace();
    const leaver = await workspace.join('developer');
    const { bot } = await leaver.client.createBot({ code: SHOWS_KEY });
    const running = await afterRollout({ kind: 'bot', id: bot.id });

    const startMs = clock.now();
    await remove(workspace, leaver);

    const former = (await listTokens('bak', bot.id)).find(({ hash }) => hash === running!.keyHash);
    expect(former === undefined || former.expiresAtMs! <= startMs + 90_000).toBe(true);
  });

  it('revokes the old key when the latest code fails the ping', async () => {
    const workspace = await newWorkspace();
    const leaver = await workspace.join('developer');
    const { bot } = await leaver.client.createBot({ code: SHOWS_KEY });
    const deployer = { kind: 'bot', id: bot.id } as const;
    const former = await keyOf(deployer);
    const { keyHash } = (await afterRollout(deployer))!;
    await leaver.client.updateBot({ id: bot.id, code: 'throw new Error("broken")' });
    await afterRollout(deployer);

    const { body } = await remove(workspace, leaver);

    expect(body.redeployed).toEqual([{ botId: bot.id }]);
    // Reads the stored key, because functions cache callers for 30 s.
    const isStored = async () => (await listTokens('bak', bot.id)).some(({ hash }) => hash === keyHash);
    await eventually(async () => expect(await isStored()).toBe(false));
    expect(await isRevoked(workspace, former)).toBe(true);
  });

  it.each([
    ['others replaced', 'code'],
    ['others gave new secrets to', 'secrets'],
  ] as const)('redeploys code that %s only if the member knows its key', async (_, field) => {
    const workspace = await newWorkspace();
    const leaver = await workspace.join('developer');
    const { bot } = await leaver.client.createBot({ code: SHOWS_KEY });
    const deployer = { kind: 'bot', id: bot.id } as const;
    await afterRollout(deployer);
    const change = field === 'code' ? { code: SHOWS_KEY } : { secrets: { apiKey: 'x' } };
    await workspace.owner.client.updateBot({ id: bot.id, ...change });
    const former = await keyOf(deployer);

    const { body } = await remove(workspace, leaver);

    expect(body.redeployed).toEqual(field === 'code' ? [] : [{ botId: bot.id }]);
    expect((await keyOf(deployer)) === former).toBe(field === 'code');
  });

  it('keeps the keys of code without revokeKeys, and lists no code', async () => {
    const workspace = await newWorkspace();
    const leaver = await workspace.join('developer');
    const { bot } = await leaver.client.createBot({ code: SHOWS_KEY });
    const former = await keyOf({ kind: 'bot', id: bot.id });

    const { body } = await remove(workspace, leaver, '');

    expect(body.redeployed).toEqual([]);
    expect(await isRevoked(workspace, former)).toBe(false);
  });

  it('redeploys code that is deployed concurrently', async () => {
    const workspace = await newWorkspace();
    const leaver = await workspace.join('developer');
    const { bot } = await workspace.owner.client.createBot({});

    const [removal, deployment] = await Promise.all([
      remove(workspace, leaver),
      workspace.call('PUT', `/bots/${bot.id}`, { token: leaver.token, body: { code: SHOWS_KEY } }),
    ]);

    expect(removal.status).toBe(200);
    expect(removal.body.redeployed).toEqual(deployment.status === 200 ? [{ botId: bot.id }] : []);
  });
});
