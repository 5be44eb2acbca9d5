import { beforeAll, describe, expect, it } from 'vitest';
import { newBot, newUser, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

const pathOf = (id: string, query = '') => `/conversations/${id}/participants${query}`;
const idsOf = (participants: { id: string }[]) => participants.map(({ id }) => id);

/** A conversation with a number of participants. */
async function conversationOf(count: number) {
  const { conversation } = await bot.client.createConversation({ channel: 'group', tags: {} });
  const users = await Promise.all(
    Array.from({ length: count }, async (_, i) => (await bot.client.createUser({ tags: { i: `${i}` } })).user),
  );
  await Promise.all(users.map(({ id }) => bot.client.addParticipant({ id: conversation.id, userId: id })));
  return { id: conversation.id, users };
}

describe('GET /v1/chat/conversations/{id}/participants', () => {
  it('lists participants by id', async () => {
    const { id, users } = await conversationOf(3);

    const { status, body } = await bot.call('GET', pathOf(id));

    expect({ status, body }).toEqual({
      status: 200,
      body: { participants: [...users].sort((a, b) => (a.id < b.id ? -1 : 1)), meta: {} },
    });
  });

  it('returns an empty page without participants', async () => {
    const { id, users } = await conversationOf(1);
    const empty = await conversationOf(0);

    await bot.client.removeParticipant({ id, userId: users[0]!.id });

    expect(await bot.client.listParticipants({ id })).toEqual({ participants: [], meta: {} });
    expect(await bot.client.listParticipants({ id: empty.id })).toEqual({ participants: [], meta: {} });
  });

  it("lists the owner of a chat user's conversation", async () => {
    const { client, user } = await newUser(bot, { id: 'ada', name: 'Ada' });
    await client.createConversation({ id: 'hers' });
    const [conversation] = (await bot.client.listConversations({ tags: { 'chat:fid': 'hers' } })).conversations;

    const { participants } = await bot.client.listParticipants({ id: conversation!.id });

    expect(participants).toEqual([
      {
        id: conversation!.tags['chat:owner'],
        createdAt: user.createdAt,
        updatedAt: user.updatedAt,
        name: 'Ada',
        tags: { 'chat:fid': 'ada' },
        properties: {},
        attributes: {},
      },
    ]);
  });

  it('keeps its position when participants leave between pages', async () => {
    const { id, users } = await conversationOf(5);
    const ids = idsOf(users).sort();

    const first = await bot.client.listParticipants({ id, pageSize: 2 });
    await bot.client.removeParticipant({ id, userId: ids[1]! });
    const second = await bot.client.listParticipants({ id, pageSize: 2, nextToken: first.meta.nextToken });
    const third = await bot.client.listParticipants({ id, pageSize: 2, nextToken: second.meta.nextToken });

    expect([first, second, third].map(({ participants }) => idsOf(participants))).toEqual([
      ids.slice(0, 2),
      ids.slice(2, 4),
      ids.slice(4),
    ]);
    expect(third.meta).toEqual({});
  });

  it('returns 400 for a nextToken of another list or an invalid pageSize', async () => {
    const [one, other] = [await conversationOf(2), await conversationOf(2)];
    const { meta } = await bot.client.listParticipants({ id: one.id, pageSize: 1 });
    const token = encodeURIComponent(meta.nextToken!);

    const foreign = await bot.call('GET', pathOf(other.id, `?pageSize=1&nextToken=${token}`));
    const garbage = await bot.call('GET', pathOf(one.id, '?nextToken=garbage'));
    const sized = await bot.call('GET', pathOf(one.id, '?pageSize=101'));

    expect(foreign).toMatchObject({ status: 400, body: { metadata: { issues: [{ path: 'nextToken' }] } } });
    expect(garbage).toMatchObject({ status: 400, body: { metadata: { issues: [{ path: 'nextToken' }] } } });
    expect(sized).toMatchObject({ status: 400, body: { metadata: { issues: [{ path: 'pageSize' }] } } });
  });

  it('returns 404 for an unknown conversation or one of another bot', async () => {
    const stranger = await newBot();
    const { id } = await conversationOf(0);

    const unknown = await bot.call('GET', pathOf(`convo_${'z'.repeat(22)}`));
    const foreign = await stranger.call('GET', pathOf(id));

    expect([unknown, foreign]).toMatchObject([
      { status: 404, body: { type: 'ResourceNotFound' } },
      { status: 404, body: { type: 'ResourceNotFound' } },
    ]);
  });
});
