import { describe, expect, it } from 'vitest';
import { newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('POST /v1/admin/bots', () => {
  it('creates a bot and shows its signing secret only once', async () => {
    const { owner } = await newWorkspace();

    const { bot } = await owner.client.createBot({
      name: 'Support',
      tags: { team: 'care' },
      url: 'https://bots.example.com/support',
      events: { ordered: { schema: { type: 'object' } } },
      secrets: { API_KEY: 'sesame' },
    });
    const { bot: again } = await owner.client.getBot({ id: bot.id });

    expect(bot).toMatchObject({
      name: 'Support',
      tags: { team: 'care' },
      dev: false,
      status: 'active',
      type: 'studio',
      secrets: ['API_KEY'],
      events: { ordered: { schema: { type: 'object' } } },
      createdBy: owner.accountId,
      deployedAt: bot.createdAt,
    });
    expect(bot.signingSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(again).toEqual({ ...bot, signingSecret: '' });
  });

  it('stores the code and the time of its deployment', async () => {
    const { owner } = await newWorkspace();

    const { bot } = await owner.client.createBot({ code: 'module.exports = {}' });

    expect(bot.deployedAt).toBe(bot.createdAt);
    expect(bot.name).toMatch(/^bot-/);
  });

  it.each([
    ['an empty name', { name: '' }, 'name'],
    ['a long name', { name: 'n'.repeat(201) }, 'name'],
    ['an invalid URL', { url: 'bots.example.com' }, 'url'],
    ['a file URL', { url: 'file:///etc/passwd' }, 'url'],
    ['a tag that is not a string', { tags: { a: 1 } }, 'tags.a'],
    ['an unknown type', { type: 'robot' }, 'type'],
    ['a state of an unknown type', { states: { s: { type: 'planet', schema: {} } } }, 'states.s.type'],
  ])('rejects %s with a 400 that names the field', async (_, body, path) => {
    const workspace = await newWorkspace();

    const answer = await workspace.call('POST', '/bots', { body });

    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ type: 'InvalidPayload', metadata: { issues: [{ path }] } });
    expect((await workspace.owner.client.listBots({})).bots).toEqual([]);
  });

  it('creates one bot per Idempotency-Key, and shows the same secret again', async () => {
    const workspace = await newWorkspace();
    const headers = { 'idempotency-key': 'k1' };

    const first = await workspace.call('POST', '/bots', { body: { name: 'B' }, headers });
    const second = await workspace.call('POST', '/bots', { body: { name: 'B' }, headers });

    expect(second.body).toEqual(first.body);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect((await workspace.owner.client.listBots({})).bots).toHaveLength(1);
  });
});

describe('a definition', () => {
  const schema = { type: 'object' };
  const map = (entries: number, value: unknown) =>
    Object.fromEntries(Array.from({ length: entries }, (_, i) => [`name${i}`, value]));
  const action = { input: { schema }, output: { schema } };

  it('returns 413 that names the field above 500 declarations of a kind, and writes nothing', async () => {
    const workspace = await newWorkspace();

    const most = await workspace.call('POST', '/bots', { body: { actions: map(500, action) } });
    const more = await workspace.call('POST', '/bots', { body: { actions: map(30_000, action) } });
    const merged = await workspace.call('PUT', `/bots/${most.body.bot.id}`, { body: { actions: { oneMore: action } } });

    expect(most.status).toBe(201);
    for (const { status, body } of [more, merged]) {
      expect({ status, type: body.type, path: body.metadata.issues[0].path }).toEqual({
        status: 413,
        type: 'LimitExceeded',
        path: 'actions',
      });
    }
    expect((await workspace.owner.client.listBots({})).bots).toHaveLength(1);
  });

  it("returns 413 that names the largest field if an integration's item would exceed 400 KB", async () => {
    const workspace = await newWorkspace();

    const { status, body } = await workspace.call('POST', '/integrations', {
      body: { name: 'large', version: '1.0.0', attributes: map(300, 'a'.repeat(2_000)) },
    });

    expect({ status, type: body.type }).toEqual({ status: 413, type: 'LimitExceeded' });
    expect(body.metadata).toMatchObject({ limitBytes: 400 * 1024, issues: [{ path: 'attributes' }] });
  });
});
