import { beforeAll, describe, expect, it } from 'vitest';
import { newBot, newUser, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

/** A conversation and its participant. */
async function conversation() {
  const { conversation } = await bot.client.createConversation({ channel: 'direct', tags: {} });
  const { user } = await bot.client.createUser({ tags: { own: '1', 'chat:id': '2' }, name: 'Ada' });
  await bot.client.addParticipant({ id: conversation.id, userId: user.id });
  return { id: conversation.id, user };
}
const get = (id: string, userId: string) => bot.call('GET', `/conversations/${id}/participants/${userId}`);

describe('GET /v1/chat/conversations/{id}/participants/{userId}', () => {
  it('returns the participant', async () => {
    const { id, user } = await conversation();

    const { status, body } = await get(id, user.id);

    expect({ status, body }).toEqual({ status: 200, body: { participant: user } });
  });

  it('shows an integration its own tags', async () => {
    const { id, user } = await conversation();

    const { participant } = await bot.integration.getParticipant({ id, userId: user.id });

    expect(participant).toEqual({ ...user, tags: { id: '2' } });
  });

  it('returns a chat user of a conversation', async () => {
    const { client } = await newUser(bot, { id: 'ada', name: 'Ada' });
    await client.createConversation({ id: 'hers' });
    const [began] = (await bot.client.listConversations({ tags: { 'chat:fid': 'hers' } })).conversations;
    const { id, tags } = began!;

    const { participant } = await bot.client.getParticipant({ id, userId: tags['chat:owner']! });

    expect(participant).toMatchObject({ id: tags['chat:owner'], name: 'Ada', tags: { 'chat:fid': 'ada' } });
  });

  it('returns 404 for a user who is not a participant or was removed', async () => {
    const { id, user } = await conversation();
    const other = await conversation();
    await bot.client.removeParticipant({ id, userId: user.id });

    const answers = [await get(id, user.id), await get(id, other.user.id), await get(id, 'nobody')];

    expect(answers).toMatchObject(
      Array.from({ length: 3 }, () => ({ status: 404, body: { type: 'ResourceNotFound' } })),
    );
  });

  it('returns 404 for a deleted user, and for a conversation that was deleted or belongs to another bot', async () => {
    const stranger = await newBot();
    const [one, two, three] = [await conversation(), await conversation(), await conversation()];
    await bot.client.deleteConversation({ id: one.id });
    await bot.client.deleteUser({ id: two.user.id });

    const answers = [
      await get(one.id, one.user.id),
      await get(two.id, two.user.id),
      await stranger.call('GET', `/conversations/${three.id}/participants/${three.user.id}`),
    ];

    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
  });
});
