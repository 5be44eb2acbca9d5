import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  type AdminClient,
  eventually,
  newBot,
  newUser,
  type TestBot,
  useSharedPlatform,
} from '#test/support/platform.ts';

useSharedPlatform();

/** Shared by tests that filter by their own tags or participants. */
let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

type Query = Parameters<AdminClient['listConversations']>[0];
const channelsOf = ({ conversations }: { conversations: { channel: string }[] }) =>
  conversations.map(({ channel }) => channel);
const unique = () => randomUUID();

/** Creates conversations in channels of these names, in this order. */
async function newConversations({ client }: TestBot, tags: Record<string, string>, ...channels: string[]) {
  const all: { id: string; createdAt: string; updatedAt: string }[] = [];
  for (const channel of channels) all.push((await client.createConversation({ channel, tags })).conversation);
  return all;
}

/** The channels on all pages, and the number of pages. */
async function pages({ client }: TestBot, query: Query) {
  const channels: string[][] = [];
  let nextToken: string | undefined;
  do {
    const page = await client.listConversations({ ...query, nextToken });
    channels.push(channelsOf(page));
    nextToken = page.meta.nextToken;
  } while (nextToken);
  return channels;
}

describe('GET /v1/chat/conversations', () => {
  it("lists only the bot's conversations, newest first", async () => {
    const [mine, theirs] = [await newBot(), await newBot()];
    await newConversations(theirs, {}, 'theirs');
    const [a, b] = await newConversations(mine, { x: '1' }, 'a', 'b');

    const { status, body } = await mine.call('GET', '/conversations');

    expect({ status, body }).toEqual({ status: 200, body: { conversations: [b, a], meta: {} } });
  });

  it('filters by tags in every query encoding', async () => {
    const [of, both] = [unique(), unique()];
    await newConversations(bot, { of }, 'one');
    await newConversations(bot, { of, both }, 'two');
    const raw = async (query: string) => channelsOf((await bot.call('GET', `/conversations?${query}`)).body);

    const dotted = channelsOf(await bot.client.listConversations({ tags: { of, both } }));
    const bracketed = await raw(`tags[of]=${of}&tags[both]=${both}`);
    const encoded = await raw(`tags%5Bof%5D=${of}&tags%5Bboth%5D=${both}`);
    const json = await raw(`tags=${encodeURIComponent(JSON.stringify({ of, both }))}`);

    expect([dotted, bracketed, encoded, json]).toEqual([['two'], ['two'], ['two'], ['two']]);
    expect(await raw(`tags[of]=${of}`)).toEqual(['two', 'one']);
    expect(await raw(`tags[of]=${of}&tags[both]=none`)).toEqual([]);
  });

  it('finds a conversation by its current tags only', async () => {
    const [was, is] = [unique(), unique()];
    const [one] = await newConversations(bot, { t: was }, 'a');
    await bot.client.updateConversation({ id: one!.id, tags: { t: is } });

    expect(channelsOf(await bot.client.listConversations({ tags: { t: was } }))).toEqual([]);
    expect(channelsOf(await bot.client.listConversations({ tags: { t: is } }))).toEqual(['a']);
  });

  it('filters by one or several current participants', async () => {
    const users = await Promise.all([1, 2].map(() => bot.client.createUser({ tags: {} })));
    const [ada, bob] = users.map(({ user }) => user.id) as [string, string];
    const [one, two, three] = await newConversations(bot, {}, 'ada', 'both', 'left');
    for (const { id } of [one!, two!, three!]) await bot.client.addParticipant({ id, userId: ada });
    for (const { id } of [two!, three!]) await bot.client.addParticipant({ id, userId: bob });
    await bot.client.removeParticipant({ id: three!.id, userId: bob });
    const json = encodeURIComponent(JSON.stringify([ada, bob]));

    const answers = await Promise.all([
      bot.client.listConversations({ participantIds: [ada] }),
      bot.client.listConversations({ participantIds: [ada, bob] }),
      bot.client.listConversations({ participantIds: [bob] }),
      bot.client.listConversations({ participantIds: [ada, 'nobody'] }),
      bot.call('GET', `/conversations?participantIds=${json}`).then(({ body }) => body),
    ]);

    expect(answers.map(channelsOf)).toEqual([['left', 'both', 'ada'], ['both'], ['both'], [], ['both']]);
  });

  it('filters by derived tags', async () => {
    const { client } = await newUser(bot);
    const fid = unique();
    await client.createConversation({ id: fid });
    await client.createConversation({});
    const { conversations: named } = await bot.client.listConversations({ tags: { 'chat:fid': fid } });
    const owner = named[0]!.tags['chat:owner']!;

    const owned = await bot.client.listConversations({ tags: { 'chat:owner': owner } });
    const both = await bot.client.listConversations({ tags: { 'chat:fid': fid, 'chat:owner': owner } });
    const other = await bot.client.listConversations({ tags: { 'chat:fid': fid, 'chat:owner': 'nobody' } });
    const seen = await bot.integration.listConversations({ tags: { fid } });

    expect(named).toHaveLength(1);
    expect(owned.conversations).toHaveLength(2);
    expect(both.conversations).toEqual(named);
    expect(other.conversations).toEqual([]);
    expect(seen.conversations.map(({ id }) => id)).toEqual([named[0]!.id]);
  });

  it("finds a deleted chat user's conversation by its owner", async () => {
    const { client, user } = await newUser(bot);
    const { conversation } = await client.createConversation({});
    await bot.client.deleteUser({ id: user.id });

    const { tags } = (await bot.client.getConversation({ id: conversation.id })).conversation;

    expect(tags['chat:owner']).toBe(user.id);
    await eventually(async () => {
      const { conversations } = await bot.client.listConversations({ tags: { 'chat:owner': user.id } });
      expect(conversations.map(({ id }) => id)).toEqual([conversation.id]);
    });
  });

  it('filters by integration and channel, and shows an integration only its own', async () => {
    const mine = await newBot();
    const other = await installOther(mine);
    await mine.integration.createConversation({ channel: 'a', tags: {} });
    await other.createConversation({ channel: 'a', tags: {} });
    await other.createConversation({ channel: 'b', tags: {} });

    const answers = await Promise.all([
      mine.client.listConversations({}),
      mine.client.listConversations({ integrationName: 'chat' }),
      mine.client.listConversations({ channel: 'a' }),
      mine.client.listConversations({ integrationName: 'other', channel: 'b' }),
      mine.client.listConversations({ integrationName: 'none' }),
      mine.integration.listConversations({}),
      other.listConversations({}),
    ]);

    expect(answers.map(channelsOf)).toEqual([['b', 'a', 'a'], ['a'], ['a', 'a'], ['b'], [], ['a'], ['b', 'a']]);
    expect(answers[5]!.conversations[0]!.integration).toBe('chat');
  });

  it('filters by inclusive dates', async () => {
    const mine = await newBot();
    const [a, b, c] = await newConversations(mine, { of: 'all' }, 'a', 'b', 'c');
    const [first, second, third] = [a!.createdAt, b!.createdAt, c!.createdAt];
    const between = async (query: Query) => channelsOf(await mine.client.listConversations(query));

    expect(await between({ afterDate: second })).toEqual(['c', 'b']);
    expect(await between({ beforeDate: second })).toEqual(['b', 'a']);
    expect(await between({ afterDate: second, beforeDate: second })).toEqual(['b']);
    expect(await between({ afterDate: first, beforeDate: third, tags: { of: 'all' } })).toEqual(['c', 'b', 'a']);
    expect(await between({ afterDate: second, tags: { of: 'all' } })).toEqual(['c', 'b']);
    expect(await between({ afterDate: third, beforeDate: first })).toEqual([]);
  });

  it('filters by message count', async () => {
    const mine = await newBot();
    await newConversations(mine, {}, 'silent', 'talkative');
    const [talkative] = (await mine.client.listConversations({ channel: 'talkative' })).conversations;
    for (const text of ['a', 'b']) {
      const about = { conversationId: talkative!.id, userId: mine.id, type: 'text', payload: { text }, tags: {} };
      await mine.client.createMessage(about);
    }

    await eventually(async () => {
      expect(channelsOf(await mine.client.listConversations({ minMessageCount: 2 }))).toEqual(['talkative']);
    });
    expect(channelsOf(await mine.client.listConversations({ maxMessageCount: 1 }))).toEqual(['silent']);
    expect(channelsOf(await mine.client.listConversations({ minMessageCount: 1, maxMessageCount: 2 }))).toEqual([
      'talkative',
    ]);
    expect(channelsOf(await mine.client.listConversations({ minMessageCount: 3 }))).toEqual([]);
  });

  it.each([
    ['createdAt', 'asc', ['a', 'b', 'c', 'd', 'e']],
    ['createdAt', 'desc', ['e', 'd', 'c', 'b', 'a']],
    ['updatedAt', 'asc', ['b', 'c', 'd', 'e', 'a']],
    ['updatedAt', 'desc', ['a', 'e', 'd', 'c', 'b']],
  ] as const)('sorts by %s %s over pages, of all and of some', async (sortField, sortDirection, order) => {
    const mine = await newBot();
    const { user } = await mine.client.createUser({ tags: {} });
    const [a, ...more] = await newConversations(mine, { of: 'all' }, 'a', 'b', 'c', 'd', 'e');
    for (const { id } of [a!, ...more]) await mine.client.addParticipant({ id, userId: user.id });
    await mine.client.updateConversation({ id: a!.id, tags: { later: 'x' } });
    const query = { sortField, sortDirection, pageSize: 2 };

    const all = await pages(mine, query);
    const tagged = await pages(mine, { ...query, tags: { of: 'all' } });
    const taking = await pages(mine, { ...query, participantIds: [user.id] });

    const expected = [order.slice(0, 2), order.slice(2, 4), order.slice(4)];
    expect([all, tagged, taking]).toEqual([expected, expected, expected]);
  });

  it('continues where the previous page ended, although records are created and deleted in between', async () => {
    const mine = await newBot();
    const all = await newConversations(mine, {}, 'a', 'b', 'c', 'd');

    const first = await mine.client.listConversations({ pageSize: 2 });
    // The page ended with c.
    await mine.client.deleteConversation({ id: all[2]!.id });
    await newConversations(mine, {}, 'e');
    const second = await mine.client.listConversations({ pageSize: 2, nextToken: first.meta.nextToken });

    expect([first, second].map(channelsOf)).toEqual([
      ['d', 'c'],
      ['b', 'a'],
    ]);
    expect(second.meta).toEqual({});
  });

  it('returns 400 to a nextToken of another list', async () => {
    const [mine, theirs] = [await newBot(), await newBot()];
    await newConversations(mine, {}, 'a', 'b');
    await newConversations(theirs, {}, 'a', 'b');
    const { meta: own } = await mine.client.listConversations({ pageSize: 1 });
    const { meta: foreign } = await theirs.client.listConversations({ pageSize: 1 });
    const withToken = (nextToken: string, more = '') =>
      mine.call('GET', `/conversations?pageSize=1&nextToken=${encodeURIComponent(nextToken)}${more}`);

    const answers = [
      await withToken(foreign.nextToken!),
      await withToken('garbage'),
      await withToken(own.nextToken!, '&channel=a'),
      await withToken(own.nextToken!, '&sortDirection=asc'),
      await withToken(own.nextToken!, '&tags[a]=1'),
    ];

    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 400, body: { metadata: { issues: [{ path: 'nextToken' }] } } });
    }
    expect((await withToken(own.nextToken!)).status).toBe(200);
  });

  it.each([
    ['pageSize=0', 'pageSize'],
    ['tags=care', 'tags'],
    ['tags[a][b]=1', 'tags.a'],
    ['sortField=channel', 'sortField'],
    ['afterDate=yesterday', 'afterDate'],
    ['minMessageCount=-1', 'minMessageCount'],
    [`channel=${'x'.repeat(201)}`, 'channel'],
  ])('answers 400 to ?%s, naming the fault', async (query, path) => {
    const { status, body } = await bot.call('GET', `/conversations?${query}`);

    expect(status).toBe(400);
    expect(body).toMatchObject({ type: 'InvalidPayload', metadata: { issues: [{ path }] } });
  });
});

/** Another integration installed on a bot, and its client. */
async function installOther({ id, workspace, clientOf }: TestBot): Promise<AdminClient> {
  const { client } = workspace.owner;
  const name = `i${randomUUID().slice(0, 8)}`;
  const { integration } = await client.createIntegration({ name, version: '1.0.0' });
  await client.updateBot({ id, integrations: { other: { integrationId: integration.id, enabled: true } } });
  const { value } = await client.createIntegrationApiKey({ integrationId: integration.id });
  return clientOf(value, { integrationAlias: 'other' });
}
