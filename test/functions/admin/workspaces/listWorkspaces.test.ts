import { describe, expect, it } from 'vitest';
import { apiBaseUrl, call, newScopedToken, newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('GET /v1/admin/workspaces', () => {
  it('lists the workspaces of the caller, oldest first, in pages', async () => {
    const { id, owner, call } = await newWorkspace('First');
    const second = await owner.client.createWorkspace({ name: 'Second' });
    const third = await owner.client.createWorkspace({ name: 'Third' });

    const one = await call('GET', '/workspaces?pageSize=2');
    const two = await call('GET', `/workspaces?pageSize=2&nextToken=${one.body.meta.nextToken}`);

    expect(one.body.workspaces.map((each: { id: string }) => each.id)).toEqual([id, second.id]);
    expect(two.body.workspaces.map((each: { id: string }) => each.id)).toEqual([third.id]);
    expect(two.body.meta).toEqual({});
  });

  it('omits workspaces that the caller is not a member of', async () => {
    const { owner } = await newWorkspace('Mine');
    await newWorkspace('Theirs');

    const { workspaces } = await owner.client.listWorkspaces({});

    expect(workspaces.map(({ name }) => name)).toEqual(['Mine']);
  });

  it('requires no workspace in the header, but validates one if given', async () => {
    const { id, owner, call: withHeader } = await newWorkspace();
    const url = `${apiBaseUrl()}/v1/admin/workspaces`;

    const without = await call(url, { token: owner.token });
    const unknown = await withHeader('GET', '/workspaces', { headers: { 'x-workspace-id': 'wkspace_nobody' } });

    expect(without.body.workspaces.map((each: { id: string }) => each.id)).toEqual([id]);
    expect(unknown).toMatchObject({ status: 401, body: { type: 'Unauthorized' } });
  });

  it('returns 403 to bots and to tokens without the scope', async () => {
    const workspace = await newWorkspace();
    const { bot } = await workspace.owner.client.createBot({});
    const { value } = await workspace.owner.client.createBotApiKey({ botId: bot.id });
    const scoped = await newScopedToken(workspace, ['admin:listBots']);

    const answers = await Promise.all(
      [value, scoped].map(token => call(`${apiBaseUrl()}/v1/admin/workspaces`, { token })),
    );

    for (const answer of answers) expect(answer).toMatchObject({ status: 403, body: { type: 'Forbidden' } });
  });

  it('lists a new workspace on the next call', async () => {
    const { id, owner } = await newWorkspace();
    await owner.client.listWorkspaces({});

    const created = await owner.client.createWorkspace({ name: 'New' });
    const { workspaces } = await owner.client.listWorkspaces({});

    expect(workspaces.map(each => each.id)).toEqual([id, created.id]);
  });

  it('filters by handle', async () => {
    const { id, owner } = await newWorkspace();
    await owner.client.createWorkspace({ name: 'Another' });
    const handle = id.slice('wkspace_'.length).toLowerCase();
    await owner.client.updateWorkspace({ id, handle });

    const { workspaces: found } = await owner.client.listWorkspaces({ handle });
    const { workspaces: none } = await owner.client.listWorkspaces({ handle: `${handle}-x` });

    expect(found).toMatchObject([{ id, handle }]);
    expect(none).toEqual([]);
  });

  it.each([
    ['pageSize=0', 'pageSize'],
    ['pageSize=101', 'pageSize'],
    ['pageSize=many', 'pageSize'],
    ['nextToken=abc', 'nextToken'],
  ])('rejects %s with a 400 that names the field', async (query, path) => {
    const { call } = await newWorkspace();

    const answer = await call('GET', `/workspaces?${query}`);

    expect(answer.body).toMatchObject({ code: 400, type: 'InvalidPayload', metadata: { issues: [{ path }] } });
  });
});
