import { describe, expect, it } from 'vitest';
import { newPlugin } from '#test/support/packages.ts';
import { newBot, newBotWithIntegration, newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const unknown = { code: 404, type: 'ResourceNotFound' };

describe('GET /v1/admin/bots/{id}', () => {
  it('shows the name, version and description of an installed plugin', async () => {
    const workspace = await newWorkspace();
    const { client } = workspace.owner;
    const plugin = await newPlugin(workspace, { version: '1.2.3', title: 'Handoff', description: 'Calls a human.' });
    const { bot } = await client.createBot({ name: 'Bot' });
    await client.updateBot({ id: bot.id, plugins: { hitl: { id: plugin.id, configuration: { delay: 1 } } } });

    const { plugins } = (await client.getBot({ id: bot.id })).bot;
    await client.deletePlugin({ id: plugin.id });
    const { plugins: later } = (await client.getBot({ id: bot.id })).bot;

    const { id, name, version, title, description } = plugin;
    expect(plugins.hitl).toMatchObject({ id, name, version, title, description, configuration: { delay: 1 } });
    expect(later.hitl).toMatchObject({ id, name: 'hitl', version: '' });
  });

  it('returns the definition and installations of the bot, without its secrets', async () => {
    const workspace = await newWorkspace();
    const { bot, integration, webhookId } = await newBotWithIntegration(workspace);
    await workspace.owner.client.updateBot({ id: bot.id, secrets: { KEY: 'sesame' }, tags: { team: 'care' } });

    const { bot: found } = await workspace.owner.client.getBot({ id: bot.id });

    expect(found).toMatchObject({
      id: bot.id,
      name: 'Bot',
      status: 'active',
      tags: { team: 'care' },
      secrets: ['KEY'],
      signingSecret: '',
      integrations: {
        chat: {
          id: integration.id,
          name: integration.name,
          version: integration.version,
          enabled: true,
          status: 'registered',
          webhookId,
          // The stack's host may differ from the host that the test uses.
          webhookUrl: expect.stringMatching(new RegExp(`^https?://.+/${webhookId}$`)),
        },
      },
    });
    expect(JSON.stringify(found)).not.toContain('sesame');
  });

  it.each(['viewer', 'agent'] as const)('hides endpoint URLs from members with the role %s', async role => {
    const workspace = await newWorkspace();
    const { bot } = await newBotWithIntegration(workspace);
    const { client } = workspace.owner;
    const url = 'http://127.0.0.1:9/endpoint';
    const { integration } = await client.createIntegration({ name: `n${crypto.randomUUID()}`, version: '1.0.0', url });
    await client.updateBot({ id: bot.id, url, integrations: { other: { integrationId: integration.id } } });
    const member = await workspace.join(role);

    const seen = (await member.client.getBot({ id: bot.id })).bot;
    const full = (await client.getBot({ id: bot.id })).bot;

    expect([(full as { url?: string }).url, full.integrations.other!.webhookUrl !== '']).toEqual([url, true]);
    expect(seen).not.toHaveProperty('url');
    expect(seen.integrations.other).toMatchObject({ webhookId: '', webhookUrl: '' });
    expect(seen.integrations.chat!.webhookUrl).toBe(full.integrations.chat!.webhookUrl);
    expect(JSON.stringify(seen)).not.toContain(full.integrations.other!.webhookId);
  });

  it('returns 404 for an unknown bot', async () => {
    const { owner } = await newWorkspace();

    const found = owner.client.getBot({ id: crypto.randomUUID() });

    await expect(found).rejects.toMatchObject(unknown);
  });

  it('returns 404 when the bot belongs to another workspace', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const { bot } = await theirs.owner.client.createBot({});

    const found = mine.owner.client.getBot({ id: bot.id });

    await expect(found).rejects.toMatchObject(unknown);
  });

  it("returns the installations and configuration to the bot's own key, without a workspace header", async () => {
    const bot = await newBot();
    await bot.workspace.owner.client.updateBot({ id: bot.id, configuration: { data: { tone: 'kind' } } });

    const { bot: found } = await bot.client.getBot({ id: bot.id });

    expect(found).toMatchObject({ id: bot.id, configuration: { data: { tone: 'kind' } } });
    expect(Object.values(found.integrations).map(({ status }) => status)).toEqual(['registered']);
  });

  it("returns 403 to a bot's key for another bot, inside and outside its workspace", async () => {
    const bot = await newBot();
    const neighbour = await newBot(bot.workspace);
    const stranger = await newBot();

    for (const id of [neighbour.id, stranger.id, 'no-such']) {
      await expect(bot.client.getBot({ id })).rejects.toMatchObject({ code: 403, type: 'Forbidden' });
    }
  });

  it('returns 403 to the key of an integration, even of an installed one', async () => {
    const bot = await newBot();

    await expect(bot.integration.getBot({ id: bot.id })).rejects.toMatchObject({ code: 403 });
  });
});
