/**
 * Tests that chat is served only for installations of the workspace's own chat integration
 * (docs/api/admin.md#chat-integration).
 */
import { describe, expect, it } from 'vitest';
import { call, chatBaseUrl, newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

/**
 * Installs an integration of the publisher on a bot of the installer.
 * @returns its chat URL
 */
async function install(name: string, { isForeign }: { isForeign: boolean }) {
  const mine = await newWorkspace();
  const publisher = isForeign ? await newWorkspace() : mine;
  const { integration } = await publisher.owner.client.createIntegration({
    name,
    version: '1.0.0',
    visibility: 'unlisted',
  });
  const { bot } = await mine.owner.client.createBot({});
  const { bot: after } = await mine.owner.client.updateBot({
    id: bot.id,
    integrations: { chat: { integrationId: integration.id } },
  });
  return `${chatBaseUrl()}/${after.integrations.chat!.webhookId}`;
}

describe('the webhook of an installation', () => {
  it.each(['chat', 'webchat'])("admits end users for the workspace's own integration %j", async name => {
    const url = await install(name, { isForeign: false });

    expect((await call(`${url}/hello`)).status).toBe(200);
    expect((await call(`${url}/users`, { method: 'POST', body: {} })).status).toBe(201);
  });

  it.each([
    ['webchat', 201],
    ['chat', 400],
  ])('maps the integration %s to the status %i for metadata of the webchat client', async (name, status) => {
    const url = await install(name, { isForeign: false });
    const { body: user } = await call(`${url}/users`, { method: 'POST', body: {} });
    const { body } = await call(`${url}/conversations`, { method: 'POST', key: user.key, body: {} });

    const answer = await call(`${url}/messages`, {
      method: 'POST',
      key: user.key,
      body: {
        conversationId: body.conversation.id,
        payload: { type: 'text', text: 't' },
        metadata: { clientMessageId: 'a' },
      },
    });

    expect(answer.status).toBe(status);
  });

  it.each([
    ['another integration', 'telegram', false],
    ['an integration that only sounds like it', 'my-chat', false],
    ["a stranger's integration of that name", 'chat', true],
  ])('returns 404 to end users for %s under any alias', async (_, name, isForeign) => {
    const url = await install(name, { isForeign });

    const answers = [
      await call(`${url}/hello`),
      await call(`${url}/users`, { method: 'POST', body: {} }),
      await call(`${url}/users/me`, { key: 'any' }),
    ];

    for (const { status, body } of answers) {
      expect({ status, code: body.code, type: body.type }).toEqual({
        status: 404,
        code: 404,
        type: 'ResourceNotFound',
      });
    }
  });
});
