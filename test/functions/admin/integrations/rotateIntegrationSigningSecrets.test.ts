import { describe, expect, it } from 'vitest';
import { findIntegration } from '#shared/storage/dynamodb/integrations/integrations.ts';
import { openText } from '#shared/storage/dynamodb/secrets/sealed.ts';
import { newWorkspace, type TestWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

async function newIntegration(workspace: TestWorkspace) {
  const { integration } = await workspace.owner.client.createIntegration({ name: 'mail', version: '1.0.0' });
  return integration;
}
const secretsOf = async (id: string) => (await findIntegration(id))!.signingSecrets;

describe('POST /v1/admin/integrations/{id}/signing-secrets/rotate', () => {
  it('returns a new secret, and keeps the previous one valid for a day', async () => {
    const workspace = await newWorkspace();
    const { id, signingSecret } = await newIntegration(workspace);

    const { newSigningSecret } = await workspace.owner.client.rotateIntegrationSigningSecrets({ id });

    expect(newSigningSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(newSigningSecret).not.toBe(signingSecret);
    const stored = (await secretsOf(id)).map(({ sealed, untilMs }) => ({
      secret: openText(sealed, { owner: id, field: 'signingSecrets' }),
      untilMs,
    }));
    expect(stored).toEqual([
      { secret: newSigningSecret, untilMs: undefined },
      { secret: signingSecret, untilMs: expect.any(Number) },
    ]);
    expect((await workspace.owner.client.getIntegration({ id })).integration.signingSecret).toBe('');
  });

  it('writes a log line and an audit record', async () => {
    const workspace = await newWorkspace();
    const { client } = workspace.owner;
    const { id, createdAt } = await newIntegration(workspace);

    await client.rotateIntegrationSigningSecrets({ id });
    const { logs } = await client.getIntegrationLogs({ id, timeStart: createdAt });
    const { records } = await client.getAuditRecords({ id: workspace.id });

    expect(logs).toEqual([expect.objectContaining({ level: 'info', message: 'The signing secret was rotated.' })]);
    expect(records).toContainEqual(
      expect.objectContaining({
        resourceId: id,
        userId: workspace.owner.accountId,
        value: 'ROTATE_INTEGRATION_SIGNING_SECRETS',
      }),
    );
  });

  it('keeps the secrets of all concurrent rotations', async () => {
    const workspace = await newWorkspace();
    const { id, signingSecret } = await newIntegration(workspace);

    const answers = await Promise.all(
      [1, 2, 3].map(() => workspace.owner.client.rotateIntegrationSigningSecrets({ id })),
    );

    const wanted = [signingSecret, ...answers.map(({ newSigningSecret }) => newSigningSecret)];
    expect(
      (await secretsOf(id)).map(({ sealed }) => openText(sealed, { owner: id, field: 'signingSecrets' })).sort(),
    ).toEqual(wanted.sort());
  });

  it('returns 404 when the integration is unknown or belongs to another workspace', async () => {
    const mine = await newWorkspace();
    const foreign = await newIntegration(await newWorkspace());

    const answers = await Promise.all(
      ['intver_unknown', foreign.id].map(id => mine.call('POST', `/integrations/${id}/signing-secrets/rotate`)),
    );

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
    expect(
      (await secretsOf(foreign.id)).map(({ sealed }) =>
        openText(sealed, { owner: foreign.id, field: 'signingSecrets' }),
      ),
    ).toEqual([foreign.signingSecret]);
  });
});
