import { beforeAll, describe, expect, it } from 'vitest';
import { CROWD, crowds, eventually, newBot, newUser, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

const newConversation = async () =>
  (await bot.client.createConversation({ channel: 'channel', tags: {} })).conversation;
const add = (id: string, body: unknown) => bot.call('POST', `/conversations/${id}/participants`, { body });

async function newChatUser() {
  const { client, user } = await newUser(bot);
  const { conversation } = await client.createConversation({});
  const [participant] = (await bot.client.listParticipants({ id: conversation.id })).participants;
  await client.deleteConversation({ id: conversation.id });
  return { client, user, id: participant!.id };
}

describe('POST /v1/chat/conversations/{id}/participants', () => {
  it('returns 200 with the user and adds them', async () => {
    const { id } = await newConversation();
    const { user } = await bot.client.createUser({ tags: { a: '1' }, name: 'Ada' });

    const { status, body } = await add(id, { userId: user.id });

    expect({ status, body }).toEqual({ status: 200, body: { participant: user } });
    expect((await bot.client.listParticipants({ id })).participants).toEqual([user]);
  });

  it('shows the conversation and its messages to the chat user', async () => {
    const ada = await newChatUser();
    const { id } = await newConversation();
    const said = { conversationId: id, userId: bot.id, type: 'text', payload: { text: 'hello' }, tags: {} };

    await bot.client.addParticipant({ id, userId: ada.id });
    await bot.client.createMessage(said);

    await eventually(async () => {
      const { conversations } = await ada.client.listConversations({});
      expect(conversations.map(each => each.id)).toEqual([id]);
    });
    expect((await ada.client.getConversation({ id })).conversation.id).toBe(id);
    const { messages } = await ada.client.listMessages({ conversationId: id });
    expect(messages.map(({ payload }) => payload)).toEqual([{ type: 'text', text: 'hello' }]);
  });

  it('changes nothing for an existing participant', async () => {
    const { id } = await newConversation();
    const { user } = await bot.client.createUser({ tags: {} });

    const first = await add(id, { userId: user.id });
    const second = await add(id, { userId: user.id });

    expect([second.status, second.body]).toEqual([200, first.body]);
    expect((await bot.client.listParticipants({ id })).participants).toEqual([user]);
  });

  it('adds a user once for many concurrent callers', async () => {
    const { id } = await newConversation();
    const { user } = await bot.client.createUser({ tags: {} });

    const answers = await crowds(Math.min(CROWD, 20), () => add(id, { userId: user.id }));

    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect((await bot.client.listParticipants({ id })).participants).toEqual([user]);
  });

  it('adds a removed participant again', async () => {
    const ada = await newChatUser();
    const { id } = await newConversation();
    await bot.client.addParticipant({ id, userId: ada.id });
    await bot.client.removeParticipant({ id, userId: ada.id });

    await bot.client.addParticipant({ id, userId: ada.id });

    expect((await ada.client.getConversation({ id })).conversation.id).toBe(id);
  });

  it('returns 404 for an unknown conversation or user', async () => {
    const stranger = await newBot();
    const { id } = await newConversation();
    const { user } = await bot.client.createUser({ tags: {} });
    const foreign = await stranger.client.createUser({ tags: {} });

    const answers = [
      await add(`convo_${'z'.repeat(22)}`, { userId: user.id }),
      await add(id, { userId: `user_${'z'.repeat(24)}` }),
      await add(id, { userId: 'nobody' }),
      await add(id, { userId: foreign.user.id }),
    ];

    expect(answers.map(({ status, body }) => [status, body.type])).toEqual(
      Array.from({ length: 4 }, () => [404, 'ResourceNotFound']),
    );
    expect((await bot.client.listParticipants({ id })).participants).toEqual([]);
  });

  it.each([[{}], [{ userId: '' }], [{ userId: 7 }], [{ userId: null }]])('returns 400 for %j', async input => {
    const { id } = await newConversation();

    const { status, body } = await add(id, input);

    expect({ status, type: body.type, path: body.metadata.issues[0].path }).toEqual({
      status: 400,
      type: 'InvalidPayload',
      path: 'userId',
    });
  });
});
