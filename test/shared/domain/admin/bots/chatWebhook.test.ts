/** Tests the configuration of a chat's outgoing webhook: docs/api/chat.md#outgoing-webhook. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CHAT_DEFINITION } from '#infra/local/chatDefinition.ts';
import { WEBCHAT_DEFINITION } from '#infra/local/webchatDefinition.ts';
import { VARIABLES } from '#shared/core/environment.ts';
import { requireChatConfiguration } from '#shared/domain/admin/bots/chatConfiguration.ts';
import { webhookKey } from '#shared/storage/dynamodb/keys/chat.ts';
import { botKey } from '#shared/storage/dynamodb/keys/workspace.ts';
import { newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { partitionItems } from '#test/support/tableItems.ts';

useSharedPlatform();

const CONFIGURATION = { webhookUrl: 'https://example.com/signals?token=u7Qx', webhookSecret: 'whs_9sD5gA0kT9vQ2xLr' };

const configure = ({ id, workspace }: TestBot, configuration: Record<string, unknown>, integrationId?: string) =>
  workspace.owner.client.updateBot({ id, integrations: { chat: { integrationId, enabled: true, configuration } } });

describe('webhookUrl and webhookSecret of a chat', () => {
  it.each([
    ['a URL without a scheme', { webhookUrl: 'example.com/signals' }, 'webhookUrl: Must be an http or https URL'],
    ['another scheme', { webhookUrl: 'ftp://example.com' }, 'webhookUrl: Must be an http or https URL'],
    ['an empty URL', { webhookUrl: '' }, 'webhookUrl: Must be an http or https URL'],
    ['a URL of 2,001 characters', { webhookUrl: `https://example.com/${'a'.repeat(1_981)}` }, 'webhookUrl: '],
    ['a URL with a password', { webhookUrl: 'https://a:b@example.com' }, 'webhookUrl: Must not contain a user name'],
    ['a URL that is not a string', { webhookUrl: 1 }, 'webhookUrl: '],
    ['an empty secret', { webhookSecret: '' }, 'webhookSecret: '],
    ['a secret that no header can contain', { webhookSecret: 'a\nb' }, 'webhookSecret: Must consist of visible ASCII'],
    ['a secret of 501 characters', { webhookSecret: 'a'.repeat(501) }, 'webhookSecret: '],
  ])('return 400 for %s', async (_, change, message) => {
    const bot = await newBot();

    const update = configure(bot, { ...CONFIGURATION, ...change });

    await expect(update).rejects.toMatchObject({
      code: 400,
      message: expect.stringContaining(`integrations.chat.configuration.${message}`),
    });
  });

  it('are accepted by the definitions of chat and webchat', async () => {
    const bot = await newBot();
    const { client } = bot.workspace.owner;
    const [chat, webchat] = await Promise.all(
      // biome-ignore lint/suspicious/noExplicitAny: the definition's schemas are plain JSON
      [CHAT_DEFINITION, WEBCHAT_DEFINITION].map(each => client.createIntegration({ ...each, version: '9.0.0' } as any)),
    );

    for (const { integration } of [chat!, webchat!]) {
      const { bot: changed } = await configure(bot, CONFIGURATION, integration.id);

      expect(changed.integrations.chat!.configuration).toEqual({ webhookUrl: CONFIGURATION.webhookUrl });
    }
  });

  it('are plain in no item, and the secret in no response', async () => {
    const bot = await newBot();

    const written = await configure(bot, CONFIGURATION);

    const read = await bot.workspace.owner.client.getBot({ id: bot.id });
    for (const response of [written, read]) {
      expect(response.bot.integrations.chat!.configuration).toEqual({ webhookUrl: CONFIGURATION.webhookUrl });
    }
    const partitions = [botKey(bot.id).pk, webhookKey(bot.webhookId).pk];
    const items = JSON.stringify(await Promise.all(partitions.map(partitionItems)));
    expect(items).toContain('signalUrlHash');
    expect(items).not.toContain(CONFIGURATION.webhookSecret);
    expect(items).not.toContain('u7Qx');
  });
});

describe('webhookUrl where private endpoints are not allowed', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });
  const requireUrl = (webhookUrl: string, isChat = true) => {
    vi.stubEnv(VARIABLES.privateEndpoints, 'false');
    return () => requireChatConfiguration('chat', { webhookUrl }, { isChat });
  };

  it.each([
    'http://example.com',
    'https://localhost/signals',
    'https://10.0.0.1',
    'https://169.254.169.254/latest',
    'https://[::1]/signals',
    'https://2130706433/',
  ])('rejects %s', url => {
    expect(requireUrl(url)).toThrow('Must be an https URL with a public host');
  });

  it('accepts a public https URL, and any value of an integration that is no chat', () => {
    expect(requireUrl(CONFIGURATION.webhookUrl)).not.toThrow();
    expect(requireUrl('orders', false)).not.toThrow();
  });
});
