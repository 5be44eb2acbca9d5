import { beforeAll, describe, expect, it } from 'vitest';
import { apiBaseUrl, call, newBot, newUser, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

const create = (body: unknown) => bot.call('POST', '/conversations', { body });

describe('POST /v1/chat/conversations', () => {
  it('returns 201 with the conversation and stores it', async () => {
    const { status, headers, body } = await create({
      channel: 'direct',
      tags: { topic: 'cats', none: '' },
      properties: { mood: 'good' },
    });

    expect(status).toBe(201);
    expect(body).toEqual({
      conversation: {
        id: expect.stringMatching(/^convo_[0-9A-Za-z]{22}$/),
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        updatedAt: body.conversation.createdAt,
        channel: 'direct',
        integration: 'chat',
        tags: { topic: 'cats' },
        messageCount: 0,
        properties: { mood: 'good' },
      },
    });
    expect(headers.get('etag')).toMatch(/^"\w+"$/);
    expect((await bot.client.getConversation({ id: body.conversation.id })).conversation).toEqual(body.conversation);
  });

  it('creates a new record on every call, regardless of the tags', async () => {
    const input = { channel: 'direct', tags: { same: 'each time' } };

    const first = await bot.client.createConversation(input);
    const second = await bot.client.createConversation(input);

    expect(second.conversation.id).not.toBe(first.conversation.id);
  });

  it("prefixes an integration's tags with its name and hides other tags from it", async () => {
    const { conversation } = await bot.integration.createConversation({ channel: 'direct', tags: { id: '7' } });
    const made = await bot.client.createConversation({ channel: 'direct', tags: { own: 'x', 'chat:id': '8' } });

    const seen = await bot.integration.getConversation({ id: made.conversation.id });

    expect(conversation.tags).toEqual({ id: '7' });
    expect((await bot.client.getConversation({ id: conversation.id })).conversation.tags).toEqual({ 'chat:id': '7' });
    expect(made.conversation.tags).toEqual({ own: 'x', 'chat:id': '8' });
    expect(seen.conversation.tags).toEqual({ id: '8' });
  });

  it('marks only calls with integrationName as deprecated', async () => {
    const input = { channel: 'direct', tags: {} };

    const named = await create({ ...input, integrationName: 'chat' });
    const unnamed = await create(input);
    const unknown = await create({ ...input, integrationName: 'no-such' });

    expect(named).toMatchObject({ status: 201, body: { conversation: { integration: 'chat' } } });
    expect(named.headers.get('deprecation')).toMatch(/^@\d+$/);
    expect(named.headers.get('link')).toContain('rel="deprecation"');
    expect([unnamed.status, unnamed.headers.get('deprecation')]).toEqual([201, null]);
    expect(unknown).toMatchObject({ status: 400, body: { type: 'ReferenceNotFound' } });
  });

  it('finds the conversation by tags with the names of derived tags', async () => {
    const { user } = await newUser(bot);
    const tags = { 'other:fid': 'mine', 'other:owner': user.id };
    const { conversation } = await bot.client.createConversation({ channel: 'direct', tags });

    const byFid = await bot.client.listConversations({ tags: { 'other:fid': 'mine' } });
    const byOwner = await bot.client.listConversations({ tags: { 'other:owner': user.id } });

    expect([byFid.conversations, byOwner.conversations]).toEqual([[conversation], [conversation]]);
  });

  it.each<[string, unknown, string]>([
    ['no channel', { tags: {} }, 'channel'],
    ['an empty channel', { channel: '', tags: {} }, 'channel'],
    ['a channel of 201 characters', { channel: 'x'.repeat(201), tags: {} }, 'channel'],
    ['no tags', { channel: 'direct' }, 'tags'],
    ['a tag of 501 characters', { channel: 'direct', tags: { a: 'x'.repeat(501) } }, 'tags.a'],
    ['a tag that is no text', { channel: 'direct', tags: { a: 7 } }, 'tags.a'],
    ['a tag with a dot in its name', { channel: 'direct', tags: { 'a.b': '1' } }, 'tags.a.b'],
    ['51 tags', { channel: 'direct', tags: many(51) }, 'tags'],
    ['51 properties', { channel: 'direct', tags: {}, properties: many(51) }, 'properties'],
  ])('returns 400 for %s and names the field', async (_, input, path) => {
    const { status, body } = await create(input);

    expect({ status, type: body.type, path: body.metadata.issues[0].path }).toEqual({
      status: 400,
      type: 'InvalidPayload',
      path,
    });
  });

  it('accepts 50 tags of 500 characters and finds the conversation by each', async () => {
    const tags = Object.fromEntries(Object.keys(many(50)).map(name => [name, name.padEnd(500, 'x')]));
    const { conversation } = await bot.client.createConversation({ channel: 'x'.repeat(200), tags });

    const { conversations } = await bot.client.listConversations({ tags: { k0: tags.k0!, k49: tags.k49! } });

    expect(conversation.tags).toEqual(tags);
    expect(conversations).toEqual([conversation]);
  });

  it('returns 413 for more than a megabyte, and 400 without x-bot-id', async () => {
    const big = await create({ channel: 'direct', tags: { a: 'x'.repeat(1024 * 1024) } });
    const nowhere = await call(`${apiBaseUrl()}/v1/chat/conversations`, {
      method: 'POST',
      token: bot.tokens.bot,
      body: { channel: 'direct', tags: {} },
    });

    expect(big).toMatchObject({ status: 413, body: { type: 'PayloadTooLarge' } });
    expect(nowhere).toMatchObject({ status: 400, body: { metadata: { issues: [{ path: 'x-bot-id' }] } } });
  });
});

/** Generates tags. */
function many(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, `${i}`]));
}
