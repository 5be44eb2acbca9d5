import { describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { newWorkspace, type TestWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

async function newIntegration(workspace: TestWorkspace) {
  const { integration } = await workspace.owner.client.createIntegration({ name: 'mail', version: '1.0.0' });
  return integration.id;
}

describe('POST /v1/admin/integrations/iaks', () => {
  it('creates a working key and shows its value only once', async () => {
    const workspace = await newWorkspace();
    const { client } = workspace.owner;
    const integrationId = await newIntegration(workspace);

    const key = await client.createIntegrationApiKey({ integrationId, note: 'for CI' });
    const use = await workspace.call('GET', '/account/me', { token: key.value });
    const { iaks } = await client.listIntegrationApiKeys({ integrationId });

    expect(key).toEqual({
      id: expect.any(String),
      createdAt: expect.any(String),
      createdBy: workspace.owner.accountId,
      note: 'for CI',
      value: expect.stringMatching(/^bp_iak_[A-Za-z0-9_-]{36}$/),
    });
    // A 403 shows that the key is valid; an invalid key would be a 401.
    expect(use.status).toBe(403);
    expect(JSON.stringify(iaks)).not.toContain(key.value);
  });

  it('stores the expiry and scopes of the key', async () => {
    const workspace = await newWorkspace();
    const integrationId = await newIntegration(workspace);
    const [expiresAt, scopes] = [new Date(clock.now() + 3600_000).toISOString(), ['chat', 'admin:read']];

    const { status, body } = await workspace.call('POST', '/integrations/iaks', {
      body: { integrationId, expiresAt, scopes },
    });

    expect(status).toBe(201);
    expect(body).toMatchObject({ note: '', expiresAt, scopes });
  });

  it.each([
    ['an expiry in the past', { expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    ['an invalid expiry', { expiresAt: 'tomorrow' }, 'expiresAt'],
    ['an unknown scope', { scopes: ['chat', 'moon'] }, 'scopes'],
    ['an empty list of scopes', { scopes: [] }, 'scopes'],
    ['a long note', { note: 'n'.repeat(501) }, 'note'],
    ['no integration', { integrationId: undefined }, 'integrationId'],
  ])('rejects %s with a 400 that names the field', async (_, fields, path) => {
    const workspace = await newWorkspace();
    const integrationId = await newIntegration(workspace);

    const { status, body } = await workspace.call('POST', '/integrations/iaks', { body: { integrationId, ...fields } });

    expect(status).toBe(400);
    expect(body).toMatchObject({ type: 'InvalidPayload', metadata: { issues: [{ path }] } });
    expect((await workspace.owner.client.listIntegrationApiKeys({ integrationId })).iaks).toEqual([]);
  });

  it('returns 404 when the integration is unknown or belongs to another workspace', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const foreign = await newIntegration(theirs);

    const answers = await Promise.all(
      ['intver_unknown', foreign].map(integrationId =>
        mine.call('POST', '/integrations/iaks', { body: { integrationId } }),
      ),
    );

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
    expect((await theirs.owner.client.listIntegrationApiKeys({ integrationId: foreign })).iaks).toEqual([]);
  });
});
