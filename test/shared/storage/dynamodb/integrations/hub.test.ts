import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { newWorkspace, type TestWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const newHandle = () => `h-${randomUUID().slice(0, 12)}`;

async function workspaceWith(handle: string): Promise<TestWorkspace> {
  const workspace = await newWorkspace();
  await workspace.owner.client.updateWorkspace({ id: workspace.id, handle });
  return workspace;
}

const KINDS = [
  ['integrations', { visibility: 'public' }],
  ['interfaces', { public: true }],
  ['plugins', { visibility: 'public', code: { node: '1', browser: '1' } }],
] as const;

describe.each(KINDS)('a name with a handle, among %s', (kind, published) => {
  const create = ({ call }: TestWorkspace, name: string, more: object = published) =>
    call('POST', `/${kind}`, { body: { name, version: '1.0.0', ...more } });

  it('can be published by the workspace that has the handle', async () => {
    const handle = newHandle();

    expect((await create(await workspaceWith(handle), `${handle}/mail`)).status).toBe(201);
  });

  it('is rejected with a 403 that names the handle, if another or no workspace has it', async () => {
    const handle = newHandle();
    await workspaceWith(handle);
    const other = await workspaceWith(newHandle());

    const answers = [await create(other, `${handle}/mail`), await create(other, `${newHandle()}/mail`)];

    for (const { status, body } of answers) expect([status, body.type]).toEqual([403, 'Forbidden']);
    expect(answers[0]!.body.message).toContain(handle);
  });

  it('can be used by anyone for private packages, which cannot be published later', async () => {
    const handle = newHandle();
    const other = await newWorkspace();
    const { code } = { code: undefined, ...published };

    const { status, body } = await create(other, `${handle}/mail`, { code });
    const id = Object.values<{ id: string }>(body)[0]!.id;
    const updated = await other.call('PUT', `/${kind}/${id}`, { body: published });

    expect(status).toBe(201);
    expect([updated.status, updated.body.type]).toEqual([403, 'Forbidden']);
  });
});

it("is rejected in a dry run with another workspace's handle", async () => {
  const { call } = await newWorkspace();
  const body = { name: `${newHandle()}/mail`, version: '1.0.0', visibility: 'public' };

  const { status } = await call('POST', '/integrations/validate', { body });

  expect(status).toBe(403);
});
