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

/** Shared by tests that filter by their own tags or conversation. */
let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

type Query = Parameters<AdminClient['listUsers']>[0];
const namesOf = ({ users }: { users: { name?: string }[] }) => users.map(({ name }) => name);
const unique = () => randomUUID();

/** Creates users of these names, in this order. */
async function newUsers({ client }: TestBot, tags: Record<string, string>, ...names: string[]) {
  const all: { id: string; createdAt: string; updatedAt: string }[] = [];
  for (const name of names) all.push((await client.createUser({ name, tags })).user);
  return all;
}

/** The names on all pages. */
async function pages({ client }: TestBot, query: Query) {
  const names: (string | undefined)[][] = [];
  let nextToken: string | undefined;
  do {
    const page = await client.listUsers({ ...query, nextToken });
    names.push(namesOf(page));
    nextToken = page.meta.nextToken;
  } while (nextToken);
  return names;
}

describe('GET /v1/chat/users', () => {
  it("lists only the bot's users, newest first", async () => {
    const [mine, theirs] = [await newBot(), await newBot()];
    await newUsers(theirs, {}, 'theirs');
    const [a, b] = await newUsers(mine, { x: '1' }, 'a', 'b');

    const { status, body } = await mine.call('GET', '/users');

    expect({ status, body }).toEqual({ status: 200, body: { users: [b, a], meta: {} } });
  });

  it('filters by tags in every query encoding', async () => {
    const [of, both] = [unique(), unique()];
    await newUsers(bot, { of }, 'one');
    await newUsers(bot, { of, both }, 'two');
    const raw = async (query: string) => namesOf((await bot.call('GET', `/users?${query}`)).body);

    const dotted = namesOf(await bot.client.listUsers({ tags: { of, both } }));
    const bracketed = await raw(`tags[of]=${of}&tags[both]=${both}`);
    const json = await raw(`tags=${encodeURIComponent(JSON.stringify({ of, both }))}`);

    expect([dotted, bracketed, json]).toEqual([['two'], ['two'], ['two']]);
    expect(await raw(`tags[of]=${of}`)).toEqual(['two', 'one']);
  });

  it('finds a user by current tags only', async () => {
    const [was, is] = [unique(), unique()];
    const [one] = await newUsers(bot, { t: was }, 'a');
    await bot.client.updateUser({ id: one!.id, tags: { t: is } });

    expect(namesOf(await bot.client.listUsers({ tags: { t: was } }))).toEqual([]);
    expect(namesOf(await bot.client.listUsers({ tags: { t: is } }))).toEqual(['a']);
  });

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

  it('finds a user by a tag named like a derived one', async () => {
    const fid = unique();
    await newUsers(bot, { 'other:fid': fid }, 'Eve');

    expect(namesOf(await bot.client.listUsers({ tags: { 'other:fid': fid } }))).toEqual(['Eve']);
  });

  it('lists present and former participants of a conversation', async () => {
    const { conversation } = await bot.client.createConversation({ channel: 'group', tags: {} });
    const { id } = conversation;
    const [a, b, c] = await newUsers(bot, {}, 'stays', 'left', 'came back');
    for (const user of [a!, b!, c!]) await bot.client.addParticipant({ id, userId: user.id });
    for (const user of [b!, c!]) await bot.client.removeParticipant({ id, userId: user.id });
    await bot.client.addParticipant({ id, userId: c!.id });

    const everyone = await bot.client.listUsers({ conversationId: id });
    const paged = await pages(bot, { conversationId: id, pageSize: 2 });
    const sorted = await pages(bot, { conversationId: id, pageSize: 2, sortField: 'createdAt', sortDirection: 'asc' });

    expect(namesOf(everyone).sort()).toEqual(['came back', 'left', 'stays']);
    expect(paged.map(({ length }) => length)).toEqual([2, 1]);
    expect(paged.flat()).toEqual(namesOf(everyone));
    expect(sorted).toEqual([['stays', 'left'], ['came back']]);
    expect(await bot.call('GET', `/users?conversationId=convo_${'z'.repeat(22)}`)).toMatchObject({ status: 404 });
  });

  it('filters by inclusive dates of rangeField', async () => {
    const mine = await newBot();
    const [a, b, c] = await newUsers(mine, { of: 'all' }, 'a', 'b', 'c');
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
    ['createdAt', 'asc', ['a', 'b', 'c', 'd', 'e']],
    ['createdAt', 'desc', ['e', 'd', 'c', 'b', 'a']],
    ['updatedAt', 'asc', ['b', 'c', 'd', 'e', 'a']],
    ['updatedAt', 'desc', ['a', 'e', 'd', 'c', 'b']],
  ] as const)('sorts by %s %s over pages, of all and of some', async (sortField, sortDirection, order) => {
    const mine = await newBot();
    const [a] = await newUsers(mine, { of: 'all' }, 'a', 'b', 'c', 'd', 'e');
    await mine.client.updateUser({ id: a!.id, tags: { later: 'x' } });
    const query = { sortField, sortDirection, pageSize: 2 };

    const all = await pages(mine, query);
    const tagged = await pages(mine, { ...query, tags: { of: 'all' } });

    const expected = [order.slice(0, 2), order.slice(2, 4), order.slice(4)];
    expect([all, tagged]).toEqual([expected, expected]);
  });

  it('returns 400 to a nextToken of another list', async () => {
    const mine = await newBot();
    await newUsers(mine, {}, 'a', 'b');
    const { meta } = await mine.client.listUsers({ pageSize: 1 });
    const withToken = (nextToken: string, more = '') =>
      mine.call('GET', `/users?pageSize=1&nextToken=${encodeURIComponent(nextToken)}${more}`);

    const answers = [
      await withToken('garbage'),
      await withToken(meta.nextToken!, '&sortField=updatedAt'),
      await withToken(meta.nextToken!, '&tags[a]=1'),
    ];

    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 400, body: { metadata: { issues: [{ path: 'nextToken' }] } } });
    }
    expect((await withToken(meta.nextToken!)).status).toBe(200);
  });

  it.each([
    ['pageSize=0', 'pageSize'],
    ['tags=care', 'tags'],
    ['sortField=name', 'sortField'],
    ['rangeField=name', 'rangeField'],
    ['beforeDate=tomorrow', 'beforeDate'],
  ])('answers 400 to ?%s, naming the fault', async (query, path) => {
    const { status, body } = await bot.call('GET', `/users?${query}`);

    expect(status).toBe(400);
    expect(body).toMatchObject({ type: 'InvalidPayload', metadata: { issues: [{ path }] } });
  });
});
