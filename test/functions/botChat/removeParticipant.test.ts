import { beforeAll, describe, expect, it } from 'vitest';
import { eventually, newBot, newUser, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

const remove = (id: string, userId: string) => bot.call('DELETE', `/conversations/${id}/participants/${userId}`);

/** Creates a chat user's conversation, and a chat user to add, with the ids that the bot receives. */
async function began() {
  const [owner, guest] = [await newUser(bot), await newUser(bot)];
  const { conversation } = await owner.client.createConversation({});
  await owner.client.addParticipant({ conversationId: conversation.id, userId: guest.user.id });
  return { id: conversation.id, owner, guest };
}

describe('DELETE /v1/chat/conversations/{id}/participants/{userId}', () => {
  it('returns 200 with an empty body and removes the participant', async () => {
    const { conversation } = await bot.client.createConversation({ channel: 'direct', tags: {} });
    const { user } = await bot.client.createUser({ tags: {} });
    await bot.client.addParticipant({ id: conversation.id, userId: user.id });

    const first = await remove(conversation.id, user.id);
    const second = await remove(conversation.id, user.id);

    expect([first.status, first.body]).toEqual([200, {}]);
    expect(second).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
    expect((await bot.client.listParticipants({ id: conversation.id })).participants).toEqual([]);
    expect((await bot.client.getUser({ id: user.id })).user).toEqual(user);
  });

  it('hides the conversation from the chat user', async () => {
    const { id, guest } = await began();

    await bot.client.removeParticipant({ id, userId: guest.user.id });

    await eventually(async () => expect((await guest.client.listConversations({})).conversations).toEqual([]));
    await expect(guest.client.getConversation({ id })).rejects.toMatchObject({ code: 403 });
    await expect(guest.client.listMessages({ conversationId: id })).rejects.toMatchObject({ code: 403 });
  });

  it('returns 400 for the owner of the conversation', async () => {
    const { id, owner } = await began();

    const { status, body } = await remove(id, owner.user.id);

    expect({ status, type: body.type }).toEqual({ status: 400, type: 'InvalidPayload' });
    expect((await owner.client.getConversation({ id })).conversation.id).toBe(id);
  });

  it("keeps the user's messages", async () => {
    const { id, guest } = await began();
    await guest.client.createMessage({ conversationId: id, payload: { type: 'text', text: 'bye' } });

    await bot.client.removeParticipant({ id, userId: guest.user.id });

    const { messages } = await bot.client.listMessages({ conversationId: id });
    expect(messages).toMatchObject([{ userId: guest.user.id, payload: { text: 'bye' } }]);
  });

  it('lets one of several concurrent callers remove the participant', async () => {
    const { id, guest } = await began();

    const answers = await Promise.all(Array.from({ length: 5 }, () => remove(id, guest.user.id)));

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
  });

  it('returns 404 for a user who is not a participant and for records of another bot', async () => {
    const stranger = await newBot();
    const { id, guest } = await began();
    const { user } = await bot.client.createUser({ tags: {} });

    const answers = [
      await remove(id, user.id),
      await remove(id, 'nobody'),
      await remove(`convo_${'z'.repeat(22)}`, guest.user.id),
      await stranger.call('DELETE', `/conversations/${id}/participants/${guest.user.id}`),
    ];

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  });
});
