import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { platformApi, prefixOf } from '#infra/gateway/apis.ts';
import { ABSENT_OPERATIONS } from '#shared/api/platform/absentOperations.ts';
import { apiBaseUrl, Client, call, newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

/** Operations of the client that are not implemented. */
const OPEN = ['configureIntegration'];

/** Routes of a separate client, `@botpress/cognitive`. */
const isCognitive = (route: string) => route.includes(' /v2/cognitive/');

/** Extracts routes such as `GET /v1/admin/bots/{}` by operation name from the published client's code. */
function routesOfClient(): Map<string, string> {
  const file = createRequire(import.meta.url)
    .resolve('@botpress/client')
    .replace(/index\.cjs$/, 'index.mjs');
  const source = readFileSync(file, 'utf8');
  const paths = new Map<string, string>();
  for (const [, name, path] of source.matchAll(/(?:var|,)\s*([\w$]+)=\w+=>\(\{path:(`[^`]*`|"[^"]*"),headers:/g)) {
    if (!paths.has(name!)) paths.set(name!, path!.slice(1, -1).replace(/\$\{encodeURIComponent\(\w+\.\w+\)\}/g, '{}'));
  }
  const calls =
    /(\w+)=async \w+=>\{let\{path:\w+,headers:\w+,query:\w+,body:\w+\}=([\w$]+)\(\w+\),.{0,120}?method:"(\w+)"/g;
  return new Map(
    [...source.matchAll(calls)].map(([, name, path, method]) => [
      name!,
      `${method!.toUpperCase()} ${paths.get(path!)}`,
    ]),
  );
}

const routeOf = ({ method, path }: { method: string; path: string }) => `${method} ${path.replace(/\{\w+\}/g, '{}')}`;

describe('an operation of the contract', () => {
  it('is either implemented or declared absent', () => {
    const client = routesOfClient();
    const offered = new Set(
      platformApi.operations.map(each => routeOf({ ...each, path: prefixOf(platformApi, each) + each.path })),
    );
    const absent = new Map(ABSENT_OPERATIONS.map(each => [each.name, routeOf(each)]));

    const missing = [...client].filter(([name, route]) => !offered.has(route) && absent.get(name) !== route);

    expect(client.size).toBeGreaterThan(150);
    expect(missing.map(([name]) => name).filter(name => !OPEN.includes(name))).toEqual([]);
    expect([...absent].filter(([, route]) => offered.has(route))).toEqual([]);
    expect([...absent].filter(([name, route]) => client.get(name) !== route && !isCognitive(route))).toEqual([]);
  });
});

describe('an absent operation', () => {
  it.each(ABSENT_OPERATIONS.map(each => [each.name, each] as const))(
    'returns 501 with the reason for %s, even without a token',
    async (name, { method, path, reason }) => {
      const answer = await call(apiBaseUrl() + path.replace(/\{\w+\}/g, 'some-id'), { method });

      expect(answer).toMatchObject({
        status: 501,
        body: { code: 501, type: 'MethodNotFound', metadata: { operation: name } },
      });
      expect(answer.body.message).toContain(`${name} is not implemented`);
      expect(answer.body.message).toContain(reason);
    },
  );

  it('has CORS headers and an error type of the official client', async () => {
    const { owner, id } = await newWorkspace();
    const client = new Client({ apiUrl: apiBaseUrl(), token: owner.token, workspaceId: id, retry: { retries: 0 } });
    const headers = { origin: 'https://app.example.com' };

    const answer = await call(`${apiBaseUrl()}/v2/billing/plans`, { headers });
    const rejection = client.runVrl({ data: {}, script: '.' });

    expect(answer.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
    await expect(rejection).rejects.toMatchObject({ type: 'MethodNotFound' });
  });
});
