import { describe, expect, it } from 'vitest';
import { newName } from '#test/support/packages.ts';
import { newBotWithIntegration, newWorkspace, type TestWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const mail = { name: 'mail', version: '1.0.0' };
const newIntegration = async ({ owner }: TestWorkspace) => (await owner.client.createIntegration(mail)).integration;

describe('DELETE /v1/admin/integrations/{id}', () => {
  it('deletes the integration and its keys, and frees its name', async () => {
    const workspace = await newWorkspace();
    const { client } = workspace.owner;
    const { id } = await newIntegration(workspace);
    const { value: token } = await client.createIntegrationApiKey({ integrationId: id });

    await client.deleteIntegration({ id });
    const use = await workspace.call('GET', '/account/me', { token });
    const { integration: next } = await client.createIntegration(mail);
    const { usage } = await client.getUsage({ id: workspace.id, type: 'integrations_owned_count' });

    expect(use.status).toBe(401);
    await expect(client.getIntegration({ id })).rejects.toMatchObject({ code: 404 });
    expect((await client.getIntegrationByName(mail)).integration.id).toBe(next.id);
    expect(usage.value).toBe(1);
  });

  it('returns 409 while it is installed on a bot, and deletes it afterwards', async () => {
    const workspace = await newWorkspace();
    const { client } = workspace.owner;
    const { bot, integration } = await newBotWithIntegration(workspace);
    await client.updateBot({ id: bot.id, integrations: { chat: { enabled: false } } });

    const early = await workspace.call('DELETE', `/integrations/${integration.id}`);
    await client.updateBot({ id: bot.id, integrations: { chat: null } });
    const late = await workspace.call('DELETE', `/integrations/${integration.id}`);

    expect(early).toMatchObject({ status: 409, body: { type: 'ReferenceConstraint' } });
    expect([late.status, late.body]).toEqual([200, {}]);
  });

  it('returns 409 while it is installed on a bot of another workspace', async () => {
    const [mine, other] = [await newWorkspace(), await newWorkspace()];
    const { integration } = await mine.owner.client.createIntegration({ ...mail, name: newName(), public: true });
    const { bot } = await other.owner.client.createBot({});
    await other.owner.client.updateBot({ id: bot.id, integrations: { mail: { integrationId: integration.id } } });

    const deletion = mine.owner.client.deleteIntegration({ id: integration.id });

    await expect(deletion).rejects.toMatchObject({ code: 409, type: 'ReferenceConstraint' });
  });

  it('lets developers delete only integrations they created', async () => {
    const workspace = await newWorkspace();
    const developer = await workspace.join('developer');
    const foreign = await newIntegration(workspace);
    const { integration: own } = await developer.client.createIntegration({ ...mail, version: '2.0.0' });

    const deleted = await developer.client.deleteIntegration({ id: own.id });
    const refused = developer.client.deleteIntegration({ id: foreign.id });

    expect(deleted).toEqual({});
    await expect(refused).rejects.toMatchObject({ code: 403, type: 'Forbidden' });
    expect((await workspace.owner.client.getIntegration({ id: foreign.id })).integration.id).toBe(foreign.id);
  });

  it('returns 404 when it is deleted, unknown or belongs to another workspace', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const [own, foreign] = [await newIntegration(mine), await newIntegration(theirs)];
    await mine.owner.client.deleteIntegration({ id: own.id });

    const answers = await Promise.all(
      [own.id, 'intver_unknown', foreign.id].map(id => mine.call('DELETE', `/integrations/${id}`)),
    );

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
    expect((await theirs.owner.client.getIntegration({ id: foreign.id })).integration.id).toBe(foreign.id);
  });
});
