import { describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { SESSION_MAX_MS, SESSIONS_LIMIT } from '#shared/storage/dynamodb/workspace/sessions.ts';
import { SESSION_IDLE_MS } from '#shared/storage/dynamodb/workspace/tokens.ts';
import {
  CACHED_MS,
  isLeftOut,
  newBot,
  newSession,
  newWorkspace,
  type TestWorkspace,
  useSharedPlatform,
} from '#test/support/platform.ts';
import { newLink } from '#test/support/tenants.ts';

useSharedPlatform();

const HOUR_MS = 3_600_000;
const signIn = ({ call }: TestWorkspace, token: string) =>
  call('POST', '/account/sessions', { token, body: { note: 'Firefox on Linux' } });
const newToken = async ({ call }: TestWorkspace, limits: object): Promise<string> =>
  (await call('POST', '/account/pats', { body: { note: 'limited', ...limits } })).body.pat.value;

describe('POST /v1/admin/account/sessions', () => {
  it("exchanges a sign-in link for a session with the account's permissions", async () => {
    const workspace = await newWorkspace();
    const link = await newLink(workspace.owner.accountId);

    const { status, body } = await signIn(workspace, link);

    expect(status).toBe(201);
    expect(body.session).toMatchObject({
      id: expect.stringMatching(/^ses_/),
      value: expect.stringMatching(/^bp_ses_[A-Za-z0-9_-]{36}$/),
      note: 'Firefox on Linux',
      createdWith: 'link',
    });
    const invited = await workspace.call('POST', '/workspace-members', {
      token: body.session.value,
      body: { email: 'ada@example.com', role: 'owner' },
    });
    expect(invited.status).toBe(201);
  });

  it('exchanges a personal access token for a session and keeps the token', async () => {
    const workspace = await newWorkspace();

    const { status, body } = await signIn(workspace, workspace.owner.token);

    expect([status, body.session.createdWith]).toEqual([201, 'token']);
    const { account } = await workspace.clientOf(body.session.value).getAccount({});
    expect(account.id).toBe(workspace.owner.accountId);
    expect((await signIn(workspace, workspace.owner.token)).status).toBe(201);
  });

  it('accepts a link once', async () => {
    const workspace = await newWorkspace();
    const link = await newLink(workspace.owner.accountId);

    const answers = [await signIn(workspace, link), await signIn(workspace, link)];

    expect(answers.map(({ status }) => status)).toEqual([201, 401]);
  });

  it('creates one session for concurrent uses of a link', async () => {
    const workspace = await newWorkspace();
    const link = await newLink(workspace.owner.accountId);

    const answers = await Promise.all(Array.from({ length: 5 }, () => signIn(workspace, link)));

    expect(answers.map(({ status }) => status).sort()).toEqual([201, 401, 401, 401, 401]);
    expect((await workspace.call('GET', '/account/sessions')).body.sessions).toHaveLength(1);
  });

  it.skipIf(isLeftOut('clock'))('rejects an expired link with a 401', async () => {
    const workspace = await newWorkspace();
    const link = await newLink(workspace.owner.accountId, HOUR_MS);
    clock.advance(HOUR_MS);

    const { status, body } = await signIn(workspace, link);

    expect([status, body.type]).toEqual([401, 'Unauthorized']);
  });

  it('accepts a link for no other operation', async () => {
    const workspace = await newWorkspace();
    const bot = await newBot(workspace);
    const token = await newLink(workspace.owner.accountId);

    const answers = await Promise.all([
      workspace.call('GET', '/account/me', { token }),
      workspace.call('GET', '/account/sessions', { token }),
      workspace.call('DELETE', '/account/sessions/ses_none', { token }),
      workspace.call('POST', '/account/pats', { token, body: { note: 'n' } }),
      bot.call('GET', '/conversations', { token }),
      bot.callFiles('GET', '', { token }),
      bot.callTables('GET', '', { token }),
    ]);

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 401));
    expect((await signIn(workspace, token)).status).toBe(201);
  });

  it('returns 403 to a session and to the keys of bots and integrations', async () => {
    const bot = await newBot();
    const { value } = await newSession(bot.workspace.owner.token);

    const answers = [
      await signIn(bot.workspace, value),
      await signIn(bot.workspace, bot.tokens.bot),
      await signIn(bot.workspace, bot.tokens.integration),
    ];

    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
  });

  it("limits the session of a limited token to the token's scopes and expiry", async () => {
    const workspace = await newWorkspace();
    const expiresAt = new Date(clock.now() + HOUR_MS).toISOString();
    const token = await newToken(workspace, {
      scopes: ['admin:listBots', 'admin:createPersonalAccessToken'],
      expiresAt,
    });

    const { session } = (await signIn(workspace, token)).body;
    const create = (body: object) => workspace.call('POST', '/account/pats', { token: session.value, body });
    const answers = [
      await workspace.call('GET', '/bots', { token: session.value }),
      await workspace.call('POST', '/bots', { token: session.value, body: {} }),
      await create({ note: 'wider', expiresAt }),
      await create({ note: 'longer', scopes: ['admin:listBots'] }),
      await create({ note: 'the same', scopes: ['admin:listBots'], expiresAt }),
    ];

    expect(session).toMatchObject({ expiresAt, scopes: ['admin:listBots', 'admin:createPersonalAccessToken'] });
    expect(answers.map(({ status }) => status)).toEqual([200, 403, 403, 403, 201]);
  });

  it('permits a session without limits to create a token without limits', async () => {
    const workspace = await newWorkspace();
    const { value } = await newSession(await newLink(workspace.owner.accountId));

    const { pat } = await workspace.clientOf(value).createPersonalAccessToken({ note: 'Laptop' });

    expect((await workspace.clientOf(pat.value).getAccount({})).account.id).toBe(workspace.owner.accountId);
  });

  it('rejects a long note with a 400 that names the field', async () => {
    const workspace = await newWorkspace();

    const { status, body } = await workspace.call('POST', '/account/sessions', { body: { note: 'n'.repeat(501) } });

    expect([status, body.metadata.issues[0].path]).toEqual([400, 'note']);
  });

  it.skipIf(isLeftOut('clock'))(
    'signs the least recently used session out at the limit',
    async () => {
      const workspace = await newWorkspace();
      const { owner } = workspace;
      const sessions: { id: string; value: string }[] = [];
      for (let i = 0; i < SESSIONS_LIMIT; i++) {
        sessions.push(await newSession(owner.token));
        clock.advance(1_000);
      }
      clock.advance(2 * HOUR_MS);
      const [first, second] = sessions;
      await workspace.clientOf(first!.value).getAccount({});

      const last = await newSession(owner.token);

      const ids = (await workspace.call('GET', '/account/sessions')).body.sessions.map(({ id }: { id: string }) => id);
      expect(ids.sort()).toEqual([...sessions.filter(each => each !== second), last].map(({ id }) => id).sort());
    },
    60_000,
  );

  it('keeps the limit after concurrent sign-ins', { timeout: 60_000 }, async () => {
    const workspace = await newWorkspace();
    for (let i = 0; i < SESSIONS_LIMIT - 1; i++) await newSession(workspace.owner.token);

    await Promise.all(Array.from({ length: 5 }, () => newSession(workspace.owner.token)));
    await newSession(workspace.owner.token);

    expect((await workspace.call('GET', '/account/sessions')).body.sessions).toHaveLength(SESSIONS_LIMIT);
  });
});

describe.skipIf(isLeftOut('clock'))('the end of a session', () => {
  const DAY_MS = 24 * HOUR_MS;
  const statusOf = async ({ call }: TestWorkspace, token: string) =>
    (await call('GET', '/account/me', { token })).status;

  it('is 14 days after its last use', async () => {
    const workspace = await newWorkspace();
    const { value } = await newSession(workspace.owner.token);

    clock.advance(SESSION_IDLE_MS - DAY_MS);
    const renewed = await statusOf(workspace, value);
    clock.advance(SESSION_IDLE_MS - DAY_MS);
    const again = await statusOf(workspace, value);
    clock.advance(SESSION_IDLE_MS + CACHED_MS);
    const ended = await statusOf(workspace, value);

    expect([renewed, again, ended]).toEqual([200, 200, 401]);
    expect((await workspace.call('GET', '/account/sessions')).body.sessions).toEqual([]);
  });

  it('is at most 90 days after sign-in', async () => {
    const workspace = await newWorkspace();
    const { value } = await newSession(workspace.owner.token);
    const startMs = clock.now();

    const statuses: number[] = [];
    while (clock.now() + 10 * DAY_MS < startMs + SESSION_MAX_MS) {
      clock.advance(10 * DAY_MS);
      statuses.push(await statusOf(workspace, value));
    }
    clock.advance(10 * DAY_MS);
    const ended = await statusOf(workspace, value);

    expect(statuses).toEqual(statuses.map(() => 200));
    expect(ended).toBe(401);
  });

  it('is not moved by a call after it', async () => {
    const workspace = await newWorkspace();
    const { value } = await newSession(workspace.owner.token);
    clock.advance(SESSION_IDLE_MS + CACHED_MS);

    const statuses = [await statusOf(workspace, value), await statusOf(workspace, value)];

    expect(statuses).toEqual([401, 401]);
  });

  it('is that of the token that created it', async () => {
    const workspace = await newWorkspace();
    const expiresAt = new Date(clock.now() + 5 * DAY_MS).toISOString();
    const { value } = await newSession(await newToken(workspace, { expiresAt }));

    clock.advance(4 * DAY_MS);
    const before = await statusOf(workspace, value);
    clock.advance(DAY_MS);
    const after = await statusOf(workspace, value);

    expect([before, after]).toEqual([200, 401]);
  });
});
