import { describe, expect, it } from 'vitest';
import { seedInbox } from '#shared/domain/admin/integrations/seedInbox.ts';
import { seedInterfaces } from '#shared/domain/admin/packages/seedInterfaces.ts';
import { newBot, newWorkspace, usePlatform } from '#test/support/platform.ts';

usePlatform();

describe('the integration inbox', () => {
  it('is not published before the interface that it implements', async () => {
    expect(await seedInbox()).toBe('taken');
  });

  it('is published once by repeated and concurrent seeding', async () => {
    const { owner } = await newWorkspace();
    await seedInterfaces();

    const runs = await Promise.all([seedInbox(), seedInbox()]);
    const again = await seedInbox();

    expect([runs.sort(), again]).toEqual([['added', 'exists'], 'exists']);
    const { integrations } = await owner.client.listPublicIntegrations({});
    expect(integrations.map(({ name, version }) => [name, version])).toEqual([['inbox', '1.0.0']]);
  });

  it('implements every action, event and channel of the interface hitl', async () => {
    const { owner } = await newWorkspace();

    const { integration } = await owner.client.getPublicIntegration({ name: 'inbox', version: 'latest' });
    const { interface: hitl } = await owner.client.getPublicInterface({ name: 'hitl', version: 'latest' });

    const implemented = integration.interfaces['hitl<hitlSession>']!;
    expect(implemented).toMatchObject({ id: hitl.id, name: 'hitl', version: '2.1.0' });
    for (const kind of ['entities', 'actions', 'events', 'channels'] as const) {
      const names = Object.keys(hitl[kind] ?? {});
      expect(Object.keys(implemented[kind]!)).toEqual(names);
      expect(Object.keys(integration[kind] ?? {})).toEqual(names);
    }
    // References to entities are resolved.
    expect(JSON.stringify(integration)).not.toContain('$ref');
  });

  it('cannot be changed by any member, and can be installed by every workspace', async () => {
    const bot = await newBot();
    const { integration } = await bot.workspace.owner.client.getPublicIntegration({ name: 'inbox', version: '1.0.0' });

    const change = await bot.workspace.call('PUT', `/integrations/${integration.id}`, { body: { public: false } });
    const { bot: after } = await bot.workspace.owner.client.updateBot({
      id: bot.id,
      integrations: { inbox: { integrationId: integration.id, enabled: true } },
    });

    expect(change.status).toBe(404);
    expect(after.integrations.inbox).toMatchObject({ id: integration.id, name: 'inbox', enabled: true });
  });
});
