import { beforeAll, describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { WriteConflict, write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { botUserKey } from '#shared/storage/dynamodb/keys/chat.ts';
import { newBot, newUser, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

const userWith = async (tags: Record<string, string>) => (await bot.client.createUser({ tags, name: 'Ada' })).user;
const put = (id: string, body: unknown, headers: Record<string, string> = {}) =>
  bot.call('PUT', `/users/${id}`, { body, headers });
const many = (count: number, prefix = 'k') =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${prefix}${i}`, 'x']));

describe('PUT /v1/chat/users/{id}', () => {
  it('sets the given fields, removes empty and null ones, and keeps the rest', async () => {
    const before = await userWith({ stays: '1', changes: '1', empty: '1', nil: '1' });

    const first = await put(before.id, {
      tags: { changes: '2', empty: '', nil: null, comes: '1' },
      pictureUrl: 'u',
      properties: { p: '1' },
      attributes: { a: '1', b: '2' },
    });
    const second = await put(before.id, { name: null, attributes: { a: '' }, properties: { p: null } });

    const tags = { stays: '1', changes: '2', comes: '1' };
    const changed = { ...before, updatedAt: expect.any(String), tags, pictureUrl: 'u' };
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(first.body).toEqual({ user: { ...changed, properties: { p: '1' }, attributes: { a: '1', b: '2' } } });
    const { name: _, ...nameless } = changed;
    expect(second.body).toEqual({ user: { ...nameless, properties: {}, attributes: { b: '2' } } });
    expect((await bot.client.getUser({ id: before.id })).user).toEqual(second.body.user);
  });

  it('keeps all 20 tags that 20 concurrent callers set', async () => {
    const { id } = await userWith({});
    const tags = many(20);

    await Promise.all(Object.keys(tags).map(name => bot.client.updateUser({ id, tags: { [name]: 'x' } })));

    expect((await bot.client.getUser({ id })).user.tags).toEqual(tags);
  });

  it('returns 409 for a stale If-Match, and lets one of two callers with the same version win', async () => {
    const { id } = await userWith({});
    const etag = (await bot.call('GET', `/users/${id}`)).headers.get('etag')!;

    const both = await Promise.all(['1', '2'].map(winner => put(id, { tags: { winner } }, { 'if-match': etag })));
    const winner = both.find(({ status }) => status === 200)!;
    const stale = await put(id, { name: 'Eve' }, { 'if-match': etag });
    const match = await put(id, { name: 'Eve' }, { 'if-match': winner.headers.get('etag')! });

    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(stale).toMatchObject({ status: 409, body: { type: 'ResourceLockedConflict' } });
    expect(match).toMatchObject({ status: 200, body: { user: { name: 'Eve', tags: winner.body.user.tags } } });
  });

  it("increments the version for a chat user's own update", async () => {
    const { client } = await newUser(bot, { id: 'self' });
    const [listed] = (await bot.client.listUsers({ tags: { 'chat:fid': 'self' } })).users;
    const { id } = listed!;
    const { headers } = await bot.call('GET', `/users/${id}`);
    await client.updateUser({ name: 'Me' });

    const stale = await put(id, { name: 'You' }, { 'if-match': headers.get('etag')! });

    expect(stale.status).toBe(409);
    expect((await client.getUser({})).user.name).toBe('Me');
  });

  it('rejects derived tags and shows other changes to the chat user', async () => {
    const { client } = await newUser(bot, { id: 'ada', name: 'Ada' });
    await client.updateUser({ profile: 'p' });
    const [listed] = (await bot.client.listUsers({ tags: { 'chat:fid': 'ada' } })).users;
    const { id } = listed!;

    const fid = await put(id, { tags: { 'chat:fid': 'eve' } });
    const profile = await put(id, { tags: { 'chat:profile': null } });
    await bot.client.updateUser({ id, name: 'Countess' });

    expect(fid).toMatchObject({ status: 400, body: { metadata: { issues: [{ path: 'tags.chat:fid' }] } } });
    expect(profile).toMatchObject({ status: 400, body: { metadata: { issues: [{ path: 'tags.chat:profile' }] } } });
    expect((await client.getUser({})).user).toMatchObject({ id: 'ada', name: 'Countess', profile: 'p' });
  });

  describe("of the bot's own user", () => {
    let own: TestBot;
    beforeAll(async () => {
      own = await newBot();
    });
    const putOwn = (body: unknown, headers: Record<string, string> = {}) =>
      own.call('PUT', `/users/${own.id}`, { body, headers });
    const tagsOf = async (client: TestBot['client']) => (await client.getUser({ id: own.id })).user.tags;

    it("sets and removes tags, and prefixes an integration's tags, in all operations", async () => {
      const { conversation } = await own.integration.createConversation({ channel: 'channel', tags: {} });
      const conversationId = conversation.id;

      const first = await own.integration.updateUser({ id: own.id, tags: { id: '7', gone: '1' } });
      await own.client.updateUser({ id: own.id, tags: { mood: 'good' } });
      await own.integration.updateUser({ id: own.id, tags: { gone: '', 'chat:more': '2' } });

      expect(first.user).toMatchObject({ id: own.id, name: 'Bot', tags: { id: '7', gone: '1' } });
      const all = { 'chat:id': '7', 'chat:more': '2', mood: 'good' };
      expect(await tagsOf(own.client)).toEqual(all);
      expect(await tagsOf(own.integration)).toEqual({ id: '7', more: '2' });
      const seen = await own.integration.getParticipant({ id: conversationId, userId: own.id });
      const added = await own.client.addParticipant({ id: conversationId, userId: own.id });
      expect([seen.participant.tags, added.participant.tags]).toEqual([{ id: '7', more: '2' }, all]);
    });

    it('sets the name, picture, properties and attributes, also for an integration', async () => {
      own = await newBot();
      const account = { name: 'Ada at the provider', pictureUrl: 'https://example.com/ada.png' };

      await own.integration.updateUser({ id: own.id, ...account, tags: { account: '1' } });
      await own.client.updateUser({ id: own.id, attributes: { a: '1' }, properties: { p: '2', gone: '3' } });
      const { user } = await own.client.updateUser({ id: own.id, properties: { gone: '' } });

      const all = { ...account, tags: { 'chat:account': '1' }, attributes: { a: '1' }, properties: { p: '2' } };
      expect(user).toMatchObject({ id: own.id, ...all });
      expect((await own.client.getUser({ id: own.id })).user).toEqual(user);
      expect((await own.integration.getUser({ id: own.id })).user).toMatchObject({
        ...account,
        tags: { account: '1' },
      });
    });

    it.each([null, ''])('has the name of the bot after its name is set to %j', async name => {
      own = await newBot();
      await putOwn({ name: 'Ada', pictureUrl: 'https://example.com/ada.png' });

      const { status, body } = await putOwn({ name, pictureUrl: null });

      expect({ status, name: body.user.name, pictureUrl: body.user.pictureUrl }).toEqual({
        status: 200,
        name: 'Bot',
        pictureUrl: undefined,
      });
    });

    it('keeps the tags that an earlier release stored without properties and attributes', async () => {
      own = await newBot();
      const stored = { tags: { old: '1' }, version: 3, updatedAtMs: clock.now() };
      await write([{ put: { Item: { ...botUserKey(own.id), ...stored } }, onRefused: () => new WriteConflict() }]);

      const answers = await Promise.all([
        putOwn({ attributes: { a: '1' } }),
        putOwn({ properties: { p: '1' } }),
        putOwn({ name: 'Ada' }),
      ]);

      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      expect((await own.client.getUser({ id: own.id })).user).toMatchObject({
        name: 'Ada',
        tags: { old: '1' },
        attributes: { a: '1' },
        properties: { p: '1' },
      });
    });

    it('is a participant with its name and picture', async () => {
      own = await newBot();
      await putOwn({ name: 'Ada', pictureUrl: 'https://example.com/ada.png' });
      const { conversation } = await own.integration.createConversation({ channel: 'channel', tags: {} });

      const seen = await own.integration.getParticipant({ id: conversation.id, userId: own.id });

      expect(seen.participant).toMatchObject({ name: 'Ada', pictureUrl: 'https://example.com/ada.png' });
    });

    it('is not found by its tags', async () => {
      own = await newBot();
      await own.integration.updateUser({ id: own.id, tags: { account: '7' } });

      const { user, meta } = await own.integration.getOrCreateUser({ tags: { account: '7' } });

      expect({ created: meta.created, isOwn: user.id === own.id }).toEqual({ created: true, isOwn: false });
    });

    it('keeps all changes of concurrent callers, and at most 50 tags', async () => {
      own = await newBot();

      await Promise.all(
        Object.keys(many(10)).map(name =>
          own.client.updateUser({ id: own.id, tags: { [name]: 'x' }, attributes: { [name]: 'x' } }),
        ),
      );
      const { user } = await own.client.getUser({ id: own.id });
      const full = await putOwn({ tags: many(40, 'm') });
      const more = await putOwn({ tags: { more: 'x' } });

      expect(Object.keys(user.attributes!)).toHaveLength(10);
      expect(Object.keys(full.body.user.tags)).toHaveLength(50);
      expect({ status: more.status, path: more.body.metadata.issues[0].path }).toEqual({ status: 400, path: 'tags' });
    });

    it('returns 409 when If-Match names another version', async () => {
      own = await newBot();
      const etag = async () => (await own.call('GET', `/users/${own.id}`)).headers.get('etag')!;
      const first = await etag();
      await putOwn({ tags: { a: '1' } });

      const stale = await putOwn({ tags: { a: '2' } }, { 'if-match': first });
      const match = await putOwn({ tags: { a: '3' } }, { 'if-match': await etag() });

      expect([stale.status, match.status]).toEqual([409, 200]);
      expect(await tagsOf(own.client)).toEqual({ a: '3' });
    });
  });

  it('accepts tags named like Object.prototype members', async () => {
    const { id } = await userWith({});

    const { status, body } = await put(id, { attributes: { constructor: '1' }, tags: { toString: '2' } });

    expect({ status, attributes: body.user?.attributes, tags: body.user?.tags }).toEqual({
      status: 200,
      attributes: { constructor: '1' },
      tags: { toString: '2' },
    });
  });

  it.each(['tags', 'properties', 'attributes'])('limits the total to 50 %s, and names them in the error', async map => {
    const { id } = await userWith({});
    const all = await put(id, { [map]: many(50) });

    const { status, body } = await put(id, { [map]: { more: 'x' } });

    expect(all.status).toBe(200);
    expect({ status, path: body.metadata.issues[0].path }).toEqual({ status: 400, path: map });
  });

  it.each<[string, unknown, string]>([
    ['a tag of 501 characters', { tags: { a: 'x'.repeat(501) } }, 'tags.a'],
    ['an attribute that is no text', { attributes: { a: 1 } }, 'attributes.a'],
    ['a name of 1001 characters', { name: 'x'.repeat(1001) }, 'name'],
  ])('returns 400 for %s, and 404 for an unknown user', async (_, input, path) => {
    const { id } = await userWith({});

    const { status, body } = await put(id, input);

    expect({ status, path: body.metadata.issues[0].path }).toEqual({ status: 400, path });
    expect((await put(`user_${'z'.repeat(24)}`, {})).status).toBe(404);
  });
});
