import { beforeAll, describe, expect, it } from 'vitest';
import { readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { conversationKey } from '#shared/storage/dynamodb/keys/chat.ts';
import { eventually, newBot, newUser, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { addAttribute } from '#test/support/tableItems.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

describe('DELETE /v1/chat/conversations/{id}', () => {
  it('returns 200 with an empty body and deletes the conversation', async () => {
    const { conversation } = await bot.client.createConversation({ channel: 'direct', tags: { gone: 'soon' } });

    const first = await bot.call('DELETE', `/conversations/${conversation.id}`);
    const second = await bot.call('DELETE', `/conversations/${conversation.id}`);

    expect([first.status, first.body]).toEqual([200, {}]);
    expect(second).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
    await expect(bot.client.getConversation({ id: conversation.id })).rejects.toMatchObject({ code: 404 });
    expect((await bot.client.listConversations({ tags: { gone: 'soon' } })).conversations).toEqual([]);
  });

  it('deletes its content for the bot and for the chat user', async () => {
    const { client, user } = await newUser(bot);
    const { conversation } = await client.createConversation({});
    const said = await client.createMessage({ conversationId: conversation.id, payload: { type: 'text', text: 'hi' } });

    await bot.client.deleteConversation({ id: conversation.id });

    await expect(bot.client.listMessages({ conversationId: conversation.id })).rejects.toMatchObject({ code: 404 });
    await expect(bot.client.getMessage({ id: said.message.id })).rejects.toMatchObject({ code: 404 });
    await expect(bot.client.listParticipants({ id: conversation.id })).rejects.toMatchObject({ code: 404 });
    await expect(client.getConversation({ id: conversation.id })).rejects.toMatchObject({ code: 404 });
    await eventually(async () => expect((await client.listConversations({})).conversations).toEqual([]));
    expect((await bot.client.getUser({ id: user.id })).user.id).toBe(user.id);
    await eventually(async () => {
      const { messages } = await bot.client.listMessages({});
      expect(messages.map(({ id }) => id)).not.toContain(said.message.id);
    });
  });

  it('lets a chat user create it again under the same foreign id', async () => {
    const { client } = await newUser(bot);
    await client.createConversation({ id: 'again' });
    await client.createMessage({ conversationId: 'again', payload: { type: 'text', text: 'old' } });
    const [began] = (await bot.client.listConversations({ tags: { 'chat:fid': 'again' } })).conversations;
    const { id } = began!;

    await bot.client.deleteConversation({ id });
    await client.createConversation({ id: 'again' });

    expect((await client.listMessages({ conversationId: 'again' })).messages).toEqual([]);
    expect((await bot.client.listMessages({ conversationId: id })).messages).toEqual([]);
  });

  it('leaves no attribute of the conversation except those of a tombstone', async () => {
    const { conversation } = await bot.client.createConversation({
      channel: 'direct',
      tags: { color: 'red' },
      properties: { name: 'Fred' },
    });
    const key = conversationKey(bot.id, conversation.id);
    await addAttribute(key, 'ofALaterRelease', 'Fred');

    await bot.client.deleteConversation({ id: conversation.id });

    const { ofALaterRelease, ...tombstone } = (await readItem(key))!;
    expect(ofALaterRelease).toBeUndefined();
    expect(tombstone).toMatchObject({ tags: {}, properties: {}, deletedAtMs: expect.any(Number) });
    expect(JSON.stringify(tombstone)).not.toMatch(/Fred|color/);
  });

  it('returns 404 for an unknown conversation or one of another bot', async () => {
    const stranger = await newBot();
    const { conversation } = await stranger.client.createConversation({ channel: 'direct', tags: {} });

    const answers = [
      await bot.call('DELETE', `/conversations/${conversation.id}`),
      await bot.call('DELETE', `/conversations/convo_${'z'.repeat(22)}`),
      await bot.call('DELETE', '/conversations/none'),
    ];

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect((await stranger.client.getConversation({ id: conversation.id })).conversation).toEqual(conversation);
  });

  it('lets one of several concurrent callers delete the conversation', async () => {
    const { conversation } = await bot.client.createConversation({ channel: 'direct', tags: {} });

    const answers = await Promise.all(
      Array.from({ length: 5 }, () => bot.call('DELETE', `/conversations/${conversation.id}`)),
    );

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404]);
  });

  it("deletes a conversation with more participants than a transaction's limit", async () => {
    const { conversation } = await bot.client.createConversation({ channel: 'group', tags: {} });
    const userIds = await Promise.all(
      Array.from({ length: 105 }, async () => (await bot.client.createUser({ tags: {} })).user.id),
    );
    await Promise.all(userIds.map(userId => bot.client.addParticipant({ id: conversation.id, userId })));

    await bot.client.deleteConversation({ id: conversation.id });

    const found = await Promise.all(
      [userIds[0]!, userIds[104]!].map(id => bot.client.listConversations({ participantIds: [id] })),
    );
    expect(found.map(({ conversations }) => conversations)).toEqual([[], []]);
  });
});
