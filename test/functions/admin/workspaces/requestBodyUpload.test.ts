import { describe, expect, it } from 'vitest';
import { platformApi } from '#infra/gateway/apis.ts';
import type { PlatformOperation } from '#shared/api/operations/platform.ts';
import { acceptsBodyUploads } from '#shared/api/platform/fetchBody.ts';
import { UPLOAD_OPERATIONS } from '#shared/api/platform/uploadRights.ts';
import { newBot, newScopedToken, newWorkspace, type TestWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const slot = async ({ call }: Pick<TestWorkspace, 'call'>, body: string, token?: string) => {
  const size = Buffer.byteLength(body);
  const answer = await call('POST', '/body-uploads', { body: { size }, ...(token ? { token } : {}) });
  const put = await fetch(answer.body.url, { method: 'PUT', body });
  expect([answer.status, put.status]).toEqual([201, 200]);
  return answer.body.ref as string;
};

describe('POST /v1/admin/body-uploads', () => {
  it('issues an upload URL for a large body, which the operation then reads', async () => {
    const workspace = await newWorkspace();
    const code = `module.exports = '${'🦊'.repeat(1_500_000)}'`;

    const ref = await slot(workspace, JSON.stringify({ name: 'Big', code }));
    const answer = await workspace.call('POST', '/bots', { headers: { 'x-body-ref': ref } });

    const { bots } = await workspace.owner.client.listBots({});
    expect(ref).toMatch(/^body_[0-9A-Za-z]{24}$/);
    expect(answer.status).toBe(201);
    expect(bots).toMatchObject([{ id: answer.body.bot.id, name: 'Big' }]);
  });

  it('lists every operation that accepts an uploaded body', () => {
    const declared = (platformApi.operations as PlatformOperation[])
      .filter(acceptsBodyUploads)
      .map(({ group, name, table, payloadLimitBytes }) => ({ group, name, table, payloadLimitBytes }));

    const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);
    expect([...UPLOAD_OPERATIONS].sort(byName)).toEqual(declared.sort(byName));
  });

  it('returns 403 to callers who cannot call any operation that accepts uploaded bodies', async () => {
    const bot = await newBot();
    const { workspace } = bot;
    const tokens = {
      viewer: (await workspace.join('viewer')).token,
      agent: (await workspace.join('agent')).token,
      'the key of an integration': bot.tokens.integration,
      'a token that reads tables': await newScopedToken(workspace, ['tables:read']),
      'a token that writes files': await newScopedToken(workspace, ['files', 'chat']),
      developer: (await workspace.join('developer')).token,
      'the key of a bot': bot.tokens.bot,
      'a token that writes rows': await newScopedToken(workspace, ['tables:createTableRows']),
      'a token that validates integrations': await newScopedToken(workspace, ['admin:read']),
    };

    const statuses: Record<string, number> = {};
    for (const [name, token] of Object.entries(tokens)) {
      statuses[name] = (await workspace.call('POST', '/body-uploads', { body: { size: 10 }, token })).status;
    }

    expect(statuses).toEqual({
      viewer: 403,
      agent: 403,
      'the key of an integration': 403,
      'a token that reads tables': 403,
      'a token that writes files': 403,
      developer: 201,
      'the key of a bot': 201,
      'a token that writes rows': 201,
      'a token that validates integrations': 201,
    });
  });

  it("limits the size to the largest body that the caller's operations accept", async () => {
    const { tokens, workspace } = await newBot();
    const request = (megabytes: number) =>
      workspace.call('POST', '/body-uploads', { body: { size: megabytes * 1024 * 1024 }, token: tokens.bot });

    expect([(await request(40)).status, (await request(41)).status]).toEqual([201, 413]);
  });

  it('accepts exactly the announced number of bytes', async () => {
    const { call } = await newWorkspace();
    const { url } = (await call('POST', '/body-uploads', { body: { size: 4 } })).body;

    const statuses = [];
    for (const body of ['[1,2]', '[]', '[12]']) statuses.push((await fetch(url, { method: 'PUT', body })).status);

    expect(statuses).toEqual([403, 403, 200]);
  });

  it.each(['{"name":', '', '{"name":""}'])('returns 400 for an uploaded body that is invalid: %s', async body => {
    const workspace = await newWorkspace();
    const ref = await slot(workspace, body || ' ');

    const answer = await workspace.call('POST', '/bots', { headers: { 'x-body-ref': ref } });

    expect(answer.body).toMatchObject({ code: 400, type: 'InvalidPayload' });
    expect((await workspace.owner.client.listBots({})).bots).toEqual([]);
  });

  it("returns 400 for another caller's reference, an unknown reference, or a reference sent with a body", async () => {
    const workspace = await newWorkspace();
    const developer = await workspace.join('developer');
    const own = await slot(workspace, '{"name":"Own"}');
    const foreign = await slot(workspace, '{"name":"Foreign"}', developer.token);
    const create = (ref: string, body?: unknown) =>
      workspace.call('POST', '/bots', { headers: { 'x-body-ref': ref }, body });

    const answers = [
      await create(foreign),
      await create(`body_${'A'.repeat(24)}`),
      await create('../../assets'),
      await create(own, { name: 'B' }),
    ];

    for (const { body } of answers) {
      expect(body).toMatchObject({ code: 400, metadata: { issues: [{ path: 'x-body-ref' }] } });
    }
    expect((await workspace.owner.client.listBots({})).bots).toEqual([]);
  });

  it.each([
    [{ size: 52_428_800 }, 201],
    [{ size: 52_428_801 }, 413],
    [{ size: 0 }, 400],
    [{ size: 1.5 }, 400],
    [{ size: '7' }, 400],
    [{}, 400],
  ])('responds to %j with the status %i', async (body, status) => {
    const { call } = await newWorkspace();

    const answer = await call('POST', '/body-uploads', { body });

    expect(answer.status).toBe(status);
    if (status === 400) expect(answer.body).toMatchObject({ metadata: { issues: [{ path: 'size' }] } });
  });
});
