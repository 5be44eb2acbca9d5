import { beforeAll, describe, expect, it } from 'vitest';
import { chat, eventually, newBot, newUser, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

async function setUp() {
  const { conversation } = await bot.client.createConversation({ channel: 'channel', tags: {} });
  const conversationId = conversation.id;
  const say = async (text: string, delay?: number) =>
    (
      await bot.client.createMessage({
        conversationId,
        userId: bot.id,
        type: 'text',
        payload: { text },
        tags: {},
        ...(delay === undefined ? {} : { schedule: { delay } }),
      })
    ).message;
  return { conversationId, say };
}
const listed = async (conversationId: string) => (await bot.client.listMessages({ conversationId })).messages;

describe('DELETE /v1/chat/messages/{id}', () => {
  it('returns 200 with an empty body, and 404 for an unknown message', async () => {
    const { conversationId, say } = await setUp();
    const [kept, { id }] = [await say('a'), await say('b')];

    const first = await bot.call('DELETE', `/messages/${id}`);
    const second = await bot.call('DELETE', `/messages/${id}`);

    expect(first).toMatchObject({ status: 200, body: {} });
    expect(second).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
    expect(await listed(conversationId)).toEqual([kept]);
  });

  it('also removes the message from the chat API, regardless of its author', async () => {
    const { client } = await newUser(bot);
    const { conversation } = await client.createConversation({});
    const { message } = await client.createMessage({
      conversationId: conversation.id,
      payload: { type: 'text', text: 'oops' },
    });

    await bot.client.deleteMessage({ id: message.id });

    expect((await client.listMessages({ conversationId: conversation.id })).messages).toEqual([]);
    await expect(client.getMessage({ id: message.id })).rejects.toThrow(chat.ResourceNotFoundError);
  });

  it('reduces the message count of the conversation', async () => {
    const { conversationId, say } = await setUp();
    const messages = [await say('a'), await say('b'), await say('c')];

    await bot.client.deleteMessage({ id: messages[0]!.id });

    await eventually(async () => {
      const { conversation } = await bot.client.getConversation({ id: conversationId });
      expect(conversation.messageCount).toBe(2);
    });
  });

  it('cancels a scheduled message', async () => {
    const { conversationId, say } = await setUp();
    const calledOff = await say('never', 1000);
    const later = await say('later', 1400);

    await bot.client.deleteMessage({ id: calledOff.id });

    await eventually(async () => expect(await listed(conversationId)).toContainEqual(later));
    expect(await listed(conversationId)).toEqual([later]);
    expect((await bot.call('GET', `/messages/${calledOff.id}`)).status).toBe(404);
  });

  it('returns 404 for a message of another bot and keeps it', async () => {
    const { conversationId, say } = await setUp();
    const message = await say('mine');
    const other = await newBot(bot.workspace);

    const { status } = await other.call('DELETE', `/messages/${message.id}`);

    expect(status).toBe(404);
    expect(await listed(conversationId)).toEqual([message]);
  });
});
