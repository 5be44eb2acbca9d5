import { describe, expect, it } from 'vitest';
import { call, newBot, newUser, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

/** Creates a bot's message to a user. */
async function setUp() {
  const bot = await newBot();
  const { client, key } = await newUser(bot);
  const { conversation } = await client.createConversation({});
  const { conversations } = await bot.client.listConversations({});
  const { message } = await bot.client.createMessage({
    conversationId: conversations[0]!.id,
    userId: bot.id,
    type: 'text',
    payload: { text: 'How may I help?' },
    tags: { kind: 'greeting' },
  });
  const rate = (body: object, id = message.id) =>
    call(`${bot.chatUrl}/messages/${id}/feedback`, { method: 'PUT', key, body });
  return { bot, client, key, conversation, message, rate };
}

describe('PUT /messages/{id}/feedback', () => {
  it('records the feedback and returns it with the message', async () => {
    const { rate, client, message, conversation } = await setUp();

    const { status, body } = await rate({ value: 'negative', comment: 'Wrong number' });

    expect({ status, body }).toEqual({ status: 200, body: {} });
    const feedback = { value: 'negative', comment: 'Wrong number' };
    expect((await client.getMessage({ id: message.id })).message).toMatchObject({ feedback });
    const { messages } = await client.listMessages({ conversationId: conversation.id });
    expect(messages[0]).toMatchObject({ feedback });
  });

  it('shows the feedback to the bot as tags, next to those of the message', async () => {
    const { rate, bot, message } = await setUp();

    await rate({ value: 'positive' });

    const { message: seen } = await bot.client.getMessage({ id: message.id });
    expect(seen.tags).toEqual({ kind: 'greeting', feedback: 'positive' });
  });

  it('replaces earlier feedback', async () => {
    const { rate, client, message } = await setUp();
    await rate({ value: 'negative', comment: 'Wrong' });

    await rate({ value: 'positive' });

    const { message: seen } = await client.getMessage({ id: message.id });
    expect(seen).toMatchObject({ feedback: { value: 'positive' } });
    expect(JSON.stringify(seen)).not.toContain('Wrong');
  });

  it.each([
    [{}, 'value'],
    [{ value: 'great' }, 'value'],
    [{ value: 'positive', comment: 'x'.repeat(1_001) }, 'comment'],
  ])('returns 400 for %j and names the field', async (body, path) => {
    const { rate } = await setUp();

    const { status, body: error } = await rate(body);

    expect({ status, path: error.metadata.issues[0].path }).toEqual({ status: 400, path });
  });

  it('returns 404 for a message that was deleted', async () => {
    const { rate, client, conversation } = await setUp();
    const { message } = await client.createMessage({
      conversationId: conversation.id,
      payload: { type: 'text', text: 't' },
    });
    await client.deleteMessage({ id: message.id });

    expect((await rate({ value: 'positive' }, message.id)).status).toBe(404);
  });
});
