import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { newBot, newUser, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

let bot: TestBot;
beforeAll(async () => {
  bot = await newBot();
});

describe('GET /v1/chat/users/{id}', () => {
  it('returns the user and its version', async () => {
    const { user } = await bot.client.createUser({ tags: { a: '1' }, name: 'Ada' });

    const { status, headers, body } = await bot.call('GET', `/users/${user.id}`);

    expect({ status, body }).toEqual({ status: 200, body: { user } });
    expect(headers.get('etag')).toMatch(/^"\w+"$/);
  });

  it('shows a chat user under the internal id, with foreign id and profile as tags', async () => {
    const { client, user } = await newUser(bot, { id: 'ada', name: 'Ada' });
    await client.updateUser({ profile: '{"age":36}', pictureUrl: 'https://example.com/ada.png' });
    const [listed] = (await bot.client.listUsers({ tags: { 'chat:fid': user.id } })).users;

    const answer = await bot.client.getUser({ id: listed!.id });
    const seen = await bot.integration.getUser({ id: listed!.id });

    expect(answer.user).toEqual({
      id: expect.stringMatching(/^user_[0-9A-Za-z]{24}$/),
      createdAt: user.createdAt,
      updatedAt: expect.any(String),
      name: 'Ada',
      pictureUrl: 'https://example.com/ada.png',
      tags: { 'chat:fid': 'ada', 'chat:profile': '{"age":36}' },
      properties: {},
      attributes: {},
    });
    expect(seen.user.tags).toEqual({ fid: 'ada', profile: '{"age":36}' });
  });

  it("returns the bot as a user for the bot's id", async () => {
    const { bot: described } = await bot.workspace.owner.client.getBot({ id: bot.id });

    const { status, body } = await bot.call('GET', `/users/${bot.id}`);

    expect({ status, body }).toEqual({
      status: 200,
      body: {
        user: {
          id: bot.id,
          name: described.name,
          createdAt: described.createdAt,
          updatedAt: described.updatedAt,
          tags: {},
        },
      },
    });
  });

  it("returns 404 to an integration for another integration's user", async () => {
    const { client } = bot.workspace.owner;
    const name = `i${randomUUID().slice(0, 8)}`;
    const { integration } = await client.createIntegration({ name, version: '1.0.0' });
    await client.updateBot({ id: bot.id, integrations: { other: { integrationId: integration.id, enabled: true } } });
    const { value } = await client.createIntegrationApiKey({ integrationId: integration.id });
    const other = bot.clientOf(value, { integrationAlias: 'other' });
    const [mine, theirs] = [await bot.integration.createUser({ tags: {} }), await other.createUser({ tags: {} })];

    await expect(other.getUser({ id: mine.user.id })).rejects.toMatchObject({ code: 404 });
    await expect(bot.integration.getUser({ id: theirs.user.id })).rejects.toMatchObject({ code: 404 });
    expect((await bot.client.getUser({ id: theirs.user.id })).user).toEqual(theirs.user);
  });

  it("returns 404 for another bot or its user, and 403 to another bot's token", async () => {
    const stranger = await newBot();
    const { user } = await bot.client.createUser({ tags: {} });

    const elsewhere = await stranger.call('GET', `/users/${user.id}`);
    const itself = await stranger.call('GET', `/users/${bot.id}`);
    const refused = await bot.call('GET', `/users/${user.id}`, { token: stranger.tokens.bot });

    expect([elsewhere.status, itself.status, refused.status]).toEqual([404, 404, 403]);
  });

  it.each([`user_${'z'.repeat(24)}`, 'nobody'])('returns 404 to %s', async id => {
    expect(await bot.call('GET', `/users/${id}`)).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
  });
});
