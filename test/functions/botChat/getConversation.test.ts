import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type AdminClient,
  eventually,
  newBot,
  newUser,
  type TestBot,
  useSharedPlatform,
} from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

describe('GET /v1/chat/conversations/{id}', () => {
  it('returns the conversation and its version', async () => {
    const { conversation } = await bot.client.createConversation({ channel: 'direct', tags: { a: '1' } });

    const { status, headers, body } = await bot.call('GET', `/conversations/${conversation.id}`);

    expect({ status, body }).toEqual({ status: 200, body: { conversation } });
    expect(headers.get('etag')).toMatch(/^"\w+"$/);
  });

  it("shows a chat user's conversation under its internal id, with foreign ids as tags", async () => {
    const { client, user } = await newUser(bot, { id: 'ada' });
    await client.createConversation({ id: 'hers' });
    const [listed] = (await bot.client.listConversations({ tags: { 'chat:fid': 'hers' } })).conversations;
    const [owner] = (await bot.client.listUsers({ tags: { 'chat:fid': user.id } })).users;

    const { conversation } = await bot.client.getConversation({ id: listed!.id });
    const seen = await bot.integration.getConversation({ id: listed!.id });

    expect(conversation).toEqual({
      id: expect.stringMatching(/^convo_[0-9A-Za-z]{22}$/),
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
      channel: 'channel',
      integration: 'chat',
      tags: { 'chat:fid': 'hers', 'chat:owner': owner!.id },
      messageCount: 0,
      properties: {},
    });
    expect(owner!.id).toMatch(/^user_/);
    expect(seen.conversation.tags).toEqual({ fid: 'hers', owner: owner!.id });
  });

  it('counts messages', async () => {
    const { client } = await newUser(bot);
    const { conversation } = await client.createConversation({});
    for (const text of ['a', 'b']) {
      await client.createMessage({ conversationId: conversation.id, payload: { type: 'text', text } });
    }

    await eventually(async () => {
      const counted = await bot.client.getConversation({ id: conversation.id });
      expect(counted.conversation.messageCount).toBe(2);
    });
  });

  it("returns 404 to an integration for another integration's conversation", async () => {
    const other = await installOther();
    const mine = await bot.integration.createConversation({ channel: 'direct', tags: {} });
    const theirs = await other.createConversation({ channel: 'direct', tags: { id: '1' } });

    expect(theirs.conversation.integration).toBe('other');
    expect((await bot.client.getConversation({ id: theirs.conversation.id })).conversation.tags).toEqual({
      'other:id': '1',
    });
    await expect(other.getConversation({ id: mine.conversation.id })).rejects.toMatchObject({ code: 404 });
    await expect(bot.integration.getConversation({ id: theirs.conversation.id })).rejects.toMatchObject({ code: 404 });
  });

  it("returns 404 for another bot's conversation, and 403 to another bot's token", async () => {
    const stranger = await newBot();
    const { conversation } = await bot.client.createConversation({ channel: 'direct', tags: {} });

    const elsewhere = await stranger.call('GET', `/conversations/${conversation.id}`);
    const refused = await bot.call('GET', `/conversations/${conversation.id}`, { token: stranger.tokens.bot });

    expect(elsewhere).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
    expect(refused).toMatchObject({ status: 403, body: { type: 'Forbidden' } });
  });

  it.each([`convo_${'z'.repeat(22)}`, 'no-such', 'user_000000000000000000000000'])('returns 404 to %s', async id => {
    expect(await bot.call('GET', `/conversations/${id}`)).toMatchObject({
      status: 404,
      body: { type: 'ResourceNotFound' },
    });
  });
});

/** Another integration installed on the same bot, and its client. */
async function installOther(): Promise<AdminClient> {
  const { client } = bot.workspace.owner;
  const name = `i${randomUUID().slice(0, 8)}`;
  const { integration } = await client.createIntegration({ name, version: '1.0.0' });
  await client.updateBot({ id: bot.id, integrations: { other: { integrationId: integration.id, enabled: true } } });
  const { value } = await client.createIntegrationApiKey({ integrationId: integration.id });
  return bot.clientOf(value, { integrationAlias: 'other' });
}
