import { describe, expect, it } from 'vitest';
import { newWorkspace, type TestWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

async function newIntegration(workspace: TestWorkspace) {
  const { integration } = await workspace.owner.client.createIntegration({ name: 'mail', version: '1.0.0' });
  return integration.id;
}

describe('DELETE /v1/admin/integrations/iaks/{id}', () => {
  it('revokes this key and no other', async () => {
    const workspace = await newWorkspace();
    const { client } = workspace.owner;
    const integrationId = await newIntegration(workspace);
    const [ended, kept] = [
      await client.createIntegrationApiKey({ integrationId }),
      await client.createIntegrationApiKey({ integrationId }),
    ];

    await client.deleteIntegrationApiKey({ id: ended.id });
    // First use of both keys: functions cache valid keys for 30 s.
    const uses = [ended, kept].map(({ value }) => workspace.call('GET', '/account/me', { token: value }));
    const { iaks } = await client.listIntegrationApiKeys({ integrationId });

    expect(iaks.map(({ id }) => id)).toEqual([kept.id]);
    expect((await Promise.all(uses)).map(({ status }) => status)).toEqual([401, 403]);
  });

  it('returns 404 when the key is unknown or already deleted', async () => {
    const workspace = await newWorkspace();
    const { client } = workspace.owner;
    const key = await client.createIntegrationApiKey({ integrationId: await newIntegration(workspace) });
    await client.deleteIntegrationApiKey({ id: key.id });

    const answers = await Promise.all(
      [key.id, `${key.id}x`, 'nonsense'].map(id => workspace.call('DELETE', `/integrations/iaks/${id}`)),
    );

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
  });

  it('returns 404 and keeps the key when it belongs to another workspace', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const integrationId = await newIntegration(theirs);
    const key = await theirs.owner.client.createIntegrationApiKey({ integrationId });

    const deletion = mine.owner.client.deleteIntegrationApiKey({ id: key.id });

    await expect(deletion).rejects.toMatchObject({ code: 404, type: 'ResourceNotFound' });
    expect((await theirs.owner.client.listIntegrationApiKeys({ integrationId })).iaks).toHaveLength(1);
  });
});
