import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { CROWD, crowds, newBot, newUser, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

const raw = (body: unknown) => bot.call('POST', '/users/get-or-create', { body });
const getOrCreate = (tags: Record<string, string>, discriminateByTags?: string[]) =>
  bot.client.getOrCreateUser({ tags, ...(discriminateByTags ? { discriminateByTags } : {}) });
/** A tag value that no other test uses. */
const unique = () => randomUUID();

describe('POST /v1/chat/users/get-or-create', () => {
  it('returns 201 when it creates the user and 200 when it finds the same user', async () => {
    const tags = { who: unique(), none: '', nil: null };

    const first = await raw({ tags, name: 'Ada', pictureUrl: 'u', properties: { p: '1' }, attributes: { a: '2' } });
    const second = await raw({ tags, name: 'Somebody else' });

    expect(first.status).toBe(201);
    expect(first.body).toEqual({
      user: {
        id: expect.stringMatching(/^user_[0-9A-Za-z]{24}$/),
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
        name: 'Ada',
        pictureUrl: 'u',
        tags: { who: tags.who },
        properties: { p: '1' },
        attributes: { a: '2' },
      },
      meta: { created: true },
    });
    expect([second.status, second.body]).toEqual([200, { ...first.body, meta: { created: false } }]);
  });

  it('creates one user for many concurrent callers', async () => {
    const id = unique();

    const answers = await crowds(CROWD, i => raw({ tags: { id, i: `${i}` }, discriminateByTags: ['id'] }));

    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(CROWD - 1);
    expect(new Set(answers.map(({ body }) => body.user.id)).size).toBe(1);
  });

  it('compares all tags by default and only the named ones with discriminateByTags', async () => {
    const [a, b] = [unique(), unique()];
    const first = await getOrCreate({ a, b });

    const answers = [
      await getOrCreate({ b, a }),
      await getOrCreate({ a: 'another', b }, ['b']),
      await getOrCreate({ a }),
      await getOrCreate({ a, b, c: '1' }),
      await getOrCreate({ a: 'another', b }),
    ];

    expect(answers.map(({ meta }) => meta.created)).toEqual([false, false, true, true, true]);
    expect(answers.slice(0, 2).map(({ user }) => user)).toEqual([first.user, first.user]);
  });

  it('finds users tagged by createUser or updateUser', async () => {
    const [made, later] = [unique(), unique()];
    const created = await bot.client.createUser({ tags: { made } });
    const updated = await bot.client.createUser({ tags: { first: 'x' } });
    await bot.client.updateUser({ id: updated.user.id, tags: { first: '', later } });

    const found = [await getOrCreate({ made }), await getOrCreate({ later })];

    expect(found.map(({ user, meta }) => [user.id, meta.created])).toEqual([
      [created.user.id, false],
      [updated.user.id, false],
    ]);
  });

  it('replaces a user that lost the tag or was deleted only once', async () => {
    const [lost, gone] = [{ lost: unique() }, { gone: unique() }];
    const [loser, ghost] = [await getOrCreate(lost), await getOrCreate(gone)];
    await bot.client.updateUser({ id: loser.user.id, tags: { lost: '' } });
    await bot.client.deleteUser({ id: ghost.user.id });

    const [one, two] = [await getOrCreate(lost), await getOrCreate(gone)];
    const again = [await getOrCreate(lost), await getOrCreate(gone)];

    expect([one.meta.created, two.meta.created]).toEqual([true, true]);
    expect(one.user.id).not.toBe(loser.user.id);
    expect(again).toEqual([one, two].map(({ user }) => ({ user, meta: { created: false } })));
  });

  it('creates a new user on every call without tags', async () => {
    const answers = [await getOrCreate({}), await getOrCreate({}), await getOrCreate({ none: '' })];

    expect(answers.map(({ meta }) => meta.created)).toEqual([true, true, true]);
    expect(new Set(answers.map(({ user }) => user.id)).size).toBe(3);
  });

  it('finds a chat user by derived tags', async () => {
    const fid = unique();
    await newUser(bot, { id: fid });
    const [ada] = (await bot.client.listUsers({ tags: { 'chat:fid': fid } })).users;

    const found = await getOrCreate({ 'chat:fid': fid }, ['chat:fid']);

    expect(found).toEqual({ user: ada, meta: { created: false } });
  });

  it("matches an integration's own tags, regardless of the bot's", async () => {
    const tags = { id: unique() };
    const first = await bot.integration.getOrCreateUser({ tags, discriminateByTags: ['id'] });
    await bot.client.updateUser({ id: first.user.id, tags: { note: 'x' } });

    const found = await bot.integration.getOrCreateUser({ tags, discriminateByTags: ['id'] });

    expect([found.meta.created, found.user.id, found.user.tags]).toEqual([false, first.user.id, tags]);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['a tag of 501 characters', { tags: { a: 'x'.repeat(501) } }, 'tags.a'],
    ['a tag with a dot in its name', { tags: { 'a.b': 'x' } }, 'tags.a.b'],
    ['discriminateByTags naming a tag not given', { discriminateByTags: ['b'] }, 'discriminateByTags'],
    ['discriminateByTags naming what every object has', { discriminateByTags: ['toString'] }, 'discriminateByTags'],
    ['no tags', { tags: undefined }, 'tags'],
  ])('returns 400 for %s', async (_, more, path) => {
    const { status, body } = await raw({ tags: { a: '1' }, ...more });

    expect({ status, type: body.type, path: body.metadata?.issues[0].path }).toEqual({
      status: 400,
      type: 'InvalidPayload',
      path,
    });
  });
});
