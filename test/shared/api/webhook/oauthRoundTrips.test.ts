/** Tests that an integration receives only OAuth round trips that a member began. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { isOAuthPath, withoutRoundTrips } from '#shared/api/webhook/oauthRoundTrips.ts';
import { clock } from '#shared/core/clock.ts';
import { VARIABLES } from '#shared/core/environment.ts';
import { ROUND_TRIP_MS } from '#shared/storage/dynamodb/chat/oauthStates.ts';
import { type Installed, installIntegration, type Server, serveIntegration } from '#test/support/integration.ts';
import { apiBaseUrl, call, isLeftOut, useSharedPlatform } from '#test/support/platform.ts';
import { stopClockInOwnWindow } from '#test/support/time.ts';

useSharedPlatform();

const running: Server[] = [];
afterEach(() => {
  vi.unstubAllEnvs();
  for (const server of running.splice(0)) server.stop();
});

interface Heard {
  path: string;
  query: string;
  headers: Record<string, string>;
  body?: string;
}

/** Creates an integration, and records the requests to its handler. */
async function newIntegration(): Promise<Installed & { heard: Heard[] }> {
  const heard: Heard[] = [];
  const server = await serveIntegration({
    handler: async ({ req }: { req: Heard }) => {
      heard.push(req);
      return { status: 200, body: 'done' };
    },
  });
  running.push(server);
  return { heard, ...(await installIntegration({ url: server.url })) };
}

const pathOf = ({ botId, integrationId }: Installed) => `/bots/${botId}/integrations/${integrationId}/oauth-state`;
const begin = async (installed: Installed, { token } = installed.workspace.owner): Promise<string> =>
  (await installed.workspace.call('POST', pathOf(installed), { token, body: {} })).body.state;
const oauth = () => `${apiBaseUrl()}/webhook/oauth`;
const arrive = (query: string, { cookie, ...options }: Parameters<typeof call>[1] & { cookie?: string } = {}) =>
  call(`${oauth()}${query}`, { ...options, headers: cookie === undefined ? {} : { cookie } });
const cookieIn = ({ headers }: { headers: Headers }) => headers.get('set-cookie')?.split(';')[0] ?? '';
const FORBIDDEN = { status: 403, body: { type: 'Forbidden' } };

// A deployed function cannot reach this process.
describe.skipIf(isLeftOut('faults'))('{webhook_base_url}/oauth', () => {
  it("routes an issued state to its installation, and replaces it with the webhook's id", async () => {
    const [mine, other] = [await newIntegration(), await newIntegration()];
    const state = await begin(mine);

    const { status, headers } = await arrive(`?code=abc&state=${state}`);

    expect(status).toBe(200);
    expect(headers.get('set-cookie')).toMatch(
      new RegExp(
        `^parley-oauth-${mine.webhookId}=[0-9A-Za-z]{32}\\.[0-9A-Za-z]{32}; Max-Age=900; Path=/; HttpOnly; Secure`,
      ),
    );
    expect(mine.heard).toMatchObject([{ path: '/oauth', query: `code=abc&state=${mine.webhookId}` }]);
    expect(other.heard).toEqual([]);
  });

  it('accepts further steps of the same browser by webhook id, and hides its cookie', async () => {
    const mine = await newIntegration();
    const cookie = cookieIn(await arrive(`/wizard/start?state=${await begin(mine)}`));

    const next = await arrive(`/wizard/next?state=${mine.webhookId}`, {
      method: 'POST',
      body: 'choice=1',
      cookie: `theme=dark; ${cookie}`,
    });

    expect(next.status).toBe(200);
    expect(mine.heard.at(-1)).toMatchObject({
      path: '/oauth/wizard/next',
      body: 'choice=1',
      headers: { cookie: 'theme=dark' },
    });
  });

  it("returns 403 for a webhook's id, a malformed state and an unknown state", async () => {
    const mine = await newIntegration();

    const answers = await Promise.all(
      ['', '?state=', `?state=${mine.webhookId}`, '?state=secret', `?state=${'a'.repeat(32)}`].map(query =>
        arrive(query),
      ),
    );

    for (const answer of answers) {
      expect(answer).toMatchObject(FORBIDDEN);
      expect(answer.body.message).toContain('createOAuthState');
      expect(answer.body.message).not.toContain('secret');
    }
    expect(mine.heard).toEqual([]);
  });

  it("also returns 403 at the installation's address, for every spelling of the path", async () => {
    const mine = await newIntegration();
    const paths = ['/oauth', '/oauth/callback', '/OAuth', '/%6Fauth', '/a/../oauth', '/a/%2e%2e/oauth'];

    for (const path of paths)
      expect([path, (await call(`${mine.webhookUrl}${path}?code=stolen`)).status]).toEqual([path, 403]);
    const ended = await call(`${mine.webhookUrl}/oauth?code=abc&state=${await begin(mine)}`);

    expect(ended.status).toBe(200);
    expect(mine.heard).toMatchObject([{ path: '/oauth', query: `code=abc&state=${mine.webhookId}` }]);
  });

  it("returns 403 to another browser, with the state and with the webhook's id", async () => {
    const mine = await newIntegration();
    const state = await begin(mine);
    const cookie = cookieIn(await arrive(`?code=abc&state=${state}`));
    const forged = `${cookie.slice(0, -1)}${cookie.endsWith('a') ? 'b' : 'a'}`;

    for (const named of [state, mine.webhookId]) {
      expect(await arrive(`?code=stolen&state=${named}`)).toMatchObject(FORBIDDEN);
      expect(await arrive(`?code=stolen&state=${named}`, { cookie: forged })).toMatchObject(FORBIDDEN);
      expect((await arrive(`?code=abc&state=${named}`, { cookie })).status).toBe(200);
    }
    expect(mine.heard.map(({ query }) => query)).not.toContain(expect.stringContaining('stolen'));
  });

  it('admits one of two browsers that arrive simultaneously', async () => {
    const mine = await newIntegration();
    const state = await begin(mine);

    const statuses = (await Promise.all([1, 2, 3].map(() => arrive(`?state=${state}`)))).map(({ status }) => status);

    expect(statuses.toSorted()).toEqual([200, 403, 403]);
  });

  it("returns 403 for another installation's state and cookie", async () => {
    const [mine, theirs] = [await newIntegration(), await newIntegration()];
    const cookie = cookieIn(await arrive(`?state=${await begin(theirs)}`));
    const renamed = cookie.replace(theirs.webhookId, mine.webhookId);

    const answers = [
      await call(`${mine.webhookUrl}/oauth?code=abc&state=${await begin(theirs)}`),
      await arrive(`?code=abc&state=${mine.webhookId}`, { cookie }),
      await arrive(`?code=abc&state=${mine.webhookId}`, { cookie: renamed }),
    ];

    for (const answer of answers) expect(answer).toMatchObject(FORBIDDEN);
    expect(mine.heard).toEqual([]);
  });

  it.skipIf(isLeftOut('clock'))('returns 403 after 15 minutes, both before and after the first request', async () => {
    const mine = await newIntegration();
    const [unused, state] = [await begin(mine), await begin(mine)];
    const cookie = cookieIn(await arrive(`?state=${state}`));

    await clock.advance(ROUND_TRIP_MS);

    expect(await arrive(`?state=${unused}`)).toMatchObject(FORBIDDEN);
    expect(await arrive(`?state=${mine.webhookId}`, { cookie })).toMatchObject(FORBIDDEN);
  });

  it('fails after the member who started it loses the role', async () => {
    const mine = await newIntegration();
    const { workspace } = mine;
    const developer = await workspace.join('developer');
    const state = await begin(mine, developer);
    const cookie = cookieIn(await arrive(`?state=${await begin(mine, developer)}`));

    await workspace.owner.client.updateWorkspaceMember({ id: developer.memberId, role: 'viewer' });

    expect(await arrive(`?state=${state}`)).toMatchObject(FORBIDDEN);
    expect(await arrive(`?state=${mine.webhookId}`, { cookie })).toMatchObject(FORBIDDEN);
  });

  it.skipIf(isLeftOut('settings'))('returns 429 for guessed states', async () => {
    vi.stubEnv(VARIABLES.rateLimits, JSON.stringify({ failures: 2 }));
    stopClockInOwnWindow();

    const statuses: number[] = [];
    for (let i = 0; i < 5; i++) statuses.push((await arrive(`?state=${String(i).repeat(32)}`)).status);

    expect(statuses).toContain(429);
  });
});

describe('the paths of OAuth', () => {
  it.each([
    '/oauth',
    '/oauth/',
    '/oauth/wizard/start',
    '/oauthCallback',
    '/%6fauth',
    '//oauth',
    '/x/../oauth',
    '/OAUTH',
    '/./oauth',
    '/.%2foauth',
    '/%2e%2Foauth',
    '/x%2f..%2foauth',
    '/x/%2e%2e/oauth',
    '/%256fauth',
    '/%6fauth%',
    '/%5coauth',
    '/\\oauth',
    '/oauth/../x',
    '/%09oauth',
    '/x%252f%252e%252e%252foauth',
    `/%${'25'.repeat(9)}6fauth`,
  ])('includes %s', path => expect(isOAuthPath(path)).toBe(true));

  it.each(['', '/', '/webhook', '/events/oauth', '/%', '/o/auth'])('excludes %j', path =>
    expect(isOAuthPath(path)).toBe(false),
  );
});

describe('a Cookie header without round trips', () => {
  it('keeps all other cookies', () => {
    expect(withoutRoundTrips('a=1; parley-oauth-x=s.t;b=2')).toBe('a=1; b=2');
    expect(withoutRoundTrips('parley-oauth-x=s.t')).toBe('');
  });
});
