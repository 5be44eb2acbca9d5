import { describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { listTokens, TOKENS_LIMIT } from '#shared/storage/dynamodb/workspace/tokens.ts';
import { newBot, newWorkspace, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const HOUR_MS = 3_600_000;
const soon = (hours: number) => new Date(clock.now() + hours * HOUR_MS).toISOString();

describe('POST /v1/admin/account/pats', () => {
  it("creates a token with the owner's permissions", async () => {
    const { owner, clientOf } = await newWorkspace();

    const { pat } = await owner.client.createPersonalAccessToken({ note: 'laptop' });
    const { account } = await clientOf(pat.value).getAccount({});
    const { bot } = await clientOf(pat.value).createBot({});

    expect(pat).toMatchObject({ note: 'laptop', value: expect.stringMatching(/^bp_pat_[A-Za-z0-9_-]{36}$/) });
    expect(account.id).toBe(owner.accountId);
    expect(bot.createdBy).toBe(owner.accountId);
  });

  it.each([
    ['an account', 'pat', '/account/pats', () => ({})],
    ['a bot', 'bak', '/bots/baks', (bot: TestBot) => ({ botId: bot.id })],
    ['an integration', 'iak', '/integrations/iaks', (bot: TestBot) => ({ integrationId: bot.integrationId })],
  ] as const)(
    'returns 413 above the token limit of %s, until a token is deleted',
    async (_, kind, path, of) => {
      const bot = await newBot();
      const { workspace } = bot;
      const ownerId = { pat: workspace.owner.accountId, bak: bot.id, iak: bot.integrationId }[kind];
      const create = () => workspace.call('POST', path, { body: { note: 'n', ...of(bot) } });
      let refused = await create();
      for (let i = 0; refused.status === 201 && i < 2 * TOKENS_LIMIT; i++) refused = await create();

      const excess = (await listTokens(kind, ownerId)).slice(TOKENS_LIMIT - 1);
      for (const { id } of excess) await workspace.call('DELETE', `${path}/${id}`, {});
      const allowed = await create();
      const again = await create();

      expect([refused, allowed, again].map(({ status }) => status)).toEqual([413, 201, 413]);
    },
    60_000,
  );

  it.each([
    ['an expiry in the past', { note: '', expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    ['an invalid expiry', { note: '', expiresAt: 'tomorrow' }, 'expiresAt'],
    ['an unknown scope', { note: '', scopes: ['admin', 'kitchen'] }, 'scopes'],
    ['an empty list of scopes', { note: '', scopes: [] }, 'scopes'],
    ['a long note', { note: 'n'.repeat(501) }, 'note'],
    ['no note', {}, 'note'],
  ])('rejects %s with a 400 that names the field', async (_, body, path) => {
    const workspace = await newWorkspace();

    const answer = await workspace.call('POST', '/account/pats', { body });

    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ type: 'InvalidPayload', metadata: { issues: [{ path }] } });
    expect((await workspace.owner.client.listPersonalAccessTokens({})).pats).toHaveLength(1);
  });

  it('limits a scoped token to its scopes', async () => {
    const { call, clientOf } = await newWorkspace();

    const { body } = await call('POST', '/account/pats', { body: { note: 'ci', scopes: ['admin:read'] } });
    const client = clientOf(body.pat.value);

    expect((await client.listBots({})).bots).toEqual([]);
    await expect(client.createBot({})).rejects.toMatchObject({ code: 403, type: 'Forbidden' });
    expect((await client.listBots({})).bots).toEqual([]);
  });

  it('returns 403 when a scoped token creates a broader token', async () => {
    const { call, owner } = await newWorkspace();
    const scopes = ['admin:createPersonalAccessToken', 'admin:listBots'];
    const { body: maker } = await call('POST', '/account/pats', { body: { note: 'maker', scopes } });
    const make = (scopes?: string[]) =>
      call('POST', '/account/pats', { token: maker.pat.value, body: { note: 'made', scopes } });

    const answers = [await make(), await make(['admin']), await make(['admin:listBots', 'chat'])];
    const narrower = await make(['admin:listBots']);

    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
    expect(narrower.status).toBe(201);
    expect((await owner.client.listPersonalAccessTokens({})).pats).toHaveLength(3);
  });

  it('returns 403 when a token creates a token that outlives it', async () => {
    const { call } = await newWorkspace();
    const { body: maker } = await call('POST', '/account/pats', { body: { note: 'maker', expiresAt: soon(2) } });
    const make = (expiresAt?: string) =>
      call('POST', '/account/pats', { token: maker.pat.value, body: { note: 'made', expiresAt } });

    const answers = [await make(), await make(soon(3)), await make(soon(1))];

    expect(answers.map(({ status }) => status)).toEqual([403, 403, 201]);
  });
});
