import { describe, expect, it } from 'vitest';
import { newBotWithIntegration, newWorkspace, usePlatform } from '#test/support/platform.ts';

usePlatform();

const unknown = { code: 404, type: 'ResourceNotFound' };

describe('GET /v1/admin/bots/{id}', () => {
  it('answers with the definition and installations of the bot, without its secrets', async () => {
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
          // Its host is the stack's own name, which may differ from the one the test uses.
          webhookUrl: expect.stringMatching(new RegExp(`^https?://.+/${webhookId}$`)),
        },
      },
    });
    expect(JSON.stringify(found)).not.toContain('sesame');
  });

  it('answers 404 when there is no such bot', async () => {
    const { owner } = await newWorkspace();

    const found = owner.client.getBot({ id: crypto.randomUUID() });

    await expect(found).rejects.toMatchObject(unknown);
  });

  it('answers 404 when the bot belongs to another workspace', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const { bot } = await theirs.owner.client.createBot({});

    const found = mine.owner.client.getBot({ id: bot.id });

    await expect(found).rejects.toMatchObject(unknown);
  });

  it("answers 403 to the bot's own key, which is not an account", async () => {
    const workspace = await newWorkspace();
    const { bot } = await workspace.owner.client.createBot({});
    const { value } = await workspace.owner.client.createBotApiKey({ botId: bot.id });

    const { status, body } = await workspace.call('GET', `/bots/${bot.id}`, { token: value });

    expect([status, body.type]).toEqual([403, 'Forbidden']);
  });
});
