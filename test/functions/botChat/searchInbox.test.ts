import { beforeAll, describe, expect, it } from 'vitest';
import { handoffsOf, newTalk } from '#test/support/handoffs.ts';
import { apiBaseUrl, call, newBot, settled, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import { newUser } from '#test/support/userTerms.ts';

useSharedPlatform();

type Member = Awaited<ReturnType<TestBot['workspace']['join']>>;
interface Customer {
  botId: string;
  user?: { id: string; name?: string };
  matches: { field: string; key?: string; value: string }[];
  conversations: { id: string; handoff?: { status: string }; preview?: { lastMessage?: { text: string } } }[];
}

let sales: TestBot;
let support: TestBot;
let agent: Member;

beforeAll(async () => {
  sales = await newBot();
  support = await newBot(sales.workspace);
  agent = await sales.workspace.join('agent');
});

const request = (query: Record<string, string>, token = agent.token, workspaceId = sales.workspace.id) =>
  call(`${apiBaseUrl()}/v1/chat/inbox/search?${new URLSearchParams(query)}`, {
    headers: { authorization: `Bearer ${token}`, 'x-workspace-id': workspaceId },
  });
const search = async (query: string, more: Record<string, string> = {}): Promise<Customer[]> =>
  (await request({ query, ...more })).body.customers;
const idsOf = (customers: readonly Customer[]) => customers.map(({ user }) => user?.id).sort();

describe('GET /v1/chat/inbox/search', () => {
  it('finds users of all bots by the start of a word of their names', async () => {
    const one = await newUser(sales, { name: 'Theodora Winterbottom' });
    const other = await newUser(support, { name: 'Gilbert Winter' });
    await newUser(sales, { name: 'Midwinter' });
    await settled();

    const found = await search('wint');

    expect(idsOf(found)).toEqual([one, other].sort());
    expect(found.find(({ user }) => user?.id === one)).toEqual({
      botId: sales.id,
      user: { id: one, name: 'Theodora Winterbottom' },
      matches: [{ field: 'name', value: 'Theodora Winterbottom' }],
      conversations: [],
    });
  });

  it.each(['clara.o', 'CLARA.OSWALD@example.com', 'oswald'])('finds a user by an email address: %s', async query => {
    const bot = await newBot(sales.workspace);
    const id = await newUser(bot, { tags: { mail: 'Clara.Oswald@Example.com' } });
    await settled();

    const found = await search(query, { botIds: bot.id });

    expect(idsOf(found)).toEqual([id]);
    expect(found[0]!.matches).toEqual([{ field: 'email', key: 'mail', value: 'Clara.Oswald@Example.com' }]);
  });

  it.each([
    ['zoe', 'Zoë'],
    ['STRASSER', 'Straßer'],
    ['ørsted', 'Orsted'],
    ['lukasz', 'Łukasz'],
  ])('ignores case and diacritics: %s finds %s', async (query, name) => {
    const bot = await newBot(sales.workspace);
    const id = await newUser(bot, { name });
    await settled();

    expect(idsOf(await search(query, { botIds: bot.id }))).toEqual([id]);
  });

  it('requires all words, in any order and of any field', async () => {
    const bot = await newBot(sales.workspace);
    const id = await newUser(bot, { name: 'Amelia Pond', tags: { city: 'Leadworth' } });
    await newUser(bot, { name: 'Amelia Earhart' });
    await settled();

    expect(idsOf(await search('pond amelia', { botIds: bot.id }))).toEqual([id]);
    expect(idsOf(await search('leadw am', { botIds: bot.id }))).toEqual([id]);
    expect(await search('amelia smith', { botIds: bot.id })).toEqual([]);
  });

  it('lists a user with several matching words once', async () => {
    const bot = await newBot(sales.workspace);
    const id = await newUser(bot, { name: 'Ann Annabel', tags: { mail: 'ann@example.com', nick: 'annie' } });
    await settled();

    const first = (await request({ query: 'ann', botIds: bot.id, pageSize: '1' })).body;

    expect(idsOf(first.customers)).toEqual([id]);
    expect(first.meta).toEqual({});
  });

  it('finds a renamed user by the new name only', async () => {
    const bot = await newBot(sales.workspace);
    const id = await newUser(bot, { name: 'Former' });
    await settled();

    await bot.client.updateUser({ id, name: 'Present' });
    await settled();

    expect(await search('former', { botIds: bot.id })).toEqual([]);
    expect(idsOf(await search('present', { botIds: bot.id }))).toEqual([id]);
  });

  it('finds neither deleted nor erased users', async () => {
    const bot = await newBot(sales.workspace);
    const [deleted, erased] = [await newUser(bot, { name: 'Gonner One' }), await newUser(bot, { name: 'Gonner Two' })];
    await settled();

    await bot.client.deleteUser({ id: deleted });
    const { status } = await bot.call('POST', `/users/${erased}/erase`, { body: {} });
    await settled();

    expect(status).toBe(200);
    expect(await search('gonner', { botIds: bot.id })).toEqual([]);
  });

  it('returns the latest three conversations of a user with handoff and preview', async () => {
    const bot = await newBot(sales.workspace);
    const talk = await newTalk(bot);
    await bot.client.updateUser({ id: talk.userId, name: 'Rory Williams' });
    const ids = [talk.conversationId];
    for (let i = 0; i < 3; i++) ids.push((await talk.client.createConversation({})).conversation.id);
    const conversationId = ids[3]!;
    await talk.client.createMessage({ conversationId, payload: { type: 'text', text: 'Where is my parcel?' } });
    await handoffsOf(bot).start(conversationId);
    await settled();

    const [customer] = await search('rory', { botIds: bot.id });

    expect(customer!.conversations).toHaveLength(3);
    expect(customer!.conversations[0]).toMatchObject({
      id: conversationId,
      handoff: { status: 'waiting', conversationId },
      preview: { lastMessage: { author: 'user', text: 'Where is my parcel?' }, user: { id: talk.userId } },
    });
  });

  it('sorts a page by activity, newest first', async () => {
    const bot = await newBot(sales.workspace);
    const [one, two] = [await newTalk(bot), await newTalk(bot)];
    for (const { userId } of [one, two]) await bot.client.updateUser({ id: userId, name: 'Same Name' });
    await two.say('First');
    await settled();

    await one.say('Second');
    await settled();

    const found = await search('same', { botIds: bot.id });
    expect(found.map(({ user }) => user!.id)).toEqual([one.userId, two.userId]);
  });

  it('continues with a token until all users of all bots are listed once', async () => {
    const bots = [await newBot(sales.workspace), await newBot(sales.workspace)];
    const ids: string[] = [];
    for (let i = 0; i < 7; i++) ids.push(await newUser(bots[i % 2]!, { name: `Page${i} Pager` }));
    await settled();
    const query = { query: 'page', pageSize: '3', 'botIds[0]': bots[0]!.id, 'botIds[1]': bots[1]!.id };

    const pages: string[][] = [];
    for (let nextToken: string | undefined, isEnd = false; !isEnd; ) {
      const { body } = await request({ ...query, ...(nextToken ? { nextToken } : {}) });
      pages.push(idsOf(body.customers) as string[]);
      nextToken = body.meta.nextToken;
      isEnd = nextToken === undefined;
    }

    expect(pages.map(({ length }) => length)).toEqual([3, 3, 1]);
    expect(pages.flat().sort()).toEqual(ids.sort());
  });

  it('finds a conversation by its id, a user by theirs, and both by a tag', async () => {
    const talk = await newTalk(support);
    await support.client.updateUser({ id: talk.userId, tags: { order: 'A 1' } });
    const { conversation } = await support.client.createConversation({ channel: 'channel', tags: { order: 'A 1' } });
    await talk.say('Hello');
    await settled();
    const internal = (await support.client.listConversations({ participantIds: [talk.userId] })).conversations[0]!.id;

    const [byConversation, byUser, byTag] = [
      await search(internal),
      await search(talk.userId),
      await search('order=A 1'),
    ];

    expect(byConversation).toMatchObject([
      { botId: support.id, user: { id: talk.userId }, conversations: [{ id: internal }] },
    ]);
    expect(byUser).toMatchObject([{ user: { id: talk.userId }, conversations: [{ id: internal }] }]);
    expect(byTag.map(({ matches }) => matches[0])).toEqual([
      { field: 'tag', key: 'order', value: 'A 1' },
      { field: 'tag', key: 'order', value: 'A 1' },
    ]);
    expect(byTag.flatMap(({ conversations }) => conversations.map(({ id }) => id)).sort()).toEqual(
      [internal, conversation.id].sort(),
    );
  });

  it('finds no member who answers a conversation', async () => {
    const bot = await newBot(sales.workspace);
    const talk = await newTalk(bot);
    const handoffs = handoffsOf(bot, agent.token);
    const { body } = await handoffs.start(talk.conversationId, { accountId: agent.accountId });
    await settled();

    const [name] = body.handoff.member.name.split(/[\s@]/);

    expect(await search(name, { botIds: bot.id })).toEqual([]);
  });

  it('finds nothing of other workspaces, also by their ids', async () => {
    const stranger = await newBot();
    const id = await newUser(stranger, { name: 'Secretive Stranger', tags: { vip: 'yes' } });
    await settled();

    for (const query of ['secretive', id, 'vip=yes']) {
      expect(await search(query)).toEqual([]);
      expect(await search(query, { botIds: stranger.id })).toEqual([]);
    }
    const { status } = await request({ query: 'secretive' }, agent.token, stranger.workspace.id);
    expect(status).toBe(403);
  });

  it.each(['', 'a', ' a ', 'x'.repeat(201)])(
    'returns 400 for a query of another length than 2 to 200: "%s"',
    async query => {
      const { status, body } = await request({ query });

      expect([status, body.type]).toEqual([400, 'InvalidPayload']);
    },
  );

  it.each(['????', '##', '==', '%%', 'a#', '\u{10ffff}\u{10ffff}', 'ﷺ'.repeat(180)])(
    'returns no result for a query without words: "%s"',
    async query => {
      const { status, body } = await request({ query });

      expect([status, body.customers]).toEqual([200, []]);
    },
  );
});
