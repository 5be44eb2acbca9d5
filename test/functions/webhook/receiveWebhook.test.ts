import { randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { VARIABLES } from '#shared/core/environment.ts';
import { installIntegration, type Server, sdk, serve, serveIntegration } from '#test/support/integration.ts';
import { apiBaseUrl, call, chatBaseUrl, isLeftOut, newBot, useSharedPlatform } from '#test/support/platform.ts';
import { recordLog } from '#test/support/recordLog.ts';
import { stopClockInOwnWindow } from '#test/support/time.ts';

useSharedPlatform();

/** Headers by which a page affects other pages of its origin, or a proxy. */
const ORIGIN_HEADERS = [
  'accept-ch',
  'activate-storage-access',
  'alt-svc',
  'attribution-reporting-register-source',
  'critical-ch',
  'expect-ct',
  'nel',
  'origin-agent-cluster',
  'origin-trial',
  'report-to',
  'reporting-endpoints',
  'set-login',
  'some-future-header',
  'speculation-rules',
  'sourcemap',
  'supports-loading-mode',
  'use-as-dictionary',
  'x-accel-redirect',
  'x-permitted-cross-domain-policies',
];

const running: Server[] = [];
const started = (server: Server) => {
  running.push(server);
  return server;
};
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  for (const server of running.splice(0)) server.stop();
});

// biome-ignore lint/suspicious/noExplicitAny: the SDK's request, whose shape each test asserts
type Request = any;

/** Installs an integration with a given response, and records its requests. */
async function integrationThat(answer: (request: Request) => unknown) {
  const requests: Request[] = [];
  const contexts: Request[] = [];
  const { url } = started(
    await serveIntegration({
      handler: async ({ req, ctx }: { req: Request; ctx: Request }) => {
        requests.push(req);
        contexts.push(ctx);
        return answer(req);
      },
    }),
  );
  return { requests, contexts, ...(await installIntegration({ url })) };
}

/** Installs an integration whose endpoint sends any HTTP response. */
async function endpointThat(answer: Parameters<typeof serve>[0]) {
  const { url } = started(
    await serve((request, response) => {
      request.resume();
      if (request.headers['x-bp-operation'] === 'webhook_received') answer(request, response);
      else response.end('{}');
    }),
  );
  return installIntegration({ url });
}

// A deployed function cannot reach this process.
describe.skipIf(isLeftOut('faults'))('{webhook_base_url}/{webhookId}', () => {
  it('forwards the complete request to the integration, and returns its response', async () => {
    const { webhookUrl, webhookId, botId, requests, contexts } = await integrationThat(() => ({
      status: 202,
      headers: { 'content-type': 'application/xml', 'x-provider': 'yes' },
      body: '<ok>🦜</ok>',
    }));

    const response = await fetch(`${webhookUrl}/orders/a%20b?to=ada&to=bob&x=%26`, {
      method: 'POST',
      headers: { 'Content-Type': 'text/plain', 'X-Signature': 'abc' },
      body: '{"a": 1} 🦜\n',
    });

    expect(response.status).toBe(202);
    expect(response.headers.get('content-type')).toBe('application/xml');
    expect(response.headers.get('x-provider')).toBe('yes');
    expect(await response.text()).toBe('<ok>🦜</ok>');
    expect(requests).toEqual([
      {
        method: 'POST',
        path: '/orders/a%20b',
        query: 'to=ada&to=bob&x=%26',
        headers: expect.objectContaining({ 'content-type': 'text/plain', 'x-signature': 'abc' }),
        body: '{"a": 1} 🦜\n',
      },
    ]);
    expect(contexts).toMatchObject([{ botId, webhookId, integrationAlias: 'pizza', operation: 'webhook_received' }]);
  });

  it.each([
    ['a=x:y!&b=%c3%a4', 'a=x%3Ay%21&b=%C3%A4'],
    ["u=-._~&r=!'()*;/?@$,%5B%5D", 'u=-._~&r=%21%27%28%29%2A%3B%2F%3F%40%24%2C%5B%5D'],
    ['a=x+y&b=x%20y&c=x%2By', 'a=x%20y&b=x%20y&c=x%2By'],
    ['a&b=', 'a=&b='],
    ['a=1&b=2&a=3', 'a=1&a=3&b=2'],
    ['b=1&10=2&9=3', '9=3&10=2&b=1'],
    ['constructor=1&toString=2&__proto__=3', 'constructor=1&toString=2&__proto__=3'],
  ])('encodes the query %s as %s', async (sent, query) => {
    const { webhookUrl, requests } = await integrationThat(() => ({ status: 200 }));

    await fetch(`${webhookUrl}?${sent}`);

    expect(requests).toMatchObject([{ query }]);
  });

  it('decompresses a compressed response, because the caller may not accept its encoding', async () => {
    const { webhookUrl } = await endpointThat((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip', 'content-type': 'text/html' }).end(gzipSync('<p>ü</p>')),
    );

    const response = await fetch(webhookUrl, { headers: { 'accept-encoding': 'identity' } });

    expect(response.headers.get('content-encoding')).toBeNull();
    expect(await response.text()).toBe('<p>ü</p>');
  });

  it('forwards a header named like an inherited property', async () => {
    const { webhookUrl, requests } = await integrationThat(() => ({ status: 200 }));

    await fetch(webhookUrl, { headers: { constructor: 'a' } });

    expect(requests).toMatchObject([{ headers: { constructor: 'a' } }]);
  });

  it.each(['GET', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('accepts the method %s', async method => {
    const { webhookUrl, requests } = await integrationThat(() => ({ status: 200, body: 'done' }));

    const { status, body } = await call(webhookUrl, { method });

    expect({ status, body }).toEqual({ status: 200, body: 'done' });
    expect(requests).toMatchObject([{ method, path: '/', query: '' }]);
    expect(requests[0]).not.toHaveProperty('body');
  });

  it('forwards binary bytes in base64, and returns binary bytes unchanged', async () => {
    const bytes = Buffer.from([0x89, 0x50, 0, 0xff]);
    const { webhookUrl, requests } = await integrationThat(() => ({}));
    const binary = await endpointThat((_, response) => response.end(bytes));

    await call(webhookUrl, { method: 'POST', body: new Uint8Array(bytes) });
    const answered = await fetch(binary.webhookUrl);

    expect(requests).toMatchObject([{ body: bytes.toString('base64'), isBase64Encoded: true }]);
    expect(Buffer.from(await answered.arrayBuffer())).toEqual(bytes);
  });

  it('is the webhookUrl of every installation except those of the chat integration', async () => {
    const bot = await newBot();
    const { webhookUrl, webhookId, installation } = await integrationThat(() => ({}));
    const { bot: record } = await bot.workspace.owner.client.getBot({ id: bot.id });

    expect(webhookUrl).toBe(`${apiBaseUrl()}/webhook/${webhookId}`);
    expect(installation.webhookUrl).toBe(webhookUrl);
    expect(record.integrations.chat!.webhookUrl).toBe(`${chatBaseUrl()}/${bot.webhookId}`);
  });

  it('is also served at the host webhook.…, which the CLI derives from api.…', async () => {
    const { webhookId, requests } = await integrationThat(() => ({ status: 200, body: 'done' }));
    const { port } = new URL(apiBaseUrl());

    const status = await new Promise(resolve =>
      httpRequest({
        host: '127.0.0.1',
        port,
        path: `/${webhookId}/events`,
        headers: { host: `webhook.localhost:${port}` },
      })
        .on('response', response => resolve(response.resume().statusCode))
        .end(),
    );

    expect(status).toBe(200);
    expect(requests).toMatchObject([{ path: '/events' }]);
  });

  it("forwards the integration's own errors", async () => {
    const refusing = await integrationThat(() => ({ status: 401, body: 'wrong signature' }));
    const failing = await integrationThat(() => {
      throw new sdk.RuntimeError('no such pizza');
    });

    const answers = [await call(refusing.webhookUrl), await call(failing.webhookUrl)];

    expect(answers).toMatchObject([
      { status: 401, body: 'wrong signature' },
      { status: 400, body: { message: 'no such pizza' } },
    ]);
  });

  it('forwards a redirect to the caller', async () => {
    const { webhookUrl } = await integrationThat(() => ({
      status: 302,
      headers: { location: 'https://example.com/' },
    }));

    const response = await fetch(webhookUrl, { redirect: 'manual' });

    expect({ status: response.status, to: response.headers.get('location') }).toEqual({
      status: 302,
      to: 'https://example.com/',
    });
  });

  it('isolates pages: sandboxed, without content sniffing and cookies', async () => {
    const { webhookUrl } = await endpointThat((_, response) =>
      response
        .writeHead(200, {
          'content-type': 'text/html',
          'content-security-policy': "default-src 'self'",
          'set-cookie': 'session=mine; Domain=example.com',
          'strict-transport-security': 'max-age=9',
          'clear-site-data': '"*"',
          'service-worker-allowed': '/',
          ...Object.fromEntries(ORIGIN_HEADERS.map(name => [name, '1'])),
          connection: 'x-private',
          'x-private': 'hop',
          'x-amzn-requestid': 'forged',
          'x-bp-integration-identifier': 'acme',
        })
        .end('<script>alert(1)</script>'),
    );

    const { headers } = await fetch(webhookUrl);

    expect(headers.get('content-security-policy')).toMatch(/^default-src 'self', sandbox (?!.*allow-same-origin)/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    for (const name of [
      'set-cookie',
      'strict-transport-security',
      'clear-site-data',
      'service-worker-allowed',
      ...ORIGIN_HEADERS,
      'x-private',
      'x-amzn-requestid',
      'x-bp-integration-identifier',
    ]) {
      expect(headers.has(name), name).toBe(false);
    }
  });

  it.each([
    ['cuts the connection', (_: unknown, response: { destroy(): void }) => response.destroy()],
    [
      'is a proxy with nothing behind it',
      (_: unknown, response: { writeHead(s: number): { end(): void } }) => response.writeHead(502).end(),
    ],
  ])('returns 503 with Retry-After when the endpoint %s', async (_, answer) => {
    const { webhookUrl } = await endpointThat(answer);

    const { status, headers, body } = await call(webhookUrl, { method: 'POST', body: {} });

    expect({ status, retryAfter: headers.get('retry-after') }).toEqual({ status: 503, retryAfter: '30' });
    expect(body).toMatchObject({ code: 503, message: expect.stringMatching(/integration.*Retry after 30 s/) });
  });

  it('returns 503 with Retry-After when the endpoint is down or missing', async () => {
    const server = await serve((_, response) => void response.end('{}'));
    const down = await installIntegration({ url: server.url });
    server.stop();
    const none = await installIntegration({});

    const answers = [await call(down.webhookUrl), await call(none.webhookUrl)];

    expect(answers.map(({ status, headers }) => [status, headers.get('retry-after')])).toEqual([
      [503, '30'],
      [503, '30'],
    ]);
    const { logs } = await down.workspace.owner.client.getBotLogs({
      id: down.botId,
      timeStart: new Date(clock.now() - 60_000).toISOString(),
    });
    expect(logs.at(-1)).toMatchObject({
      level: 'warn',
      message: expect.stringMatching(
        /^A webhook of the integration .*pizza.* could not be reached: the connection was/,
      ),
    });
    expect(answers[1]!.body.message).toContain('no endpoint');
  });

  it.skipIf(isLeftOut('settings'))('returns 503 when the integration takes too long', async () => {
    vi.stubEnv(VARIABLES.deliveryTimeoutMs, '300');
    const { webhookUrl } = await endpointThat(() => {});

    const { status, body } = await call(webhookUrl);

    expect({ status, message: body.message }).toMatchObject({
      status: 503,
      message: expect.stringContaining('did not respond within 0.3 seconds'),
    });
  });

  it('returns 404 for an unknown webhook, the built-in chat, and a disabled or uninstalled installation', async () => {
    const chat = await newBot();
    const { workspace, botId, webhookUrl, webhookId } = await integrationThat(() => ({}));
    const change = (integrations: Record<string, unknown>) =>
      workspace.owner.client.updateBot({ id: botId, integrations } as never);
    const base = webhookUrl.slice(0, -webhookId.length - 1);

    const enabled = await call(webhookUrl);
    await change({ pizza: { enabled: false } });
    const disabled = await call(webhookUrl);
    await change({ pizza: null });
    const uninstalled = await call(webhookUrl);
    const others = await Promise.all([randomUUID(), '%00', chat.webhookId].map(id => call(`${base}/${id}`)));

    expect(enabled.status).toBe(200);
    for (const refused of [disabled, uninstalled, ...others]) {
      expect(refused).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
    }
  });

  it('returns 413 for a body that exceeds the size of a call', async () => {
    const { webhookUrl, requests } = await integrationThat(() => ({}));

    const fitting = await call(webhookUrl, { method: 'POST', body: 'a'.repeat(4_000_000) });
    const refused = await call(webhookUrl, { method: 'POST', body: 'a'.repeat(5_000_000) });

    expect(fitting.status).toBe(200);
    expect(refused).toMatchObject({ status: 413, body: { type: 'PayloadTooLarge' } });
    expect(requests.map(({ body }) => body.length)).toEqual([4_000_000]);
  });

  it.skipIf(isLeftOut('settings'))(
    'returns 429 above the call limit of an installation, and for guessed webhook ids',
    async () => {
      vi.stubEnv(VARIABLES.rateLimits, JSON.stringify({ webhook: 2, failures: 2 }));
      const [one, other] = [await integrationThat(() => ({})), await integrationThat(() => ({}))];
      const guess = () => call(one.webhookUrl.replace(one.webhookId, randomUUID()));
      stopClockInOwnWindow();

      const answers = [];
      for (let i = 0; i < 4; i++) answers.push(await call(one.webhookUrl));
      const guesses = [await guess(), await guess(), await guess(), await guess()];

      const limited = answers.find(({ status }) => status === 429)!;
      expect(limited.body).toMatchObject({ type: 'RateLimited', message: expect.stringContaining('this webhook') });
      expect(limited.headers.get('retry-after')).toMatch(/^\d+$/);
      expect(limited.headers.get('ratelimit-limit')).toBe('2');
      expect((await call(other.webhookUrl)).status).toBe(200);
      expect(guesses.map(({ status }) => status)).toContain(429);
    },
  );

  it.skipIf(isLeftOut('log'))('logs neither the path nor the query, headers or body of a request', async () => {
    const { lines } = recordLog();
    const none = await installIntegration({});

    await call(`${none.webhookUrl}/secret-path?code=secret-code`, {
      method: 'POST',
      headers: { authorization: 'secret-header' },
      body: 'secret-body',
    });

    expect(lines.join()).toContain(none.webhookId);
    expect(lines.join()).not.toContain('secret-');
  });

  it('ignores platform headers that the caller sends', async () => {
    const { webhookUrl, contexts, botId } = await integrationThat(() => ({}));

    await call(webhookUrl, { headers: { 'x-bot-id': randomUUID(), 'x-bp-operation': 'register' } });

    expect(contexts).toMatchObject([{ botId, operation: 'webhook_received' }]);
  });
});
