import { beforeAll, describe, expect, it } from 'vitest';
import { eventually, newBot, newUser, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

const remove = (id: string) => bot.call('DELETE', `/users/${id}`);

describe('DELETE /v1/chat/users/{id}', () => {
  it('returns 200 with an empty body and deletes the user', async () => {
    const { user } = await bot.client.createUser({ tags: { gone: 'soon' } });

    const first = await remove(user.id);
    const second = await remove(user.id);

    expect([first.status, first.body]).toEqual([200, {}]);
    expect(second).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
    await expect(bot.client.getUser({ id: user.id })).rejects.toMatchObject({ code: 404 });
    expect((await bot.client.listUsers({ tags: { gone: 'soon' } })).users).toEqual([]);
  });

  it('removes the user from all conversations and keeps their messages', async () => {
    const { client, user } = await newUser(bot);
    const { conversation } = await client.createConversation({});
    await client.createMessage({ conversationId: conversation.id, payload: { type: 'text', text: 'bye' } });

    await bot.client.deleteUser({ id: user.id });

    expect((await bot.client.listParticipants({ id: conversation.id })).participants).toEqual([]);
    expect((await bot.client.listUsers({ conversationId: conversation.id })).users).toEqual([]);
    const { messages } = await bot.client.listMessages({ conversationId: conversation.id });
    expect(messages).toMatchObject([{ userId: user.id, payload: { text: 'bye' } }]);
  });

  it('deletes a chat user from the chat API', async () => {
    const { client, user } = await newUser(bot);

    await bot.client.deleteUser({ id: user.id });

    await eventually(async () => {
      const error = await client.getUser({}).catch(thrown => thrown);
      expect([401, 404]).toContain(error.code);
    });
  });

  it("returns 400 for the bot's own user", async () => {
    const { status, body } = await remove(bot.id);

    expect({ status, type: body.type }).toEqual({ status: 400, type: 'InvalidPayload' });
    expect((await bot.client.getUser({ id: bot.id })).user.id).toBe(bot.id);
  });

  it('lets one of several concurrent callers delete the user', async () => {
    const { user } = await bot.client.createUser({ tags: {} });

    const answers = await Promise.all(Array.from({ length: 5 }, () => remove(user.id)));

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
  });

  it('returns 404 for an unknown user or one of another bot', async () => {
    const stranger = await newBot();
    const { user } = await stranger.client.createUser({ tags: {} });

    const answers = [await remove(user.id), await remove(`user_${'z'.repeat(24)}`), await remove('nobody')];

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect((await stranger.client.getUser({ id: user.id })).user).toEqual(user);
  });
});
