import { describe, expect, it } from 'vitest';
import { newWorkspace, usePlatform } from '../platform.ts';

usePlatform();

describe('GET /v1/admin/integrations/{name}/{version}', () => {
  it.each(['mail', 'acme/mail'])('answers with the version asked for of the one called %s', async name => {
    const { owner } = await newWorkspace();
    await owner.client.createIntegration({ name, version: '1.0.0' });
    const { integration } = await owner.client.createIntegration({ name, version: '1.0.1-beta.1' });

    const { integration: found } = await owner.client.getIntegrationByName({ name, version: '1.0.1-beta.1' });

    expect(found).toEqual({ ...integration, signingSecret: '' });
  });

  // The path is taken by that of `deleteIntegrationApiKey`, and the name is not refused.
  it.fails('answers with one called iaks', async () => {
    const { owner } = await newWorkspace();
    const { integration } = await owner.client.createIntegration({ name: 'iaks', version: '1.0.0' });

    const { integration: found } = await owner.client.getIntegrationByName({ name: 'iaks', version: '1.0.0' });

    expect(found.id).toBe(integration.id);
  });

  it('tells those of two workspaces that are called the same apart', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const mail = { name: 'mail', version: '1.0.0' };
    const { integration: own } = await mine.owner.client.createIntegration(mail);
    await theirs.owner.client.createIntegration({ ...mail, public: true });

    const { integration } = await mine.owner.client.getIntegrationByName(mail);

    expect(integration.id).toBe(own.id);
  });

  it('answers 404 when the name or the version is unknown, or only another workspace has it', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    await mine.owner.client.createIntegration({ name: 'mail', version: '1.0.0' });
    await theirs.owner.client.createIntegration({ name: 'post', version: '1.0.0' });

    const answers = await Promise.all(
      ['nothing/1.0.0', 'mail/2.0.0', 'post/1.0.0'].map(path => mine.call('GET', `/integrations/${path}`)),
    );

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
  });
});
