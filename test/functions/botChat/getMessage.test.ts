import { beforeAll, describe, expect, it } from 'vitest';
import { newBot, newUser, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

async function newMessage(tags: Record<string, string> = {}) {
  const { conversation } = await bot.client.createConversation({ channel: 'channel', tags: {} });
  const { message } = await bot.client.createMessage({
    conversationId: conversation.id,
    userId: bot.id,
    type: 'card',
    payload: { title: 't', deep: [{ a: null }] },
    tags,
  });
  return message;
}

describe('GET /v1/chat/messages/{id}', () => {
  it('returns 200 with the message and its version', async () => {
    const message = await newMessage({ a: '1' });

    const { status, headers, body } = await bot.call('GET', `/messages/${message.id}`);

    expect(status).toBe(200);
    expect(body).toEqual({ message });
    expect(headers.get('etag')).toMatch(/^".+"$/);
  });

  it("shows a chat user's message as incoming, with the type next to the payload", async () => {
    const { client, user } = await newUser(bot);
    const { conversation } = await client.createConversation({});
    const { message: written } = await client.createMessage({
      conversationId: conversation.id,
      payload: { type: 'text', text: 'hello' },
    });

    const { message } = await bot.client.getMessage({ id: written.id });

    expect(message).toEqual({
      id: written.id,
      createdAt: written.createdAt,
      updatedAt: written.createdAt,
      type: 'text',
      payload: { text: 'hello' },
      direction: 'incoming',
      userId: user.id,
      conversationId: conversation.id,
      tags: {},
    });
  });

  it('shows an integration only its own tags, by their bare names', async () => {
    const message = await newMessage({ 'chat:id': '7', secret: '8' });

    const { message: seen } = await bot.integration.getMessage({ id: message.id });

    expect(seen.tags).toEqual({ id: '7' });
  });

  it('returns 404 for an unknown message, one of another bot, and one of a deleted conversation', async () => {
    const other = await newBot(bot.workspace);
    const message = await newMessage();
    const ofDeleted = await newMessage();
    await bot.client.deleteConversation({ id: ofDeleted.conversationId });

    const answers = [
      await bot.call('GET', '/messages/no-such'),
      await bot.call('GET', `/messages/msg_${'z'.repeat(32)}`),
      await other.call('GET', `/messages/${message.id}`),
      await bot.call('GET', `/messages/${ofDeleted.id}`),
    ];

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
  });
});
