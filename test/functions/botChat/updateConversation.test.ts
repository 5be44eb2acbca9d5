import { beforeAll, describe, expect, it } from 'vitest';
import { newBot, newUser, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

const conversationWith = async (tags: Record<string, string>, properties: Record<string, string> = {}) =>
  (await bot.client.createConversation({ channel: 'direct', tags, properties })).conversation;
const put = (id: string, body: unknown, headers: Record<string, string> = {}) =>
  bot.call('PUT', `/conversations/${id}`, { body, headers });
const etagOf = async (id: string) => (await bot.call('GET', `/conversations/${id}`)).headers.get('etag')!;
const many = (count: number, prefix = 'k') =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`${prefix}${i}`, 'x']));

describe('PUT /v1/chat/conversations/{id}', () => {
  it('sets the given fields, removes empty and null ones, and keeps the rest', async () => {
    const before = await conversationWith({ stays: '1', changes: '1', empty: '1', nil: '1' }, { p: '1', q: '1' });

    const { status, body } = await put(before.id, {
      currentTaskId: 'task',
      tags: { changes: '2', empty: '', nil: null, comes: '1', never: '' },
      properties: { q: null, r: '2' },
    });

    expect(status).toBe(200);
    expect(body).toEqual({
      conversation: {
        ...before,
        updatedAt: expect.any(String),
        currentTaskId: 'task',
        tags: { stays: '1', changes: '2', comes: '1' },
        properties: { p: '1', r: '2' },
      },
    });
    expect((await bot.client.getConversation({ id: before.id })).conversation).toEqual(body.conversation);
  });

  it('lets an integration change only its own tags', async () => {
    const { id } = await conversationWith({ id: "the bot's", 'chat:id': '1', 'chat:gone': '1' });

    const { conversation } = await bot.integration.updateConversation({ id, tags: { id: '2', gone: '' } });

    expect(conversation.tags).toEqual({ id: '2' });
    expect((await bot.client.getConversation({ id })).conversation.tags).toEqual({ id: "the bot's", 'chat:id': '2' });
  });

  it('keeps all 20 tags that 20 concurrent callers set', async () => {
    const { id } = await conversationWith({ first: 'x' });
    const tags = many(20);

    await Promise.all(
      Object.entries(tags).map(([name, value]) => bot.client.updateConversation({ id, tags: { [name]: value } })),
    );

    expect((await bot.client.getConversation({ id })).conversation.tags).toEqual({ first: 'x', ...tags });
    const found = await Promise.all(
      Object.keys(tags).map(name => bot.client.listConversations({ tags: { [name]: 'x' } })),
    );
    expect(found.every(({ conversations }) => conversations.some(each => each.id === id))).toBe(true);
  });

  it('returns 409 when If-Match names another version, and accepts a wildcard', async () => {
    const { id } = await conversationWith({});
    const etag = await etagOf(id);

    const match = await put(id, { tags: { a: '1' } }, { 'if-match': etag });
    const stale = await put(id, { tags: { a: '2' } }, { 'if-match': etag });
    const next = await put(id, { tags: { b: '3' } }, { 'if-match': match.headers.get('etag')! });
    const any = await put(id, { tags: { c: '4' } }, { 'if-match': '*' });

    expect([match.status, stale.status, next.status, any.status]).toEqual([200, 409, 200, 200]);
    expect(stale.body.type).toBe('ResourceLockedConflict');
    expect(any.body.conversation.tags).toEqual({ a: '1', b: '3', c: '4' });
  });

  it('lets one of several callers with the same version win', async () => {
    const { id } = await conversationWith({});
    const etag = await etagOf(id);

    const answers = await Promise.all(
      ['1', '2', '3', '4'].map(winner => put(id, { tags: { winner } }, { 'if-match': etag })),
    );

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
    const { body } = answers.find(({ status }) => status === 200)!;
    expect((await bot.client.getConversation({ id })).conversation).toEqual(body.conversation);
  });

  it('rejects derived tags and writes nothing', async () => {
    const { client } = await newUser(bot, { id: 'ada' });
    await client.createConversation({ id: 'hers' });
    const [before] = (await bot.client.listConversations({ tags: { 'chat:fid': 'hers' } })).conversations;

    const fid = await put(before!.id, { tags: { 'chat:fid': 'mine', a: '1' } });
    const owner = await put(before!.id, { tags: { 'chat:owner': null } });

    expect(fid).toMatchObject({ status: 400, body: { metadata: { issues: [{ path: 'tags.chat:fid' }] } } });
    expect(owner).toMatchObject({ status: 400, body: { metadata: { issues: [{ path: 'tags.chat:owner' }] } } });
    await expect(bot.integration.updateConversation({ id: before!.id, tags: { fid: 'x' } })).rejects.toMatchObject({
      code: 400,
    });
    expect((await bot.client.getConversation({ id: before!.id })).conversation).toEqual(before);
  });

  it('removes an absent tag named like an Object.prototype member without error', async () => {
    const { id } = await conversationWith({});

    const { status, body } = await put(id, { tags: { valueOf: null, fresh: '1' } });

    expect({ status, tags: body.conversation?.tags }).toEqual({ status: 200, tags: { fresh: '1' } });
  });

  it('accepts tags named like Object.prototype members', async () => {
    const { id } = await conversationWith({});

    const { status, body } = await put(id, { tags: { constructor: '1' }, properties: { toString: '2' } });

    expect(status).toBe(200);
    expect(body.conversation).toMatchObject({ tags: { constructor: '1' }, properties: { toString: '2' } });
  });

  it('limits tags to 50, also across concurrent calls', async () => {
    const { id } = await conversationWith(many(40));

    const tooMany = await put(id, { tags: many(11, 'more') });
    const exchange = await put(id, { tags: { ...many(10, 'new'), k0: null } });
    const answers = await Promise.all(Array.from({ length: 5 }, (_, i) => put(id, { tags: { [`last${i}`]: 'x' } })));

    expect(tooMany).toMatchObject({ status: 400, body: { metadata: { issues: [{ path: 'tags' }] } } });
    expect(Object.keys(exchange.body.conversation.tags)).toHaveLength(49);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);
    expect(Object.keys((await bot.client.getConversation({ id })).conversation.tags)).toHaveLength(50);
  });

  it('limits properties to 50 and names the field at fault', async () => {
    const { id } = await conversationWith({});

    const all = await put(id, { properties: many(50) });
    const more = await put(id, { properties: { more: 'x' } });

    expect(all.status).toBe(200);
    expect(more).toMatchObject({ status: 400, body: { metadata: { issues: [{ path: 'properties' }] } } });
  });

  it.each<[string, unknown, string]>([
    ['a tag of 501 characters', { tags: { a: 'x'.repeat(501) } }, 'tags.a'],
    ['51 tags', { tags: many(51) }, 'tags'],
    ['a tag with a dot in its name', { tags: { 'a.b': 'x' } }, 'tags.a.b'],
    ['a property that is no text', { properties: { p: 1 } }, 'properties.p'],
  ])('returns 400 for %s, and 404 for an unknown conversation', async (_, input, path) => {
    const { id } = await conversationWith({});

    const { status, body } = await put(id, input);
    const nowhere = await put(`convo_${'z'.repeat(22)}`, { tags: {} });

    expect({ status, type: body.type, path: body.metadata.issues[0].path }).toEqual({
      status: 400,
      type: 'InvalidPayload',
      path,
    });
    expect(nowhere.status).toBe(404);
  });
});
