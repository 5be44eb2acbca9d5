import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { CROWD, crowds, newBot, newUser, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

const raw = (body: unknown) => bot.call('POST', '/conversations/get-or-create', { body });
const getOrCreate = (tags: Record<string, string>, more: { channel?: string; discriminateByTags?: string[] } = {}) =>
  bot.client.getOrCreateConversation({ channel: 'direct', tags, ...more });
const idOf = async (answer: ReturnType<typeof getOrCreate>) => (await answer).conversation.id;
/** A tag value that no other test uses. */
const unique = () => randomUUID();

describe('POST /v1/chat/conversations/get-or-create', () => {
  it('returns 201 when it creates the conversation and 200 when it finds the same one', async () => {
    const input = { channel: 'direct', tags: { who: unique(), none: '', nil: null }, properties: { p: '1', q: null } };

    const first = await raw(input);
    const second = await raw(input);

    expect(first.status).toBe(201);
    expect(first.body).toEqual({
      conversation: {
        id: expect.stringMatching(/^convo_[0-9A-Za-z]{22}$/),
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
        channel: 'direct',
        integration: 'chat',
        tags: { who: input.tags.who },
        messageCount: 0,
        properties: { p: '1' },
      },
      meta: { created: true },
    });
    expect(second.status).toBe(200);
    expect(second.body).toEqual({ ...first.body, meta: { created: false } });
    expect(second.headers.get('etag')).toBe(first.headers.get('etag'));
  });

  it('creates one conversation for many concurrent callers', async () => {
    const tags = { crowd: unique() };

    const answers = await crowds(CROWD, () => raw({ channel: 'direct', tags }));

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(CROWD - 1);
    expect(new Set(answers.map(({ body }) => body.conversation.id)).size).toBe(1);
  });

  it('replaces a conversation that lost its tags or was deleted only once for concurrent callers', async () => {
    const [lost, gone] = [{ lost: unique() }, { gone: unique() }];
    const [loser, ghost] = [await idOf(getOrCreate(lost)), await idOf(getOrCreate(gone))];
    await bot.client.updateConversation({ id: loser, tags: { lost: null } });
    await bot.client.deleteConversation({ id: ghost });

    const [first, second] = [await crowds(20, () => getOrCreate(lost)), await crowds(20, () => getOrCreate(gone))];

    for (const answers of [first, second]) {
      expect(answers.filter(({ meta }) => meta.created)).toHaveLength(1);
      expect(new Set(answers.map(({ conversation }) => conversation.id)).size).toBe(1);
    }
    expect(first[0]!.conversation.id).not.toBe(loser);
  });

  it('compares all tags by default and only the named ones with discriminateByTags', async () => {
    const [a, b] = [unique(), unique()];
    const both = await idOf(getOrCreate({ a, b }));

    const one = await getOrCreate({ a });
    const more = await getOrCreate({ a, b, c: '1' });
    const again = await getOrCreate({ b, a });
    const byB = await getOrCreate({ a: 'another', b, d: '2' }, { discriminateByTags: ['b'] });

    expect([one.meta.created, more.meta.created]).toEqual([true, true]);
    expect([again.meta.created, again.conversation.id]).toEqual([false, both]);
    expect(byB.meta.created).toBe(false);
    expect([both, more.conversation.id]).toContain(byB.conversation.id);
    expect(byB.conversation.tags.a).toBe(a);
  });

  it('matches the named tags and sets all of them on a new conversation', async () => {
    const a = unique();

    const first = await getOrCreate({ a, b: '1' }, { discriminateByTags: ['a'] });
    const second = await getOrCreate({ a, b: '2' }, { discriminateByTags: ['a'] });

    expect([first.meta.created, first.conversation.tags]).toEqual([true, { a, b: '1' }]);
    expect([second.meta.created, second.conversation]).toEqual([false, first.conversation]);
  });

  it('finds conversations tagged by createConversation or updateConversation', async () => {
    const [made, later] = [unique(), unique()];
    const created = await bot.client.createConversation({ channel: 'direct', tags: { made } });
    const updated = await bot.client.createConversation({ channel: 'direct', tags: {} });
    await bot.client.updateConversation({ id: updated.conversation.id, tags: { later } });

    const found = [await getOrCreate({ made }), await getOrCreate({ later })];

    expect(found.map(({ conversation, meta }) => [conversation.id, meta.created])).toEqual([
      [created.conversation.id, false],
      [updated.conversation.id, false],
    ]);
  });

  it('replaces a conversation that lost the tag only once', async () => {
    const tags = { lost: unique() };
    const first = await idOf(getOrCreate(tags));
    await bot.client.updateConversation({ id: first, tags: { lost: '' } });

    const second = await getOrCreate(tags);
    const third = await getOrCreate(tags);
    await bot.client.updateConversation({ id: first, tags: { lost: tags.lost, more: 'x' } });

    expect(second.meta.created).toBe(true);
    expect(second.conversation.id).not.toBe(first);
    expect([third.meta.created, third.conversation.id]).toEqual([false, second.conversation.id]);
    expect(await idOf(getOrCreate(tags))).toBe(second.conversation.id);
  });

  it('creates one conversation per channel, and a new one on every call without tags', async () => {
    const tags = { where: unique() };

    const ids = [
      await idOf(getOrCreate(tags)),
      await idOf(getOrCreate(tags, { channel: 'group' })),
      await idOf(getOrCreate({})),
      await idOf(getOrCreate({})),
      await idOf(getOrCreate({ ...tags }, { discriminateByTags: [] })),
    ];

    expect(new Set(ids).size).toBe(5);
    expect(await idOf(getOrCreate(tags, { channel: 'group' }))).toBe(ids[1]);
  });

  it('creates a deleted conversation again, without its messages', async () => {
    const tags = { again: unique() };
    const id = await idOf(getOrCreate(tags));
    const { user } = await bot.client.createUser({ tags: {} });
    await bot.client.addParticipant({ id, userId: user.id });
    const message = { conversationId: id, userId: user.id, type: 'text', payload: { text: 'hi' }, tags: {} };
    await bot.client.createMessage(message);
    await bot.client.deleteConversation({ id });

    const { conversation, meta } = await getOrCreate(tags);

    expect(meta.created).toBe(true);
    expect(conversation).toMatchObject({ tags, messageCount: 0 });
    expect((await bot.client.listMessages({ conversationId: conversation.id })).messages).toEqual([]);
    expect((await bot.client.listParticipants({ id: conversation.id })).participants).toEqual([]);
    expect((await bot.client.listUsers({ conversationId: conversation.id })).users).toEqual([]);
  });

  it("matches an integration's own tags, regardless of the bot's", async () => {
    const id = unique();
    const input = { channel: 'direct', tags: { id }, discriminateByTags: ['id'] };
    const first = await bot.integration.getOrCreateConversation(input);
    await bot.client.updateConversation({ id: first.conversation.id, tags: { note: 'x' } });

    const found = await bot.integration.getOrCreateConversation(input);
    const byBot = await getOrCreate({ 'chat:id': id }, { discriminateByTags: ['chat:id'] });

    expect(first.conversation.tags).toEqual({ id });
    expect(found.meta.created).toBe(false);
    expect(found.conversation).toMatchObject({ id: first.conversation.id, tags: { id } });
    expect(byBot.conversation).toMatchObject({ id: first.conversation.id, tags: { 'chat:id': id, note: 'x' } });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['a channel of 201 characters', { channel: 'x'.repeat(201) }, 'channel'],
    ['a tag of 501 characters', { tags: { a: 'x'.repeat(501) } }, 'tags.a'],
    ['discriminateByTags naming a tag not given', { discriminateByTags: ['b'] }, 'discriminateByTags'],
    ['discriminateByTags naming an empty tag', { tags: { a: '' }, discriminateByTags: ['a'] }, 'discriminateByTags'],
    ['discriminateByTags naming what every object has', { discriminateByTags: ['toString'] }, 'discriminateByTags'],
  ])('returns 400 for %s', async (_, more, path) => {
    const { status, body } = await raw({ channel: 'direct', tags: { a: '1' }, ...more });

    expect({ status, type: body.type, path: body.metadata?.issues[0].path }).toEqual({
      status: 400,
      type: 'InvalidPayload',
      path,
    });
  });

  it("finds a chat user's conversation by derived tags", async () => {
    const { client } = await newUser(bot);
    const fid = unique();
    await client.createConversation({ id: fid });
    const [began] = (await bot.client.listConversations({ tags: { 'chat:fid': fid } })).conversations;

    const found = await getOrCreate({ 'chat:fid': fid }, { channel: 'channel', discriminateByTags: ['chat:fid'] });

    expect(found).toEqual({ conversation: began, meta: { created: false } });
  });

  it("finds a chat user's conversation by tags of the bot", async () => {
    const { client } = await newUser(bot);
    const { conversation } = await client.createConversation({});
    const tags = { about: unique() };
    await bot.client.updateConversation({ id: conversation.id, tags });

    const found = await getOrCreate(tags, { channel: 'channel' });

    expect([found.meta.created, found.conversation.id]).toEqual([false, conversation.id]);
  });
});
