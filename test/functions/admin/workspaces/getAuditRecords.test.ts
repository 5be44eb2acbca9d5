import { describe, expect, it } from 'vitest';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const actionsOf = (records: { action: string }[]) => records.map(({ action }) => action);

describe('GET /v1/admin/workspaces/{id}/audit-records', () => {
  it('lists every change of a bot and its keys with its author, newest first', async () => {
    const { id, owner } = await newWorkspace();
    const { client } = owner;
    const { account } = await client.getAccount({});
    const { bot } = await client.createBot({ name: 'B' });
    await client.updateBot({ id: bot.id, name: 'Bot' });
    await client.updateBot({ id: bot.id, code: 'module.exports = {}' });
    await client.updateBot({ id: bot.id, configuration: { data: { a: 1 } } });
    const key = await client.createBotApiKey({ botId: bot.id, note: 'k' });
    await client.deleteBotApiKey({ id: key.id });
    await client.deleteBot({ id: bot.id });

    const { records } = await client.getAuditRecords({ id });

    expect(records.map(({ action, value }) => (action === 'UNKNOWN' ? value?.split(' ')[0] : action))).toEqual([
      'DELETE_BOT',
      'DELETE_BOT_API_KEY',
      'CREATE_BOT_API_KEY',
      'UPDATE_BOT_CONFIG',
      'DEPLOY_BOT',
      'UPDATE_BOT',
      'CREATE_BOT',
      'CREATE_WORKSPACE',
    ]);
    expect(new Set(records.map(({ userId }) => userId))).toEqual(new Set([owner.accountId]));
    expect(new Set(records.map(({ userEmail }) => userEmail))).toEqual(new Set([account.email]));
    expect(records[0]).toMatchObject({ resourceId: bot.id, resourceName: 'Bot' });
  });

  it('filters by actor, kind and time span, and pages through the matches', async () => {
    const workspace = await newWorkspace();
    const developer = await workspace.join('developer');
    const { bot } = await workspace.owner.client.createBot({ name: 'B' });
    for (const note of ['a', 'b', 'c']) await workspace.owner.client.createBotApiKey({ botId: bot.id, note });
    const headers = { token: developer.token };
    await workspace.call('POST', '/bots', { body: { name: 'Theirs' }, ...headers });
    const list = async (query: string) =>
      (await workspace.call('GET', `/workspaces/${workspace.id}/audit-records?${query}`)).body;
    const all = (await list('pageSize=50')).records;
    const theirs = all.find((each: { resourceName: string }) => each.resourceName === 'Theirs');
    const keys = all.filter((each: { value: string | null }) => each.value?.startsWith('CREATE_BOT_API_KEY'));

    const byActor = await list(`actorId=${theirs.userId}`);
    const first = await list('kind=CREATE_BOT_API_KEY&pageSize=2');
    const second = await list(`kind=CREATE_BOT_API_KEY&pageSize=2&nextToken=${first.meta.nextToken}`);
    const [until, since] = [keys[0].recordedAt, keys[2].recordedAt].map(encodeURIComponent);
    const inSpan = await list(`since=${since}&until=${until}&kind=CREATE_BOT_API_KEY`);
    const later = await list(`since=${encodeURIComponent('2100-01-01T00:00:00Z')}`);

    expect(byActor.records.every((each: { userId: string }) => each.userId === theirs.userId)).toBe(true);
    expect(byActor.records).toContainEqual(theirs);
    expect([...first.records, ...second.records]).toEqual(keys);
    expect(second.meta).toEqual({});
    expect(inSpan.records).toEqual(keys);
    expect(later).toEqual({ records: [], meta: {} });
    const rejected = ['since=x', 'since=2026-01-02T00:00:00Z&until=2026-01-01T00:00:00Z'].map(query =>
      workspace.call('GET', `/workspaces/${workspace.id}/audit-records?${query}`),
    );
    expect((await Promise.all(rejected)).map(({ status }) => status)).toEqual([400, 400]);
  });

  it('lists every change of the workspace and its members', async () => {
    const workspace = await newWorkspace();
    const { id, owner } = workspace;
    const viewer = await workspace.join('viewer');
    await owner.client.updateWorkspaceMember({ id: viewer.memberId, role: 'developer' });
    await owner.client.deleteWorkspaceMember({ id: viewer.memberId });
    await owner.client.updateWorkspace({ id, name: 'Acme 2' });
    await owner.client.updateWorkspace({ id, spendingLimit: 5 });
    await owner.client.deleteWorkspace({ id });

    const { records } = await owner.client.getAuditRecords({ id });

    expect(actionsOf(records)).toEqual([
      'CLOSE_WORKSPACE',
      'SET_SPENDING_LIMIT',
      'UPDATE_WORKSPACE',
      'REMOVE_WORKSPACE_MEMBER',
      'UPDATE_WORKSPACE_MEMBER',
      'UPDATE_WORKSPACE_MEMBER',
      'ADD_WORKSPACE_MEMBER',
      'CREATE_WORKSPACE',
    ]);
    expect(records[4]).toMatchObject({ userId: owner.accountId, value: 'viewer to developer' });
    expect(records[5]).toMatchObject({ userId: viewer.accountId, resourceId: viewer.memberId });
  });

  it('records no rejected change, and takes the author from the token only', async () => {
    const workspace = await newWorkspace();
    const viewer = await workspace.join('viewer');
    const developer = await workspace.join('developer');
    const before = (await workspace.owner.client.getAuditRecords({ id: workspace.id })).records;
    const { accountId } = workspace.owner;
    const body = { name: 'B', userId: accountId, userEmail: 'x@example.com', createdBy: accountId };
    const headers = { 'x-user-id': accountId, 'x-user-email': 'x@example.com' };

    await workspace.call('POST', '/bots', { token: viewer.token, body, headers });
    await workspace.call('POST', '/bots', { token: developer.token, body, headers });
    const { records } = await workspace.owner.client.getAuditRecords({ id: workspace.id });

    const { account } = await developer.client.getAccount({});
    expect(records.slice(1)).toEqual(before);
    expect(records[0]).toMatchObject({ action: 'CREATE_BOT', userId: account.id, userEmail: account.email });
  });

  it('pages through all records exactly once', async () => {
    const { id, owner, call } = await newWorkspace();
    for (let n = 0; n < 4; n++) await owner.client.updateWorkspace({ id, name: `Acme ${n}` });
    const { records: all } = await owner.client.getAuditRecords({ id });

    const paged: unknown[] = [];
    for (let token: string | undefined = ''; token !== undefined; ) {
      const { body } = await call('GET', `/workspaces/${id}/audit-records?pageSize=2&nextToken=${token}`);
      paged.push(...body.records);
      token = body.meta.nextToken;
    }

    expect(all).toHaveLength(5);
    expect(paged).toEqual(all);
  });

  it('returns 403 to a developer and for another workspace, and 404 for an unknown one', async () => {
    const workspace = await newWorkspace();
    const developer = await workspace.join('developer');
    const other = await newWorkspace();

    const answers = await Promise.all([
      workspace.call('GET', `/workspaces/${workspace.id}/audit-records`, { token: developer.token }),
      workspace.call('GET', `/workspaces/${other.id}/audit-records`),
      workspace.call('GET', '/workspaces/wkspace_nobody/audit-records'),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([403, 403, 404]);
  });
});
