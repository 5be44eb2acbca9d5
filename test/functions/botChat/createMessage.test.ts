import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { startEndpoint } from '#test/support/endpoint.ts';
import { call, eventually, newBot, newUser, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

/** A conversation without participants, and the bot's message in it. */
async function setUp() {
  const { conversation } = await bot.client.createConversation({ channel: 'channel', tags: {} });
  const message = { conversationId: conversation.id, userId: bot.id, type: 'text', payload: { text: 'hi' }, tags: {} };
  return { conversationId: conversation.id, message };
}
const post = (body: unknown) => bot.call('POST', '/messages', { body });
const listed = async (conversationId: string) => (await bot.client.listMessages({ conversationId })).messages;

describe('POST /v1/chat/messages', () => {
  it('returns 201 with an outgoing message when userId is the bot', async () => {
    const { conversationId, message } = await setUp();

    const { status, body } = await post({ ...message, tags: { a: '1', none: '' } });

    expect(status).toBe(201);
    expect(body).toEqual({
      message: {
        id: expect.stringMatching(/^msg_[0-9A-Za-z]{32}$/),
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        updatedAt: body.message.createdAt,
        type: 'text',
        payload: { text: 'hi' },
        direction: 'outgoing',
        userId: bot.id,
        conversationId,
        tags: { a: '1' },
      },
    });
    expect(await listed(conversationId)).toEqual([body.message]);
  });

  it('returns an incoming message when an integration creates it for a user', async () => {
    const { conversationId } = await setUp();
    const { user } = await bot.integration.createUser({ tags: {} });

    const { message } = await bot.integration.createMessage({
      conversationId,
      userId: user.id,
      type: 'text',
      payload: { text: 'hello' },
      tags: { id: '7' },
      origin: 'synthetic',
    });

    expect(message).toMatchObject({ direction: 'incoming', userId: user.id, tags: { id: '7' }, origin: 'synthetic' });
    expect(await listed(conversationId)).toEqual([{ ...message, tags: { 'chat:id': '7' } }]);
  });

  it('converts messages between the botChat and the chat API', async () => {
    const user = await newUser(bot);
    const { conversation } = await user.client.createConversation({});
    const conversationId = conversation.id;

    await user.client.createMessage({ conversationId, payload: { type: 'text', text: 'ping' } });
    await bot.client.createMessage({
      conversationId,
      userId: bot.id,
      type: 'text',
      payload: { text: 'pong', metadata: { mood: 'good' } },
      tags: {},
    });

    const { body } = await call(`${bot.chatUrl}/conversations/${conversationId}/messages`, { key: user.key });
    expect((await user.client.listMessages({ conversationId })).messages.map(({ payload }) => payload)).toEqual([
      { type: 'text', text: 'pong' },
      { type: 'text', text: 'ping' },
    ]);
    expect(body.messages[0]).toMatchObject({ userId: bot.id, conversationId, metadata: { mood: 'good' } });
    expect((await listed(conversationId))[1]).toMatchObject({
      type: 'text',
      payload: { text: 'ping' },
      direction: 'incoming',
      userId: user.user.id,
    });
  });

  it('lets an agent write only as the bot', async () => {
    const { conversationId, message } = await setUp();
    const { token } = await bot.workspace.join('agent');
    const { user } = await bot.client.createUser({ tags: {} });

    const asBot = await bot.call('POST', '/messages', { token, body: message });
    const asUser = await bot.call('POST', '/messages', { token, body: { ...message, userId: user.id } });
    const payload = { ...message.payload, userId: user.id };
    const forUser = await bot.call('POST', '/messages', { token, body: { ...message, payload } });

    expect(asBot).toMatchObject({ status: 201, body: { message: { conversationId, userId: bot.id } } });
    for (const refused of [asUser, forUser]) {
      expect(refused).toMatchObject({ status: 403, body: { type: 'Forbidden' } });
    }
  });

  it('adds the author as a participant', async () => {
    const { conversationId, message } = await setUp();
    const { user } = await bot.client.createUser({ tags: {} });

    await bot.client.createMessage({ ...message, userId: user.id });

    const { participants } = await bot.client.listParticipants({ id: conversationId });
    expect(participants.map(({ id }) => id)).toEqual([user.id]);
  });

  it('lists a scheduled message only when due, and finds it by id before', async () => {
    const { conversationId, message: body } = await setUp();

    const { message } = await bot.client.createMessage({
      ...body,
      schedule: { delay: 1500 },
      tags: { of: conversationId },
    });
    const [found, before] = await Promise.all([bot.client.getMessage({ id: message.id }), listed(conversationId)]);

    expect(found.message).toEqual(message);
    expect(before).toEqual([]);
    await eventually(async () => expect(await listed(conversationId)).toEqual([message]));
    expect((await bot.client.listMessages({ tags: { of: conversationId } })).messages).toEqual([message]);
  });

  it('posts messages scheduled for the same time in creation order, in the list and to the bot', async () => {
    const { conversationId } = await setUp();
    const heard = await startEndpoint();
    onTestFinished(heard.stop);
    await bot.workspace.owner.client.updateBot({ id: bot.id, url: heard.url });
    const { user } = await bot.integration.createUser({ tags: {} });
    const texts = Array.from({ length: 12 }, (_, i) => `${i}`);
    // Creating all of them must end before.
    const dateTime = new Date(clock.now() + 5_000).toISOString();
    const later = { conversationId, userId: user.id, type: 'text', tags: {}, schedule: { dateTime } };

    for (const text of texts) await bot.integration.createMessage({ ...later, payload: { text } });

    const received = () => heard.events().filter(event => event.conversationId === conversationId);
    await eventually(async () => expect(received()).toHaveLength(12));
    expect(received().map(({ payload }) => payload.message.payload.text)).toEqual(texts);
    expect((await listed(conversationId)).map(({ payload }) => payload.text)).toEqual(texts.toReversed());
  });

  it('increments the message count of the conversation', async () => {
    const { conversationId, message } = await setUp();

    for (let i = 0; i < 3; i++) await bot.client.createMessage(message);

    await eventually(async () => {
      const { conversation } = await bot.client.getConversation({ id: conversationId });
      expect(conversation.messageCount).toBe(3);
    });
  });

  it('accepts a payload of 600 KB, and returns 413 for a body over 1 MB', async () => {
    const { message: body } = await setUp();
    const text = '"🦜'.repeat(120_000);

    const { message } = await bot.client.createMessage({ ...body, payload: { text } });
    const tooBig = await post({ ...body, payload: { text: 'x'.repeat(1_100_000) } });

    expect((await bot.client.getMessage({ id: message.id })).message.payload.text === text).toBe(true);
    expect(tooBig).toMatchObject({ status: 413, body: { type: 'PayloadTooLarge' } });
  });

  it('returns 404 for a conversation or user that is unknown or of another bot', async () => {
    const { conversationId, message } = await setUp();
    const other = await newBot(bot.workspace);
    const { conversation: theirs } = await other.client.createConversation({ channel: 'channel', tags: {} });
    const { user: stranger } = await other.client.createUser({ tags: {} });

    const answers = [
      await post({ ...message, conversationId: 'no-such' }),
      await post({ ...message, conversationId: `convo_${'z'.repeat(22)}` }),
      await post({ ...message, conversationId: theirs.id }),
      await post({ ...message, userId: 'no-such' }),
      await post({ ...message, userId: stranger.id }),
      await post({ ...message, userId: other.id }),
    ];

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
    expect(await listed(conversationId)).toEqual([]);
  });

  it.each([
    [{ tags: undefined }, 'tags'],
    [{ tags: { a: 7 } }, 'tags.a'],
    [{ tags: { a: 'x'.repeat(501) } }, 'tags.a'],
    [{ tags: { 'a.b': 'c' } }, 'tags.a.b'],
    [{ type: '' }, 'type'],
    [{ payload: 'hi' }, 'payload'],
    [{ payload: null }, 'payload'],
    [{ userId: undefined }, 'userId'],
    [{ conversationId: 7 }, 'conversationId'],
    [{ origin: 'divine' }, 'origin'],
    [{ schedule: {} }, 'schedule'],
    [{ schedule: { delay: 1000, dateTime: '2040-01-01T00:00:00Z' } }, 'schedule'],
    [{ schedule: { delay: -1 } }, 'schedule.delay'],
    [{ schedule: { dateTime: 'tomorrow' } }, 'schedule.dateTime'],
  ])('returns 400 for %j and names the field', async (fault, path) => {
    const { message } = await setUp();

    const { status, body } = await post({ ...message, ...fault });

    expect({ status, type: body.type, path: body.metadata?.issues[0].path }).toEqual({
      status: 400,
      type: 'InvalidPayload',
      path,
    });
  });
});
