import { expect, it } from 'vitest';
import { openText } from '#shared/storage/dynamodb/secrets/sealed.ts';
import { newWorkspace } from '#test/support/platform.ts';
import type { Owner } from './adminOwners.ts';

/** Tests the operation that rotates the signing secret of a bot or an integration. */
export function testRotateSecrets(owner: Owner): void {
  it('returns a new secret, and keeps the previous one valid for a day', async () => {
    const workspace = await newWorkspace();
    const { id, signingSecret } = await owner.create(workspace);

    const { newSigningSecret } = await owner.rotateSecrets(workspace.owner.client, id);

    expect(newSigningSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(newSigningSecret).not.toBe(signingSecret);
    const stored = (await owner.storedSecrets(id)).map(({ sealed, untilMs }) => ({
      secret: openText(sealed, { owner: id, field: 'signingSecrets' }),
      untilMs,
    }));
    expect(stored).toEqual([
      { secret: newSigningSecret, untilMs: undefined },
      { secret: signingSecret, untilMs: expect.any(Number) },
    ]);
    expect(await owner.signingSecretOf(workspace.owner.client, id)).toBe('');
  });

  it('writes a log line and an audit record', async () => {
    const workspace = await newWorkspace();
    const { client } = workspace.owner;
    const { id, createdAt } = await owner.create(workspace);

    await owner.rotateSecrets(client, id);
    const { logs } = await owner.getLogs(client, id, { timeStart: createdAt });
    const { records } = await client.getAuditRecords({ id: workspace.id });

    expect(logs).toEqual([expect.objectContaining({ level: 'info', message: 'The signing secret was rotated.' })]);
    expect(records).toContainEqual(
      expect.objectContaining({
        resourceId: id,
        userId: workspace.owner.accountId,
        value: owner.rotationAction,
      }),
    );
  });

  it('keeps the secrets of all concurrent rotations', async () => {
    const workspace = await newWorkspace();
    const { id, signingSecret } = await owner.create(workspace);

    const answers = await Promise.all([1, 2, 3].map(() => owner.rotateSecrets(workspace.owner.client, id)));

    const expected = [signingSecret, ...answers.map(({ newSigningSecret }) => newSigningSecret)];
    expect(
      (await owner.storedSecrets(id))
        .map(({ sealed }) => openText(sealed, { owner: id, field: 'signingSecrets' }))
        .sort(),
    ).toEqual(expected.sort());
  });

  it(`returns 404 when the ${owner.name} is unknown or belongs to another workspace`, async () => {
    const mine = await newWorkspace();
    const foreign = await owner.create(await newWorkspace());

    const answers = await Promise.all(
      [owner.unknownId, foreign.id].map(id => mine.call('POST', `${owner.path}/${id}/signing-secrets/rotate`)),
    );

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
    expect(
      (await owner.storedSecrets(foreign.id)).map(({ sealed }) =>
        openText(sealed, { owner: foreign.id, field: 'signingSecrets' }),
      ),
    ).toEqual([foreign.signingSecret]);
  });
}
