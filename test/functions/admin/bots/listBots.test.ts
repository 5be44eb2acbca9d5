import { describe, expect, it } from 'vitest';
import { newBotWithIntegration, newWorkspace, type TestWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

/** Creates bots with these names, newest last. */
async function newBots({ owner }: TestWorkspace, ...names: string[]) {
  const ids: string[] = [];
  for (const name of names) ids.push((await owner.client.createBot({ name, tags: { name, of: 'all' } })).bot.id);
  return ids;
}
const namesOf = ({ bots }: { bots: { name: string }[] }) => bots.map(({ name }) => name);
const namedIn = async (workspace: TestWorkspace, query: string) =>
  namesOf((await workspace.call('GET', `/bots?${query}`)).body);

describe('GET /v1/admin/bots', () => {
  it('lists the bots of this workspace only, newest first', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    await newBots(theirs, 'theirs');
    const [id] = await newBots(mine, 'a', 'b');

    const { bots, meta } = await mine.owner.client.listBots({});

    expect(namesOf({ bots })).toEqual(['b', 'a']);
    expect(bots[1]).toEqual({
      id,
      name: 'a',
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      deployedAt: undefined,
      tags: { name: 'a', of: 'all' },
      type: 'studio',
      dev: false,
      endpoint: { status: 'missing' },
    });
    expect(meta).toEqual({});
  });

  it('keeps its position when bots are created or deleted between pages', async () => {
    const workspace = await newWorkspace();
    const { client } = workspace.owner;
    const [, , c] = await newBots(workspace, 'a', 'b', 'c', 'd');

    const first = await client.listBots({ pageSize: 2 });
    // Deletes the last bot of the first page.
    await client.deleteBot({ id: c! });
    await newBots(workspace, 'e');
    const second = await client.listBots({ pageSize: 2, nextToken: first.meta.nextToken });

    expect(namesOf(first)).toEqual(['d', 'c']);
    expect(namesOf(second)).toEqual(['b', 'a']);
    expect(second.meta.nextToken).toBeUndefined();
  });

  it('filters by tags in every notation', async () => {
    const workspace = await newWorkspace();
    await newBots(workspace, 'a', 'b');
    const json = encodeURIComponent(JSON.stringify({ name: 'a', of: 'all' }));

    const dotted = namesOf(await workspace.owner.client.listBots({ tags: { name: 'a', of: 'all' } }));
    const bracketed = await namedIn(workspace, 'tags[name]=a&tags[of]=all');
    const encoded = await namedIn(workspace, `tags=${json}`);

    expect([dotted, bracketed, encoded]).toEqual([['a'], ['a'], ['a']]);
    expect(await namedIn(workspace, 'tags[name]=a&tags[of]=none')).toEqual([]);
  });

  it('filters by dev, integration names and plugin names', async () => {
    const workspace = await newWorkspace();
    const { client } = workspace.owner;
    const { integration } = await newBotWithIntegration(workspace);
    await client.createBot({ name: 'Dev', dev: true });

    const dev = await client.listBots({ dev: true });
    const notDev = await client.listBots({ dev: false });
    const installed = await client.listBots({ integrationNames: [integration.name] });
    const both = await client.listBots({ integrationNames: [integration.name, 'other'] });

    expect([dev, notDev, installed, both].map(namesOf)).toEqual([['Dev'], ['Bot'], ['Bot'], []]);
  });

  it.each([
    ['createdAt', 'asc', ['a', 'b', 'c']],
    ['createdAt', 'desc', ['c', 'b', 'a']],
    ['updatedAt', 'asc', ['b', 'c', 'a']],
    ['updatedAt', 'desc', ['a', 'c', 'b']],
  ] as const)('sorts by %s %s across pages', async (sortField, sortDirection, order) => {
    const workspace = await newWorkspace();
    const { client } = workspace.owner;
    const [a] = await newBots(workspace, 'a', 'b', 'c');
    await client.updateBot({ id: a!, description: 'changed' });
    const query = { sortField, sortDirection, pageSize: 2 };

    const first = await client.listBots(query);
    const second = await client.listBots({ ...query, nextToken: first.meta.nextToken });

    expect([...namesOf(first), ...namesOf(second)]).toEqual(order);
  });

  it('returns 400 for a nextToken that this list did not issue', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    await newBots(mine, 'a', 'b');
    await newBots(theirs, 'c', 'd');
    const { meta: own } = await mine.owner.client.listBots({ pageSize: 1 });
    const { meta: foreign } = await theirs.owner.client.listBots({ pageSize: 1 });
    const withToken = (nextToken: string, more = '') =>
      mine.call('GET', `/bots?pageSize=1&nextToken=${encodeURIComponent(nextToken)}${more}`);

    const answers = [
      await withToken(foreign.nextToken!),
      await withToken(`${own.nextToken}A`),
      await withToken('nonsense'),
      await withToken(own.nextToken!, '&dev=true'),
    ];

    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 400, body: { metadata: { issues: [{ path: 'nextToken' }] } } });
    }
    expect((await withToken(own.nextToken!)).status).toBe(200);
  });

  it.each([
    ['pageSize=0', 'pageSize'],
    ['pageSize=101', 'pageSize'],
    ['pageSize=two', 'pageSize'],
    ['dev=maybe', 'dev'],
    ['tags=care', 'tags'],
    ['sortField=name', 'sortField'],
    ['sortDirection=up', 'sortDirection'],
  ])('rejects ?%s with a 400 that names the field', async (query, path) => {
    const workspace = await newWorkspace();

    const { status, body } = await workspace.call('GET', `/bots?${query}`);

    expect(status).toBe(400);
    expect(body).toMatchObject({ type: 'InvalidPayload', metadata: { issues: [{ path }] } });
  });
});
