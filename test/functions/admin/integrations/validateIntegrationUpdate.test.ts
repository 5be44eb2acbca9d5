import { describe, expect, it } from 'vitest';
import { newName } from '#test/support/packages.ts';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('PUT /v1/admin/integrations/{id}/validate', () => {
  it('accepts a valid update, and changes nothing', async () => {
    const { owner } = await newWorkspace();
    const { integration } = await owner.client.createIntegration({ name: newName(), version: '1.0.0', title: 'Old' });

    const answer = await owner.client.validateIntegrationUpdate({ id: integration.id, title: 'New', public: true });

    expect(answer).toEqual({});
    expect((await owner.client.getIntegration({ id: integration.id })).integration.title).toBe('Old');
  });

  it('returns the errors of updateIntegration', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const name = newName();
    const { integration: foreign } = await theirs.owner.client.createIntegration({
      name,
      version: '1.0.0',
      public: true,
    });
    const { integration: own } = await mine.owner.client.createIntegration({ name, version: '1.0.0' });
    const requests = [
      [own.id, { readme: '#' }],
      [own.id, { visibility: 'public' }],
      [own.id, { interfaces: { listable: { id: 'ifver_nothing' } } }],
      [foreign.id, { title: 'x' }],
    ] as const;

    for (const [id, body] of requests) {
      const validated = await mine.call('PUT', `/integrations/${id}/validate`, { body });
      const updated = await mine.call('PUT', `/integrations/${id}`, { body });

      expect([validated.status, validated.body.type, validated.body.message]).toEqual([
        updated.status,
        updated.body.type,
        updated.body.message,
      ]);
      expect(validated.status).toBeGreaterThanOrEqual(400);
    }
  });
});
