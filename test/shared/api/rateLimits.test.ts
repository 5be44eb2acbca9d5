/** Tests rate limits by address, user, token and bot. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { VARIABLES } from '#shared/core/environment.ts';
import {
  apiBaseUrl,
  call,
  crowds,
  install,
  isLeftOut,
  newBot,
  newUser,
  newWorkspace,
  type RawAnswer,
  useSharedPlatform,
} from '#test/support/platform.ts';
import { ADMIN_SECRET } from '#test/support/requests/chat.ts';
import { stopClockInOwnWindow } from '#test/support/time.ts';

useSharedPlatform();

beforeEach(stopClockInOwnWindow);
afterEach(() => vi.unstubAllEnvs());

const limit = (limits: Record<string, number>) => vi.stubEnv(VARIABLES.rateLimits, JSON.stringify(limits));
const statuses = (answers: readonly RawAnswer[]) => answers.map(({ status }) => status);
const ratesOf = ({ headers }: RawAnswer) => ({
  limit: headers.get('ratelimit-limit'),
  remaining: headers.get('ratelimit-remaining'),
});
const LIMITED = { code: 429, type: 'RateLimited' };

describe.skipIf(isLeftOut('settings'))('a rate limit', () => {
  it('returns 429 with Retry-After when an address creates too many users', async () => {
    const { chatUrl } = await install();
    limit({});

    const answers = await crowds(200, () => call(`${chatUrl}/users`, { method: 'POST', body: {} }));
    const refused = answers.filter(({ status }) => status === 429);

    expect(statuses(answers).filter(status => status === 201)).toHaveLength(50);
    expect(refused).toHaveLength(150);
    for (const { body, headers } of refused) {
      expect(body).toMatchObject({ ...LIMITED, metadata: { limit: 'anonymousWrites', calls: 50 } });
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(10);
      expect(headers.get('ratelimit-remaining')).toBe('0');
    }
  });

  it('counts each user separately, with any of their keys', async () => {
    const installation = await install();
    const [ann, bob] = [await newUser(installation), await newUser(installation)];
    limit({ user: 3 });
    const me = (key: string) => call(`${installation.chatUrl}/users/me`, { key });

    const answers = [await me(ann.key), await me(ann.key), await me(ann.key), await me(ann.key)];

    expect(statuses(answers)).toEqual([200, 200, 200, 429]);
    expect(answers.map(ratesOf)).toEqual(['2', '1', '0', '0'].map(remaining => ({ limit: '3', remaining })));
    expect(answers[3]!.body).toMatchObject({ ...LIMITED, metadata: { limit: 'user' } });
    expect((await me(bob.key)).status).toBe(200);
  });

  it('counts each token separately', async () => {
    const { owner, call: admin } = await newWorkspace();
    const { pat } = await owner.client.createPersonalAccessToken({ note: 'busy' });
    limit({ token: 2 });
    const bots = (token: string) => admin('GET', '/bots', { token });

    const answers = [await bots(pat.value), await bots(pat.value), await bots(pat.value)];

    expect(statuses(answers)).toEqual([200, 200, 429]);
    expect((await bots(owner.token)).status).toBe(200);
  });

  it('counts all calls to a bot with any token', async () => {
    const [bot, other] = [await newBot(), await newBot()];
    limit({ bot: 3 });

    const answers = [
      await bot.call('GET', '/users'),
      await bot.callTables('GET', ''),
      await bot.callFiles('GET', '', { token: bot.workspace.owner.token }),
      await bot.call('GET', '/users', { token: bot.tokens.integration }),
    ];

    expect(statuses(answers)).toEqual([200, 200, 200, 429]);
    expect((await other.call('GET', '/users')).status).toBe(200);
  });

  it('counts audiences separately', async () => {
    const bot = await newBot();
    const integrations = { chat: { configuration: { adminSecret: ADMIN_SECRET } } };
    await bot.workspace.owner.client.updateBot({ id: bot.id, integrations });
    const { user, key } = await newUser(bot);
    limit({ bot: 2, webhook: 1, adminSecret: 1 });
    const strangers = () => call(`${apiBaseUrl()}/webhook/${bot.webhookId}`);
    const endUser = () => call(`${bot.chatUrl}/users/me`, { key });
    const owner = () =>
      call(`${bot.chatUrl}/users/key`, {
        method: 'POST',
        headers: { 'x-admin-secret': ADMIN_SECRET },
        body: { id: user.id },
      });

    const flood = [await strangers(), await strangers(), await endUser(), await endUser(), await endUser()];
    const answers = [await owner(), await bot.call('GET', '/users')];

    expect(statuses(flood)).toEqual([404, 429, 200, 200, 429]);
    expect(statuses(answers)).toEqual([200, 200]);
    expect((await owner()).body).toMatchObject({ ...LIMITED, metadata: { limit: 'adminSecret' } });
  });

  it('rejects calls with an invalid token, and no others from the same address', async () => {
    const { owner, call: admin } = await newWorkspace();
    limit({ failures: 2 });
    const token = `bp_pat_${'A'.repeat(36)}`;

    const answers = [];
    for (let i = 0; i < 4; i++) answers.push(await admin('GET', '/bots', { token }));

    expect(statuses(answers)).toEqual([401, 401, 429, 429]);
    expect((await admin('GET', '/bots', { token: owner.token })).status).toBe(200);
  });

  it('resets with its window', async () => {
    const installation = await install();
    const { key } = await newUser(installation);
    limit({ user: 1 });
    const me = () => call(`${installation.chatUrl}/users/me`, { key });
    const before = [await me(), await me()];

    vi.spyOn(clock, 'now').mockReturnValue(clock.now() + 10_000);
    const after = await me();

    expect(statuses([...before, after])).toEqual([200, 429, 200]);
  });

  it('is in the headers of every response, including errors, and exposed to browsers', async () => {
    const { owner, call: admin } = await newWorkspace();
    limit({});

    const answers = [
      await admin('GET', '/bots'),
      await admin('GET', '/bots/none', { headers: { origin: 'https://a.example' } }),
    ];

    for (const { headers } of answers) {
      expect(headers.get('ratelimit-limit')).toBe('3000');
      expect(Number(headers.get('ratelimit-reset'))).toBeLessThanOrEqual(10);
    }
    expect(answers[1]!.headers.get('access-control-expose-headers')).toContain('ratelimit-reset');
    expect(owner.token).toBeDefined();
  });

  it('applies to concurrent calls', async () => {
    const { call: admin } = await newWorkspace();
    limit({ token: 20 });

    const answers = await crowds(60, () => admin('GET', '/bots'));

    expect(statuses(answers).filter(status => status === 200)).toHaveLength(20);
  });

  it('is disabled by 0', async () => {
    limit({ anonymousWrites: 0, anonymousReads: 0, failures: 0, user: 0, token: 0, bot: 0 });

    const answer = await call(`${apiBaseUrl()}/v1/admin/bots`);

    expect(answer.status).toBe(401);
    expect(answer.headers.get('ratelimit-limit')).toBeNull();
  });
});
