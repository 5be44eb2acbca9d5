import { beforeAll, describe, expect, it } from 'vitest';
import { eventually, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

async function setUp() {
  const [{ conversation }, { user }] = await Promise.all([
    bot.client.createConversation({ channel: 'channel', tags: {} }),
    bot.client.createUser({ tags: {} }),
  ]);
  const conversationId = conversation.id;
  const message = (createdAt: string, text: string, tags: Record<string, string> = {}) => ({
    conversationId,
    userId: user.id,
    type: 'text',
    payload: { text },
    tags,
    createdAt,
    discriminateByTags: Object.keys(tags),
  });
  const listed = async () => (await bot.client.listMessages({ conversationId })).messages;
  return { conversationId, userId: user.id, message, listed };
}
const post = (messages: unknown) => bot.call('POST', '/messages/import-messages', { body: { messages } });

describe('POST /v1/chat/messages/import-messages', () => {
  it('returns 201 with the messages in the given order, with their original times', async () => {
    const { conversationId, userId, message } = await setUp();

    const { status, body } = await post([
      message('2020-01-02T10:00:00+02:00', 'b', { id: '2' }),
      message('2020-01-01T00:00:00Z', 'a', { id: '1' }),
    ]);

    expect(status).toBe(201);
    expect(body).toEqual({
      messages: [
        ['2020-01-02T08:00:00.000Z', 'b', '2'],
        ['2020-01-01T00:00:00.000Z', 'a', '1'],
      ].map(([createdAt, text, id]) =>
        expect.objectContaining({ createdAt, payload: { text }, tags: { id }, type: 'text', userId, conversationId }),
      ),
    });
  });

  it('keeps the order of messages with the same time', async () => {
    const { message, listed } = await setUp();
    const texts = Array.from({ length: 20 }, (_, i) => `${i}`);

    await post(texts.map(text => message('2020-01-01T00:00:00Z', text)));

    expect((await listed()).map(({ payload }) => payload.text)).toEqual(texts.toReversed());
  });

  it('sorts imported messages among the others by time', async () => {
    const { conversationId, message, listed } = await setUp();
    await bot.client.createMessage({
      conversationId,
      userId: bot.id,
      type: 'text',
      payload: { text: 'now' },
      tags: {},
    });

    await bot.client.importMessages({
      messages: [message('2021-01-01T00:00:00Z', 'middle'), message('2020-01-01T00:00:00Z', 'first')],
    });
    await bot.client.importMessages({ messages: [message('2022-01-01T00:00:00Z', 'last')] });

    expect((await listed()).map(({ payload }) => payload.text)).toEqual(['now', 'last', 'middle', 'first']);
  });

  it('imports one message per set of discriminating tags, within a call and across calls', async () => {
    const { message, listed } = await setUp();
    const a = message('2020-01-01T00:00:00Z', 'a', { id: '1' });

    const first = await bot.client.importMessages({ messages: [a, a] });
    const second = await bot.client.importMessages({
      messages: [a, message('2020-01-02T00:00:00Z', 'b', { id: '2' })],
    });

    expect(first.messages[1]).toEqual(first.messages[0]);
    expect(second.messages[0]).toEqual(first.messages[0]);
    expect(await listed()).toEqual([second.messages[1], first.messages[0]]);
  });

  it('creates a new message every time without discriminators', async () => {
    const { message, listed } = await setUp();
    const a = message('2020-01-01T00:00:00Z', 'a');

    await bot.client.importMessages({ messages: [a, a] });
    await bot.client.importMessages({ messages: [a] });

    expect(await listed()).toHaveLength(3);
  });

  it('imports 100 messages, counts them and adds their author as a participant', async () => {
    const { conversationId, userId, message } = await setUp();
    const messages = Array.from({ length: 100 }, (_, i) =>
      message(new Date(Date.UTC(2020, 0, 1, 0, i)).toISOString(), `${i}`),
    );

    const answer = await bot.client.importMessages({ messages });

    expect(answer.messages.map(({ payload }) => payload.text)).toEqual(messages.map(({ payload }) => payload.text));
    await eventually(async () => {
      const { conversation } = await bot.client.getConversation({ id: conversationId });
      expect(conversation.messageCount).toBe(100);
    });
    expect((await bot.client.getParticipant({ id: conversationId, userId })).participant.id).toBe(userId);
  });

  it('returns 400 that names the field for 0, 101 or invalid messages, and imports nothing', async () => {
    const { message, listed } = await setUp();
    const good = message('2020-01-01T00:00:00Z', 'a');
    const faulty: [unknown, string][] = [
      [[], 'messages'],
      [Array.from({ length: 101 }, () => good), 'messages'],
      [undefined, 'messages'],
      [[good, { ...good, createdAt: 'long ago' }], 'messages.1.createdAt'],
      [[good, { ...good, createdAt: undefined }], 'messages.1.createdAt'],
      [[good, { ...good, payload: 'a' }], 'messages.1.payload'],
      [[good, { ...good, discriminateByTags: undefined }], 'messages.1.discriminateByTags'],
    ];

    const answers = await Promise.all(faulty.map(([messages]) => post(messages)));

    expect(answers.map(({ status, body }) => [status, body.type, body.metadata?.issues[0].path])).toEqual(
      faulty.map(([, path]) => [400, 'InvalidPayload', path]),
    );
    expect(await listed()).toEqual([]);
  });

  it('returns 404 for an unknown conversation or user', async () => {
    const { message } = await setUp();
    const good = message('2020-01-01T00:00:00Z', 'a', { id: '1' });

    const answers = [
      await post([{ ...good, conversationId: `convo_${'z'.repeat(22)}` }]),
      await post([{ ...good, userId: `user_${'z'.repeat(24)}` }]),
    ];

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
  });

  it.each(['1969-07-20T20:17:40Z', '2100-01-01T00:00:00Z'])(
    'returns 400 for the unsupported time %s',
    async createdAt => {
      const { message, listed } = await setUp();

      const answer = await post([message(createdAt, 'a')]);

      expect(answer).toMatchObject({
        status: 400,
        body: { type: 'InvalidPayload', metadata: { issues: [{ path: 'messages.0.createdAt' }] } },
      });
      expect(await listed()).toEqual([]);
    },
  );
});
