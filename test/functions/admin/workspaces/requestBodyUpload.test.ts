import { describe, expect, it } from 'vitest';
import { newWorkspace, type TestWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const slot = async ({ call }: Pick<TestWorkspace, 'call'>, body: string, token?: string) => {
  const size = Buffer.byteLength(body);
  const answer = await call('POST', '/body-uploads', { body: { size }, ...(token ? { token } : {}) });
  const put = await fetch(answer.body.url, { method: 'PUT', body });
  expect([answer.status, put.status]).toEqual([201, 200]);
  return answer.body.ref as string;
};

describe('POST /v1/admin/body-uploads', () => {
  it('provides an upload slot for a large body, which the actual request then uses', async () => {
    const workspace = await newWorkspace();
    const code = `module.exports = '${'🦊'.repeat(1_500_000)}'`;

    const ref = await slot(workspace, JSON.stringify({ name: 'Big', code }));
    const answer = await workspace.call('POST', '/bots', { headers: { 'x-body-ref': ref } });

    const { bots } = await workspace.owner.client.listBots({});
    expect(ref).toMatch(/^body_[0-9A-Za-z]{24}$/);
    expect(answer.status).toBe(201);
    expect(bots).toMatchObject([{ id: answer.body.bot.id, name: 'Big' }]);
  });

  it('accepts exactly the announced number of bytes', async () => {
    const { call } = await newWorkspace();
    const { url } = (await call('POST', '/body-uploads', { body: { size: 4 } })).body;

    const statuses = [];
    for (const body of ['[1,2]', '[]', '[12]']) statuses.push((await fetch(url, { method: 'PUT', body })).status);

    expect(statuses).toEqual([403, 403, 200]);
  });

  it.each(['{"name":', '', '{"name":""}'])('validates an uploaded body like any other: %s is a 400', async body => {
    const workspace = await newWorkspace();
    const ref = await slot(workspace, body || ' ');

    const answer = await workspace.call('POST', '/bots', { headers: { 'x-body-ref': ref } });

    expect(answer.body).toMatchObject({ code: 400, type: 'InvalidPayload' });
    expect((await workspace.owner.client.listBots({})).bots).toEqual([]);
  });

  it('returns 400 for a reference of another caller, an unknown one, and one besides a body', async () => {
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
  ])('returns for %j the status %i', async (body, status) => {
    const { call } = await newWorkspace();

    const answer = await call('POST', '/body-uploads', { body });

    expect(answer.status).toBe(status);
    if (status === 400) expect(answer.body).toMatchObject({ metadata: { issues: [{ path: 'size' }] } });
  });
});
