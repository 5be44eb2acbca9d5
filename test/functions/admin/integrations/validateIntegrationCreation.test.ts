import { describe, expect, it } from 'vitest';
import { newName } from '#test/support/packages.ts';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('POST /v1/admin/integrations/validate', () => {
  it('accepts a valid integration, and creates nothing', async () => {
    const { owner } = await newWorkspace();

    const answer = await owner.client.validateIntegrationCreation({
      name: 'mail',
      version: '1.0.0',
      secrets: { KEY: 'x' },
    });

    expect(answer).toEqual({});
    expect((await owner.client.listIntegrations({})).integrations).toEqual([]);
  });

  it('returns the errors of createIntegration', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const name = newName();
    await theirs.owner.client.createIntegration({ name, version: '1.0.0', public: true });
    await mine.owner.client.createIntegration({ name: 'mail', version: '1.0.0' });
    const bodies = [
      { name: 'mail', version: '1.0' },
      { name: 'mail', version: '2.0.0', icon: '<svg/>' },
      { name, version: '1.0.0', visibility: 'public' },
      { name: 'post', version: '1.0.0', interfaces: { listable: { id: 'ifver_nothing' } } },
    ];

    for (const body of bodies) {
      const validated = await mine.call('POST', '/integrations/validate', { body });
      const created = await mine.call('POST', '/integrations', { body });

      expect([validated.status, validated.body.type, validated.body.message]).toEqual([
        created.status,
        created.body.type,
        created.body.message,
      ]);
      expect(validated.status).toBeGreaterThanOrEqual(400);
    }
    const taken = await mine.call('POST', '/integrations/validate', { body: { name: 'mail', version: '1.0.0' } });
    expect(taken).toMatchObject({ status: 409, body: { type: 'AlreadyExists' } });
  });
});
