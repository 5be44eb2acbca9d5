import { describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { newWorkspace, type TestWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

async function newIntegration(workspace: TestWorkspace) {
  const { integration } = await workspace.owner.client.createIntegration({ name: 'mail', version: '1.0.0' });
  return integration.id;
}

describe('GET /v1/admin/integrations/iaks', () => {
  it('lists the keys of this integration only, oldest first, without their values', async () => {
    const workspace = await newWorkspace();
    const { client } = workspace.owner;
    const integrationId = await newIntegration(workspace);
    const first = await client.createIntegrationApiKey({ integrationId, note: 'first' });
    await client.createIntegrationApiKey({ integrationId, note: 'second' });

    const { iaks } = await client.listIntegrationApiKeys({ integrationId });

    expect(iaks.map(({ note }) => note)).toEqual(['first', 'second']);
    expect(iaks[0]).toEqual({ id: first.id, createdAt: first.createdAt, createdBy: expect.any(String), note: 'first' });
  });

  it('shows the expiry, scopes and last use of a key', async () => {
    const workspace = await newWorkspace();
    const integrationId = await newIntegration(workspace);
    const limits = { expiresAt: new Date(clock.now() + 3600_000).toISOString(), scopes: ['admin'] };
    const { body: key } = await workspace.call('POST', '/integrations/iaks', { body: { integrationId, ...limits } });
    await workspace.call('POST', '/introspect', { token: key.value, body: { botId: crypto.randomUUID() } });

    const { body } = await workspace.call('GET', `/integrations/iaks?integrationId=${integrationId}`);

    expect(body.iaks).toEqual([
      {
        id: key.id,
        createdAt: key.createdAt,
        createdBy: expect.any(String),
        note: '',
        ...limits,
        lastUsedAt: expect.any(String),
      },
    ]);
  });

  it('returns 404 when the integration is unknown or belongs to another workspace', async () => {
    const mine = await newWorkspace();
    const foreign = await newIntegration(await newWorkspace());

    const answers = await Promise.all(
      ['intver_unknown', foreign].map(id => mine.call('GET', `/integrations/iaks?integrationId=${id}`)),
    );

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
  });

  it('returns 400 without an integrationId', async () => {
    const workspace = await newWorkspace();

    const answer = await workspace.call('GET', '/integrations/iaks');

    expect(answer).toMatchObject({ status: 400, body: { metadata: { issues: [{ path: 'integrationId' }] } } });
  });
});
