import { describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { newWorkspace, type TestWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

async function newBot(workspace: TestWorkspace) {
  const { bot } = await workspace.owner.client.createBot({});
  return bot.id;
}

describe('POST /v1/admin/bots/baks', () => {
  it('creates a working key and shows its value only once', async () => {
    const workspace = await newWorkspace();
    const { client } = workspace.owner;
    const botId = await newBot(workspace);

    const key = await client.createBotApiKey({ botId, note: 'for CI' });
    const use = await workspace.call('GET', '/account/me', { token: key.value });
    const { baks } = await client.listBotApiKeys({ botId });

    expect(key).toEqual({
      id: expect.any(String),
      createdAt: expect.any(String),
      createdBy: workspace.owner.accountId,
      note: 'for CI',
      value: expect.stringMatching(/^bp_bak_[A-Za-z0-9_-]{36}$/),
    });
    // A 403 shows that the key is valid; an invalid key would be a 401.
    expect(use.status).toBe(403);
    expect(JSON.stringify(baks)).not.toContain(key.value);
  });

  it('stores the expiry and scopes of the key', async () => {
    const workspace = await newWorkspace();
    const botId = await newBot(workspace);
    const [expiresAt, scopes] = [new Date(clock.now() + 3600_000).toISOString(), ['chat', 'admin:read']];

    const { status, body } = await workspace.call('POST', '/bots/baks', { body: { botId, expiresAt, scopes } });

    expect(status).toBe(201);
    expect(body).toMatchObject({ note: '', expiresAt, scopes });
  });

  it.each([
    ['an expiry in the past', { expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    ['an invalid expiry', { expiresAt: 'tomorrow' }, 'expiresAt'],
    ['an unknown scope', { scopes: ['chat', 'moon'] }, 'scopes'],
    ['an empty list of scopes', { scopes: [] }, 'scopes'],
    ['a long note', { note: 'n'.repeat(501) }, 'note'],
    ['no bot', { botId: undefined }, 'botId'],
  ])('rejects %s with a 400 that names the field', async (_, fields, path) => {
    const workspace = await newWorkspace();
    const botId = await newBot(workspace);

    const { status, body } = await workspace.call('POST', '/bots/baks', { body: { botId, ...fields } });

    expect(status).toBe(400);
    expect(body).toMatchObject({ type: 'InvalidPayload', metadata: { issues: [{ path }] } });
    expect((await workspace.owner.client.listBotApiKeys({ botId })).baks).toEqual([]);
  });

  it('returns 404 when the bot is unknown or belongs to another workspace', async () => {
    const [mine, theirs] = [await newWorkspace(), await newWorkspace()];
    const foreign = await newBot(theirs);

    const answers = await Promise.all(
      [crypto.randomUUID(), foreign].map(botId => mine.call('POST', '/bots/baks', { body: { botId } })),
    );

    for (const answer of answers) expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
    expect((await theirs.owner.client.listBotApiKeys({ botId: foreign })).baks).toEqual([]);
  });
});
