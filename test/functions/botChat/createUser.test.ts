import { beforeAll, describe, expect, it } from 'vitest';
import { apiBaseUrl, call, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

const create = (body: unknown) => bot.call('POST', '/users', { body });
const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, `${i}`]));

describe('POST /v1/chat/users', () => {
  it('returns 201 with the user and stores it', async () => {
    const { status, headers, body } = await create({
      tags: { role: 'guest', none: '' },
      name: 'Ada',
      pictureUrl: 'https://example.com/ada.png',
      properties: { p: '1' },
      attributes: { a: '2' },
    });

    expect(status).toBe(201);
    expect(body).toEqual({
      user: {
        id: expect.stringMatching(/^user_[0-9A-Za-z]{24}$/),
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        updatedAt: body.user.createdAt,
        tags: { role: 'guest' },
        name: 'Ada',
        pictureUrl: 'https://example.com/ada.png',
        properties: { p: '1' },
        attributes: { a: '2' },
      },
    });
    expect(headers.get('etag')).toMatch(/^"\w+"$/);
    expect((await bot.client.getUser({ id: body.user.id })).user).toEqual(body.user);
  });

  it('accepts tags named like Object.prototype members', async () => {
    const { status, body } = await create({ tags: { constructor: '1', toString: '2' }, attributes: { valueOf: '3' } });

    expect(status, JSON.stringify(body)).toBe(201);
    expect(body.user).toMatchObject({ tags: { constructor: '1', toString: '2' }, attributes: { valueOf: '3' } });
  });

  it('creates a new record on every call, regardless of the tags', async () => {
    const first = await bot.client.createUser({ tags: { same: 'each time' } });
    const second = await bot.client.createUser({ tags: { same: 'each time' } });

    expect(second.user.id).not.toBe(first.user.id);
  });

  it('creates one user per Idempotency-Key and repeats the response', async () => {
    const headers = { 'idempotency-key': 'once' };
    const body = { tags: { once: 'only' } };

    const first = await bot.call('POST', '/users', { body, headers });
    const second = await bot.call('POST', '/users', { body, headers });

    expect([second.status, second.body]).toEqual([201, first.body]);
    expect((await bot.client.listUsers({ tags: { once: 'only' } })).users).toEqual([first.body.user]);
  });

  it("prefixes an integration's tags with its name and hides other tags from it", async () => {
    const { user } = await bot.integration.createUser({ tags: { id: '7' } });
    const made = await bot.client.createUser({ tags: { own: 'x', 'chat:id': '8' }, integrationName: 'chat' });

    const seen = await bot.integration.getUser({ id: made.user.id });

    expect(user.tags).toEqual({ id: '7' });
    expect((await bot.client.getUser({ id: user.id })).user.tags).toEqual({ 'chat:id': '7' });
    expect(made.user.tags).toEqual({ own: 'x', 'chat:id': '8' });
    expect(seen.user.tags).toEqual({ id: '8' });
  });

  it.each<[string, unknown, string]>([
    ['no tags', {}, 'tags'],
    ['a tag of 501 characters', { tags: { a: 'x'.repeat(501) } }, 'tags.a'],
    ['a tag with a dot in its name', { tags: { 'a.b': '1' } }, 'tags.a.b'],
    ['51 tags', { tags: many(51) }, 'tags'],
    ['51 attributes', { tags: {}, attributes: many(51) }, 'attributes'],
    ['a name that is no text', { tags: {}, name: 7 }, 'name'],
  ])('returns 400 for %s and names the field', async (_, input, path) => {
    const { status, body } = await create(input);

    expect({ status, type: body.type, path: body.metadata.issues[0].path }).toEqual({
      status: 400,
      type: 'InvalidPayload',
      path,
    });
  });

  it('returns 400 for an integration that is not installed, and 413 for more than a megabyte', async () => {
    const unknown = await create({ tags: {}, integrationName: 'no-such' });
    const big = await create({ tags: { a: 'x'.repeat(1024 * 1024) } });

    expect(unknown).toMatchObject({ status: 400, body: { type: 'ReferenceNotFound' } });
    expect(big).toMatchObject({ status: 413, body: { type: 'PayloadTooLarge' } });
  });

  it('returns 400 without x-bot-id', async () => {
    const answer = await call(`${apiBaseUrl()}/v1/chat/users`, {
      method: 'POST',
      token: bot.tokens.bot,
      body: { tags: {} },
    });

    expect(answer).toMatchObject({ status: 400, body: { metadata: { issues: [{ path: 'x-bot-id' }] } } });
  });
});
