import { describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { newWorkspace, type TestWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

async function newBot(workspace: TestWorkspace) {
  const { bot } = await workspace.owner.client.createBot({});
  return bot.id;
}

describe('GET /v1/admin/bots/baks', () => {
  it('lists the keys of this bot only, oldest first, without their values', async () => {
    const workspace = await newWorkspace();
    const { client } = workspace.owner;
    const botId = await newBot(workspace);
    const first = await client.createBotApiKey({ botId, note: 'first' });
    await client.createBotApiKey({ botId, note: 'second' });

    const { baks } = await client.listBotApiKeys({ botId });

    expect(baks.map(({ note }) => note)).toEqual(['first', 'second']);
    expect(baks[0]).toEqual({ id: first.id, createdAt: first.createdAt, createdBy: expect.any(String), note: 'first' });
  });

  it('shows the expiry, scopes and last use of a key', async () => {
    const workspace = await newWorkspace();
    const botId = await newBot(workspace);
    const limits = { expiresAt: new Date(clock.now() + 3600_000).toISOString(), scopes: ['admin'] };
    const { body: key } = await workspace.call('POST', '/bots/baks', { body: { botId, ...limits } });
    await workspace.call('POST', '/introspect', { token: key.value, body: { botId: botId } });

    const { body } = await workspace.call('GET', `/bots/baks?botId=${botId}`);

    expect(body.baks).toEqual([
      {
        id: key.id,
        createdAt: key.createdAt,
        createdBy: expect.any(String),
        note: '',
        ...limits,
        lastUsedAt: expect.any(String),
      },
    ]);
  });

  it('returns 404 when the bot is unknown or belongs to another workspace', async () => {
    const mine = await newWorkspace();
    const foreign = await newBot(await newWorkspace());

    const answers = await Promise.all(
      [crypto.randomUUID(), foreign].map(id => mine.call('GET', `/bots/baks?botId=${id}`)),
    );

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
  });

  it('returns 400 without a botId', async () => {
    const workspace = await newWorkspace();

    const answer = await workspace.call('GET', '/bots/baks');

    expect(answer).toMatchObject({ status: 400, body: { metadata: { issues: [{ path: 'botId' }] } } });
  });
});
