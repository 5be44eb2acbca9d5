/** Tests the relay for callers without support for `x-body-ref`. */
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import type { Service } from '#infra/local/runtime/service.ts';
import { startRelay } from '#infra/local/services/startRelay.ts';
import { randomText } from '#shared/core/ids.ts';
import { apiBaseUrl, newWorkspace, useSharedPlatform } from '#test/support/platform.ts';
import { raw } from './access/signedRequest.ts';

useSharedPlatform();

const NOWHERE = 'http://127.0.0.1:1';

async function through<T>(target: string, use: (relay: Service) => Promise<T>): Promise<T> {
  const relay = await startRelay(target, 0);
  return await use(relay).finally(relay.stop);
}

async function newCaller() {
  const workspace = await newWorkspace();
  const { id, owner } = workspace;
  const create = async (base: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${base}/v1/admin/bots`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${owner.token}`,
        'x-workspace-id': id,
        'content-type': 'application/json',
        ...headers,
      },
      body,
    });
    return {
      status: answer.status,
      headers: answer.headers,
      body: (await answer.json()) as { type?: string; message?: string },
    };
  };
  return { workspace, create };
}

/** Exceeds a request unless compressed. */
const SPACES = `module.exports = '${' '.repeat(11_000_000)}'`;

it('forwards a body above the request limit, compressed or not', async () => {
  const { workspace, create } = await newCaller();
  const body = JSON.stringify({ name: 'Large', code: SPACES });
  const noise = JSON.stringify({ name: 'Noise', code: randomText(16_000_000) });
  const compressed = new Uint8Array(gzipSync(noise));

  const direct = await create(apiBaseUrl(), body);
  const answers = await through(apiBaseUrl(), async ({ endpoint }) => [
    await create(endpoint, body),
    await create(endpoint, compressed, { 'content-encoding': 'gzip' }),
  ]);

  expect(compressed.length).toBeGreaterThan(10 * 1024 * 1024);
  expect(direct).toMatchObject({ status: 413, body: { type: 'PayloadTooLarge' } });
  expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  const { bots } = await workspace.owner.client.listBots({});
  expect(bots.map(({ name }) => name).sort()).toEqual(['Large', 'Noise']);
});

it('forwards everything else unchanged, with its response', async () => {
  const { workspace, create } = await newCaller();

  const [made, refused] = await through(apiBaseUrl(), async ({ endpoint }) => [
    await create(endpoint, '{"name":"Small"}'),
    await create(endpoint, '{"name":""}'),
  ]);

  expect(made.status).toBe(201);
  expect(refused).toMatchObject({ status: 400, body: { type: 'InvalidPayload' } });
  expect((await workspace.owner.client.listBots({})).bots).toMatchObject([{ name: 'Small' }]);
});

it('forwards the error of a caller without permission to upload', async () => {
  const { create } = await newCaller();

  const answer = await through(apiBaseUrl(), ({ endpoint }) =>
    create(endpoint, JSON.stringify({ code: SPACES }), { authorization: 'Bearer bp_pat_unknown' }),
  );

  expect(answer).toMatchObject({ status: 401, body: { type: 'Unauthorized' } });
});

it('returns 503 while the API is unreachable, so that callers retry', async () => {
  const { create } = await newCaller();

  const answer = await through(NOWHERE, ({ endpoint }) => create(endpoint, '{"name":"Lost"}'));

  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toBe('5');
  expect(answer.body.message).toContain('127.0.0.1:1 could not be reached: ECONNREFUSED');
});

it('returns 403 to web pages, even under a host rebound to this machine', async () => {
  const send = (endpoint: string, headers: Record<string, string>) =>
    raw(endpoint, { method: 'GET', path: '/v1/health', headers, body: '' });

  const [own, page, rebound] = await through(apiBaseUrl(), ({ endpoint }) =>
    Promise.all([
      send(endpoint, {}),
      send(endpoint, { origin: 'https://evil.example' }),
      send(endpoint, { host: 'evil.example' }),
    ]),
  );

  expect([own?.status, page?.status, rebound?.status]).toEqual([200, 403, 403]);
});
