import { describe, expect, it } from 'vitest';
import { newName } from '#test/support/packages.ts';
import { newWorkspace, type TestWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const publish = async (
  { owner }: TestWorkspace,
  fields: { name: string; version?: string; title?: string; dev?: boolean },
) => (await owner.client.createIntegration({ version: '1.0.0', visibility: 'public', ...fields })).integration;

describe('GET /v1/admin/hub/integrations', () => {
  it('lists public integrations of every workspace with their publisher', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace('Theirs')];
    const name = newName();
    const published = await publish(theirs, { name });
    await theirs.owner.client.createIntegration({ name, version: '1.1.0' });
    await theirs.owner.client.createIntegration({ name, version: '1.2.0', visibility: 'unlisted' });

    const { integrations } = await mine.owner.client.listPublicIntegrations({ name });

    expect(integrations).toMatchObject([
      {
        id: published.id,
        visibility: 'public',
        ownerWorkspace: { id: theirs.id, handle: null, name: 'Theirs' },
        meta: { installs: 0, views: 0 },
      },
    ]);
  });

  it('sorts, searches and pages', async () => {
    const workspace = await newWorkspace();
    const { client } = workspace.owner;
    const search = newName();
    for (const title of ['b', 'c', 'a']) await publish(workspace, { name: `${title}-${search}`, title });

    const first = await client.listPublicIntegrations({ search, sortBy: 'name', pageSize: 2 });
    const second = await client.listPublicIntegrations({
      search,
      sortBy: 'name',
      pageSize: 2,
      nextToken: first.meta.nextToken,
    });
    const newest = await client.listPublicIntegrations({ search });

    expect([...first.integrations, ...second.integrations].map(({ title }) => title)).toEqual(['a', 'b', 'c']);
    expect(newest.integrations.map(({ title }) => title)).toEqual(['a', 'c', 'b']);
    expect(newest.integrations[0]).toMatchObject({ matchedOn: { name: true } });
  });

  it('reflects publishing, unpublishing and deletion, and excludes development versions', async () => {
    const workspace = await newWorkspace();
    const { client } = workspace.owner;
    const name = newName();
    const { id } = await publish(workspace, { name });
    await publish(workspace, { name, version: '2.0.0', dev: true });
    const listed = async () => (await client.listPublicIntegrations({ name })).integrations.map(each => each.version);
    const seen = [await listed()];

    await client.updateIntegration({ id, visibility: 'private' });
    seen.push(await listed());
    await client.updateIntegration({ id, public: true });
    seen.push(await listed());
    await client.deleteIntegration({ id });
    seen.push(await listed());

    expect(seen).toEqual([['1.0.0'], [], ['1.0.0'], []]);
  });

  it('reserves a published name for the workspace that published it first', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const name = newName();
    await publish(theirs, { name });
    const { integration: own } = await mine.owner.client.createIntegration({ name, version: '1.0.0' });

    const created = await mine.call('POST', '/integrations', { body: { name, version: '2.0.0', public: true } });
    const updated = await mine.call('PUT', `/integrations/${own.id}`, { body: { visibility: 'public' } });

    for (const answer of [created, updated])
      expect(answer).toMatchObject({ status: 409, body: { type: 'AlreadyExists' } });
    expect((await mine.owner.client.getIntegration({ id: own.id })).integration.visibility).toBe('private');
  });
});
