import { beforeAll, describe, expect, it } from 'vitest';
import { newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

/** Returns the input of an integration for an inbound message. */
const heard = (n: string) => ({
  user: { name: 'Ada', tags: { id: `u${n}` }, discriminateByTags: ['id'] },
  conversation: { channel: 'channel', tags: { id: `c${n}` }, discriminateByTags: ['id'] },
  message: { type: 'text', payload: { text: 'hi' }, tags: { id: `m${n}` }, discriminateByTags: ['id'] },
});
const post = (body: unknown) =>
  bot.call('POST', '/initialize-incoming-message', {
    token: bot.tokens.integration,
    headers: { 'x-integration-alias': 'chat' },
    body,
  });

describe('POST /v1/chat/initialize-incoming-message', () => {
  it('creates the user, the conversation and the incoming message together', async () => {
    const { status, body } = await post(heard('1'));

    expect(status).toBe(200);
    expect(body).toEqual({
      user: expect.objectContaining({ name: 'Ada', tags: { id: 'u1' } }),
      conversation: expect.objectContaining({ channel: 'channel', tags: { id: 'c1' } }),
      message: expect.objectContaining({
        type: 'text',
        payload: { text: 'hi' },
        direction: 'incoming',
        userId: body.user.id,
        conversationId: body.conversation.id,
        tags: { id: 'm1' },
      }),
    });
    const { participants } = await bot.client.listParticipants({ id: body.conversation.id });
    const { messages } = await bot.integration.listMessages({ conversationId: body.conversation.id });
    expect(participants.map(({ id }) => id)).toEqual([body.user.id]);
    expect(messages).toEqual([body.message]);
  });

  it('returns the same response to repeated and concurrent calls', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(heard('2'))));
    const again = await post(heard('2'));

    const idsOf = ({ body }: { body: Record<string, { id: string }> }) => [
      body.user!.id,
      body.conversation!.id,
      body.message!.id,
    ];
    expect(again.status).toBe(200);
    expect(new Set([...answers, again].map(answer => JSON.stringify(idsOf(answer)))).size).toBe(1);
    const { messages } = await bot.client.listMessages({ conversationId: again.body.conversation.id });
    expect(messages).toHaveLength(1);
  });

  it('adds another message of the same user to the same conversation', async () => {
    const first = await bot.integration.initializeIncomingMessage(heard('3'));

    const second = await bot.integration.initializeIncomingMessage({ ...heard('3'), message: heard('4').message });

    expect([second.user.id, second.conversation.id]).toEqual([first.user.id, first.conversation.id]);
    const { messages } = await bot.client.listMessages({ conversationId: first.conversation.id });
    expect(messages.map(({ id }) => id)).toEqual([second.message!.id, first.message!.id]);
  });

  it('accepts ids instead of the user and the conversation', async () => {
    const { user } = await bot.integration.createUser({ tags: {} });
    const { conversation } = await bot.integration.createConversation({ channel: 'channel', tags: {} });

    const answer = await bot.integration.initializeIncomingMessage({
      userId: user.id,
      conversationId: conversation.id,
      message: heard('5').message,
    });

    expect(answer).toMatchObject({
      user: { id: user.id },
      conversation: { id: conversation.id },
      message: { userId: user.id, conversationId: conversation.id, direction: 'incoming' },
    });
  });

  it('accepts input without a message', async () => {
    const { user, conversation } = heard('6');

    const { status, body } = await post({ user, conversation });

    expect(status).toBe(200);
    expect(Object.keys(body).sort()).toEqual(['conversation', 'user']);
    expect((await bot.client.listMessages({ conversationId: body.conversation.id })).messages).toEqual([]);
  });

  it.each([
    [{ user: undefined }, /userId/],
    [{ userId: `user_${'z'.repeat(24)}` }, /userId/],
    [{ conversation: undefined }, /conversationId/],
    [{ conversationId: `convo_${'z'.repeat(22)}` }, /conversationId/],
    [{ user: { tags: {} } }, /user\.discriminateByTags/],
    [{ conversation: { tags: {}, discriminateByTags: [] } }, /conversation\.channel/],
    [{ message: { type: 'text', tags: {}, discriminateByTags: [] } }, /message\.payload/],
  ])('returns 400 for %j and names the field', async (fault, named) => {
    const { status, body } = await post({ ...heard('7'), ...fault });

    expect({ status, type: body.type }).toEqual({ status: 400, type: 'InvalidPayload' });
    expect(JSON.stringify(body.metadata.issues[0])).toMatch(named);
  });

  it('returns 404 for an unknown user or conversation and creates nothing', async () => {
    const { user, conversation, message } = heard('8');

    const noUser = await post({ userId: `user_${'z'.repeat(24)}`, conversation, message });
    const noConversation = await post({ user, conversationId: `convo_${'z'.repeat(22)}`, message });

    expect([noUser.status, noConversation.status]).toEqual([404, 404]);
    expect((await bot.client.listConversations({ tags: { 'chat:id': 'c8' } })).conversations).toEqual([]);
    expect((await bot.client.listUsers({ tags: { 'chat:id': 'u8' } })).users).toEqual([]);
  });
});
