import { describe, expect, it } from 'vitest';
import { newName } from '#test/support/packages.ts';
import { newBotWithIntegration, newWorkspace, type TestWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const schema = { type: 'object' };
const newIntegration = async ({ owner }: TestWorkspace) =>
  (await owner.client.createIntegration({ name: newName(), version: '1.0.0', title: 'Mail' })).integration;

describe('PUT /v1/admin/integrations/{id}', () => {
  it('merges maps by key, and removes a key set to null', async () => {
    const { owner } = await newWorkspace();
    const { integration } = await owner.client.createIntegration({
      name: 'mail',
      version: '1.0.0',
      url: 'https://mail.example.com',
      events: { kept: { schema }, dropped: { schema } },
      channels: { inbox: { messages: { text: { schema }, image: { schema } } } },
      secrets: { OLD: '1', KEPT: '1' },
    });
    const changes = {
      title: 'After',
      url: null,
      events: { dropped: null, added: { schema } },
      channels: { inbox: { messages: { image: null } } },
      secrets: { OLD: null, NEW: '1' },
    };

    // biome-ignore lint/suspicious/noExplicitAny: the client's types do not allow every null
    await owner.client.updateIntegration({ id: integration.id, ...changes } as any);
    const { integration: after } = await owner.client.getIntegration({ id: integration.id });

    expect(after).toMatchObject({ name: 'mail', version: '1.0.0', title: 'After', url: '' });
    expect(Object.keys(after.events).sort()).toEqual(['added', 'kept']);
    expect(Object.keys(after.channels.inbox!.messages)).toEqual(['text']);
    expect(after.secrets.sort()).toEqual(['KEPT', 'NEW']);
    expect(Date.parse(after.updatedAt)).toBeGreaterThan(Date.parse(integration.updatedAt));
  });

  it('keeps all of several concurrent changes', async () => {
    const workspace = await newWorkspace();
    const { id } = await newIntegration(workspace);
    const names = Array.from({ length: 10 }, (_, i) => `event${i}`);

    await Promise.all(
      names.map(name => workspace.owner.client.updateIntegration({ id, events: { [name]: { schema } } })),
    );
    const { integration } = await workspace.owner.client.getIntegration({ id });

    expect(Object.keys(integration.events).sort()).toEqual(names);
  });

  it('keeps the count of its installations', async () => {
    const workspace = await newWorkspace();
    const { client } = workspace.owner;
    const { bot, integration } = await newBotWithIntegration(workspace);

    await client.updateIntegration({ id: integration.id, title: 'After' });
    const { bot: after } = await client.getBot({ id: bot.id });

    expect(after.integrations.chat!.title).toBe('After');
    await expect(client.deleteIntegration({ id: integration.id })).rejects.toMatchObject({ code: 409 });
  });

  it('publishes the integration to other workspaces, and makes it private again', async () => {
    const [mine, other] = [await newWorkspace(), await newWorkspace()];
    const { id } = await newIntegration(mine);

    await mine.owner.client.updateIntegration({ id, public: true });
    const { integration: seen } = await other.owner.client.getIntegration({ id });
    await mine.owner.client.updateIntegration({ id, visibility: 'private' });

    expect(seen).toMatchObject({ id, public: true, visibility: 'public' });
    await expect(other.owner.client.getIntegration({ id })).rejects.toMatchObject({ code: 404 });
  });

  it.each([
    ['a long title', { title: 't'.repeat(201) }, 'title'],
    ['an invalid URL', { url: 'mail' }, 'url'],
    ['a state of an unknown type', { states: { s: { type: 'bot', schema } } }, 'states.s.type'],
    ['a readme that is not base64', { readme: '# Read me!' }, 'readme'],
    ['an execution time of zero', { maxExecutionTime: 0 }, 'maxExecutionTime'],
  ])('rejects %s with a 400 that names the field', async (_, body, path) => {
    const workspace = await newWorkspace();
    const { id, updatedAt } = await newIntegration(workspace);

    const answer = await workspace.call('PUT', `/integrations/${id}`, { body });

    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ type: 'InvalidPayload', metadata: { issues: [{ path }] } });
    expect((await workspace.owner.client.getIntegration({ id })).integration.updatedAt).toBe(updatedAt);
  });

  it('returns 404 when it is unknown or belongs to another workspace, even a public one', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const { id } = await newIntegration(theirs);
    await theirs.owner.client.updateIntegration({ id, public: true });

    const answers = await Promise.all(
      ['intver_unknown', id].map(each => mine.call('PUT', `/integrations/${each}`, { body: { title: 'Mine' } })),
    );

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
    expect((await theirs.owner.client.getIntegration({ id })).integration.title).toBe('Mail');
  });
});
