import { describe, expect, it } from 'vitest';
import { newName } from '#test/support/packages.ts';
import {
  type AdminClient,
  newBotWithIntegration,
  newWorkspace,
  type TestWorkspace,
  useSharedPlatform,
} from '#test/support/platform.ts';

useSharedPlatform();

type Query = Parameters<AdminClient['listIntegrations']>[0];
const namesOf = ({ integrations }: { integrations: { name: string }[] }) => integrations.map(({ name }) => name);

/** Creates integrations with these names, newest last. */
async function newIntegrations({ owner }: TestWorkspace, ...names: string[]) {
  const ids: string[] = [];
  for (const name of names) ids.push((await owner.client.createIntegration({ name, version: '1.0.0' })).integration.id);
  return ids;
}

describe('GET /v1/admin/integrations', () => {
  it('lists the integrations of this workspace only, newest first', async () => {
    const [mine, theirs] = [await newWorkspace('Mine'), await newWorkspace()];
    await theirs.owner.client.createIntegration({ name: newName(), version: '1.0.0', public: true });
    await newIntegrations(mine, 'a', 'b');

    const { integrations, meta } = await mine.owner.client.listIntegrations({});

    expect(namesOf({ integrations })).toEqual(['b', 'a']);
    expect(integrations[0]).toMatchObject({
      version: '1.0.0',
      title: 'b',
      visibility: 'private',
      ownerWorkspace: { id: mine.id, handle: null, name: 'Mine' },
    });
    expect(integrations[0]).not.toHaveProperty('matchedOn');
    expect(meta).toEqual({});
  });

  it.each<[Query, string[]]>([
    [{}, ['m', 'a', 'z']],
    [{ direction: 'asc' }, ['z', 'a', 'm']],
    [{ sortBy: 'updatedAt' }, ['z', 'm', 'a']],
    [{ sortBy: 'name' }, ['a', 'm', 'z']],
    [{ sortBy: 'name', direction: 'desc' }, ['z', 'm', 'a']],
    [{ sortBy: 'installCount' }, ['a', 'm', 'z']],
    [{ sortBy: 'popularity', direction: 'asc' }, ['z', 'm', 'a']],
  ])('sorts by %j across pages', async (order, names) => {
    const workspace = await newWorkspace();
    const { client } = workspace.owner;
    const [z, a, m] = await newIntegrations(workspace, 'z', 'a', 'm');
    const { bot } = await client.createBot({});
    const install = (integrationId: string) => ({ integrationId, enabled: true });
    await client.updateBot({ id: bot.id, integrations: { one: install(a!), two: install(a!), three: install(m!) } });
    await client.updateIntegration({ id: z!, title: 'changed' });

    const first = await client.listIntegrations({ ...order, pageSize: 2 });
    const second = await client.listIntegrations({ ...order, pageSize: 2, nextToken: first.meta.nextToken });

    expect([namesOf(first), namesOf(second)]).toEqual([names.slice(0, 2), names.slice(2)]);
    expect(second.meta.nextToken).toBeUndefined();
  });

  it('keeps its position when integrations are created or deleted between pages', async () => {
    const workspace = await newWorkspace();
    const { client } = workspace.owner;
    const [, , c] = await newIntegrations(workspace, 'a', 'b', 'c', 'd');

    const first = await client.listIntegrations({ limit: 2 });
    // Deletes the last integration of the first page.
    await client.deleteIntegration({ id: c! });
    await newIntegrations(workspace, 'e');
    const second = await client.listIntegrations({ limit: 2, nextToken: first.meta.nextToken });

    expect([namesOf(first), namesOf(second)]).toEqual([
      ['d', 'c'],
      ['b', 'a'],
    ]);
  });

  it('searches and names the matching fields', async () => {
    const { owner } = await newWorkspace();
    const { client } = owner;
    const action = { input: { schema: {} }, output: { schema: {} } };
    await client.createIntegration({ name: 'mail', version: '1.0.0', title: 'E-Mail' });
    await client.createIntegration({ name: 'post', version: '1.0.0', description: 'No mail at all' });
    await client.createIntegration({ name: 'crm', version: '1.0.0', actions: { sendMail: action, call: action } });
    await client.createIntegration({ name: 'fax', version: '1.0.0' });

    const { integrations } = await client.listIntegrations({ search: 'MAIL', sortBy: 'name' });

    expect(integrations.map(({ name, matchedOn }) => [name, matchedOn])).toEqual([
      ['crm', { actions: ['sendMail'] }],
      ['mail', { name: true, title: true }],
      ['post', { description: true }],
    ]);
  });

  it('filters by name, version, visibility, dev and the bot with the installation', async () => {
    const workspace = await newWorkspace();
    const { client } = workspace.owner;
    const { bot, integration } = await newBotWithIntegration(workspace);
    const open = newName();
    await client.createIntegration({ name: open, version: '2.0.0', public: true });
    await client.createIntegration({ name: 'draft', version: '1.0.0', dev: true });
    const found = async (query: Query) => namesOf(await client.listIntegrations({ ...query, sortBy: 'name' }));

    const answers = await Promise.all([
      found({ name: open }),
      found({ version: '2.0.0' }),
      found({ visibility: 'public' }),
      found({ dev: true }),
      found({ installedByBotId: bot.id }),
      found({ name: open, dev: true }),
    ]);

    expect(answers).toEqual([[open], [open], [open], ['draft'], [integration.name], []]);
  });

  it('returns 404 when the bot of the filter belongs to another workspace', async () => {
    const mine = await newWorkspace();
    const { bot } = await newBotWithIntegration(await newWorkspace());

    const listing = mine.owner.client.listIntegrations({ installedByBotId: bot.id });

    await expect(listing).rejects.toMatchObject({ code: 404, type: 'ResourceNotFound' });
  });

  it.each([
    ['pageSize=0', 'pageSize'],
    ['limit=101', 'limit'],
    ['sortBy=size', 'sortBy'],
    ['direction=up', 'direction'],
    ['visibility=unseen', 'visibility'],
    [`search=${'s'.repeat(501)}`, 'search'],
    ['nextToken=nonsense', 'nextToken'],
  ])('rejects ?%s with a 400 that names the field', async (query, path) => {
    const workspace = await newWorkspace();

    const { status, body } = await workspace.call('GET', `/integrations?${query}`);

    expect(status).toBe(400);
    expect(body).toMatchObject({ type: 'InvalidPayload', metadata: { issues: [{ path }] } });
  });
});
