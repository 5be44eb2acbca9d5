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
import { createAll, type RecordKind, testTaggedList } from '#test/support/suites/taggedLists.ts';

useSharedPlatform();

/** Shared by tests that filter by their own tags or participants. */
let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

type Query = NonNullable<Parameters<AdminClient['listConversations']>[0]>;
const channelsOf = ({ conversations }: { conversations: { channel: string }[] }) =>
  conversations.map(({ channel }) => channel);
const unique = () => randomUUID();

const KIND: RecordKind<Query> = {
  name: 'conversation',
  path: '/conversations',
  namesIn: channelsOf,
  create: async (client, tags, channel) => (await client.createConversation({ channel, tags })).conversation,
  retag: (client, id, tags) => client.updateConversation({ id, tags }),
  list: (client, query) => client.listConversations(query),
  otherQueries: ['channel=a', 'sortDirection=asc'],
  async relate(client, conversations) {
    const { user } = await client.createUser({ tags: {} });
    for (const { id } of conversations) await client.addParticipant({ id, userId: user.id });
    return { participantIds: [user.id] };
  },
};

describe('GET /v1/chat/conversations', () => {
  testTaggedList(KIND, () => bot);

  it('filters by one or several current participants', async () => {
    const users = await Promise.all([1, 2].map(() => bot.client.createUser({ tags: {} })));
    const [ada, bob] = users.map(({ user }) => user.id) as [string, string];
    const [one, two, three] = await createAll(KIND, bot, {}, 'ada', 'both', 'left');
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

  it('filters by integration and channel, and shows an integration only its own conversations', async () => {
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
    const [a, b, c] = await createAll(KIND, mine, { of: 'all' }, 'a', 'b', 'c');
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
    await createAll(KIND, mine, {}, 'silent', 'talkative');
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

  it('keeps its position when records are created or deleted between pages', async () => {
    const mine = await newBot();
    const all = await createAll(KIND, mine, {}, 'a', 'b', 'c', 'd');

    const first = await mine.client.listConversations({ pageSize: 2 });
    // Deletes the last conversation of the page.
    await mine.client.deleteConversation({ id: all[2]!.id });
    await createAll(KIND, mine, {}, 'e');
    const second = await mine.client.listConversations({ pageSize: 2, nextToken: first.meta.nextToken });

    expect([first, second].map(channelsOf)).toEqual([
      ['d', 'c'],
      ['b', 'a'],
    ]);
    expect(second.meta).toEqual({});
  });

  it('returns each conversation in ascending update order, even if some are updated between pages', async () => {
    const mine = await newBot();
    const all = await createAll(KIND, mine, {}, 'a', 'b', 'c', 'd', 'e', 'f');
    const oldestFirst = { pageSize: 2, sortField: 'updatedAt', sortDirection: 'asc' } as Query;

    const seen: string[] = [];
    let nextToken: string | undefined;
    do {
      const page = await mine.client.listConversations({ ...oldestFirst, nextToken });
      seen.push(...channelsOf(page));
      nextToken = page.meta.nextToken;
      // Moves a conversation of a later page, and one of an earlier page.
      if (seen.length === 2) {
        await mine.client.updateConversation({ id: all[3]!.id, tags: { a: '1' } });
        await mine.client.updateConversation({ id: all[0]!.id, tags: { a: '1' } });
      }
    } while (nextToken);

    expect([...new Set(seen)].sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(seen.filter(name => name === 'a')).toHaveLength(2);
  });

  it.each([
    ['pageSize=0', 'pageSize'],
    ['tags=care', 'tags'],
    ['tags[a][b]=1', 'tags.a'],
    ['sortField=channel', 'sortField'],
    ['afterDate=yesterday', 'afterDate'],
    ['minMessageCount=-1', 'minMessageCount'],
    [`channel=${'x'.repeat(201)}`, 'channel'],
  ])('returns 400 for ?%s and names the field', async (query, path) => {
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
