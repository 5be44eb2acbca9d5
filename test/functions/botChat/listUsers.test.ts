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
import { createAll, pagesOf, type RecordKind, testTaggedList } from '#test/support/suites/taggedLists.ts';

useSharedPlatform();

/** Shared by tests that filter by their own tags or conversation. */
let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

type Query = NonNullable<Parameters<AdminClient['listUsers']>[0]>;
const namesOf = ({ users }: { users: { name?: string }[] }) => users.map(({ name }) => name);
const unique = () => randomUUID();

const KIND: RecordKind<Query> = {
  name: 'user',
  path: '/users',
  namesIn: namesOf,
  create: async (client, tags, name) => (await client.createUser({ name, tags })).user,
  retag: (client, id, tags) => client.updateUser({ id, tags }),
  list: (client, query) => client.listUsers(query),
  otherQueries: ['sortField=updatedAt'],
};

describe('GET /v1/chat/users', () => {
  testTaggedList(KIND, () => bot);

  it('finds a chat user by foreign id', async () => {
    const fid = unique();
    await newUser(bot, { id: fid, name: 'Ada' });

    expect(namesOf(await bot.client.listUsers({ tags: { 'chat:fid': fid } }))).toEqual(['Ada']);
    expect(namesOf(await bot.integration.listUsers({ tags: { fid } }))).toEqual(['Ada']);
  });

  it('finds a chat user by profile', async () => {
    const profile = unique();
    const { client } = await newUser(bot, { name: 'Ada' });
    await client.updateUser({ profile });

    await eventually(async () =>
      expect(namesOf(await bot.client.listUsers({ tags: { 'chat:profile': profile } }))).toEqual(['Ada']),
    );
  });

  it('finds a user by a tag with the name of a derived tag', async () => {
    const fid = unique();
    await createAll(KIND, bot, { 'other:fid': fid }, 'Eve');

    expect(namesOf(await bot.client.listUsers({ tags: { 'other:fid': fid } }))).toEqual(['Eve']);
  });

  it('lists current and former participants of a conversation', async () => {
    const { conversation } = await bot.client.createConversation({ channel: 'group', tags: {} });
    const { id } = conversation;
    const [a, b, c] = await createAll(KIND, bot, {}, 'stays', 'left', 'came back');
    for (const user of [a!, b!, c!]) await bot.client.addParticipant({ id, userId: user.id });
    for (const user of [b!, c!]) await bot.client.removeParticipant({ id, userId: user.id });
    await bot.client.addParticipant({ id, userId: c!.id });

    const everyone = await bot.client.listUsers({ conversationId: id });
    const paged = await pagesOf(KIND, bot, { conversationId: id, pageSize: 2 });
    const sorted = await pagesOf(KIND, bot, {
      conversationId: id,
      pageSize: 2,
      sortField: 'createdAt',
      sortDirection: 'asc',
    });

    expect(namesOf(everyone).sort()).toEqual(['came back', 'left', 'stays']);
    expect(paged.map(({ length }) => length)).toEqual([2, 1]);
    expect(paged.flat()).toEqual(namesOf(everyone));
    expect(sorted).toEqual([['stays', 'left'], ['came back']]);
    expect(await bot.call('GET', `/users?conversationId=convo_${'z'.repeat(22)}`)).toMatchObject({ status: 404 });
  });

  it('filters by inclusive dates of rangeField', async () => {
    const mine = await newBot();
    const [a, b, c] = await createAll(KIND, mine, { of: 'all' }, 'a', 'b', 'c');
    const { user: changed } = await mine.client.updateUser({ id: a!.id, tags: { later: 'x' } });
    const between = async (query: Query) => namesOf(await mine.client.listUsers(query));

    expect(await between({ afterDate: b!.createdAt })).toEqual(['c', 'b']);
    expect(await between({ beforeDate: b!.createdAt })).toEqual(['b', 'a']);
    expect(await between({ afterDate: b!.createdAt, beforeDate: b!.createdAt, tags: { of: 'all' } })).toEqual(['b']);
    expect(await between({ afterDate: changed.updatedAt, rangeField: 'updatedAt' })).toEqual(['a']);
    expect(await between({ afterDate: c!.createdAt, rangeField: 'updatedAt', sortDirection: 'asc' })).toEqual([
      'a',
      'c',
    ]);
    expect(await between({ afterDate: c!.createdAt, sortField: 'updatedAt' })).toEqual(['a', 'c']);
    expect(await between({ afterDate: b!.createdAt, rangeField: 'createdAt', sortField: 'updatedAt' })).toEqual([
      'c',
      'b',
    ]);
  });

  it.each([
    ['pageSize=0', 'pageSize'],
    ['tags=care', 'tags'],
    ['sortField=name', 'sortField'],
    ['rangeField=name', 'rangeField'],
    ['beforeDate=tomorrow', 'beforeDate'],
  ])('returns 400 for ?%s and names the field', async (query, path) => {
    const { status, body } = await bot.call('GET', `/users?${query}`);

    expect(status).toBe(400);
    expect(body).toMatchObject({ type: 'InvalidPayload', metadata: { issues: [{ path }] } });
  });
});
