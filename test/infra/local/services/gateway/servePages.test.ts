import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WIDGET_HEADERS } from '#infra/console/policy.ts';
import { servePages } from '#infra/local/services/gateway/servePages.ts';

let folder: string;
let server: Server;
let failure: Error | undefined;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-pages-'));
  await mkdir(join(folder, 'assets'));
  await writeFile(join(folder, 'index.html'), '<!doctype html>');
  await writeFile(join(folder, 'assets/index-1a2b.js'), 'run()');
  await writeFile(join(folder, 'widget.js'), 'chat()');
  await writeFile(join(folder, 'licenses.txt'), 'MIT');
  await writeFile(join(folder, 'secret.txt'), 'secret');
  const pages = {
    basePath: '/console',
    directory: async () => {
      if (failure) throw failure;
      return folder;
    },
    headers: (name: string) => ({
      'content-security-policy': "default-src 'none'",
      ...(name === 'widget.js' ? WIDGET_HEADERS : {}),
    }),
    made: { 'config.json': () => '{"apiUrl":"here"}' },
  };
  server = createServer(async (incoming, response) => {
    if (!(await servePages(pages, incoming, response))) response.writeHead(418).end('not a page');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true });
});

/** Sends the path unchanged, because `fetch` would resolve the dots. */
async function get(path: string, method = 'GET') {
  const sent = request({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, path, method }).end();
  const [response] = await once(sent, 'response');
  return { status: response.statusCode, headers: response.headers, body: await text(response) };
}

describe('the pages next to the APIs', () => {
  it('revalidates the page and caches its hashed assets permanently, each with the policy', async () => {
    const [page, asset] = [await get('/console/?x=1'), await get('/console/assets/index-1a2b.js')];

    expect([page.status, page.body, page.headers['cache-control']]).toEqual([200, '<!doctype html>', 'no-cache']);
    expect([asset.status, asset.body, asset.headers['content-type']]).toEqual([
      200,
      'run()',
      'text/javascript; charset=utf-8',
    ]);
    expect(asset.headers['cache-control']).toContain('immutable');
    for (const { headers } of [page, asset]) expect(headers['content-security-policy']).toBe("default-src 'none'");
  });

  it('serves the widget to pages of every origin, with revalidation', async () => {
    const { status, body, headers } = await get('/console/widget.js');

    expect([status, body, headers['cache-control']]).toEqual([200, 'chat()', 'no-cache']);
    expect(headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    });
    expect((await get('/console/')).headers['access-control-allow-origin']).toBeUndefined();
  });

  it('serves the licences as text', async () => {
    const { body, headers } = await get('/console/licenses.txt');

    expect([body, headers['content-type']]).toEqual(['MIT', 'text/plain; charset=utf-8']);
  });

  it('generates the configuration for each request', async () => {
    const { body, headers } = await get('/console/config.json');

    expect([body, headers['cache-control']]).toEqual(['{"apiUrl":"here"}', 'no-store']);
  });

  it.each(['secret.txt', '../package.json', 'assets/../secret.txt', 'assets/..%2fsecret.txt', 'assets/none.js'])(
    'returns 404 for %s',
    async name => {
      const { status, body } = await get(`/console/${name}`);

      expect([status, body]).toEqual([404, 'Page not found.']);
    },
  );

  it('forwards other paths to the APIs, and redirects its own path without a slash', async () => {
    expect((await get('/consoles')).status).toBe(418);
    expect((await get('/v1/admin/bots')).status).toBe(418);
    expect((await get('/console')).headers.location).toBe('/console/');
  });

  it('rejects writes', async () => {
    const { status, headers } = await get('/console/', 'POST');

    expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
    expect((await get('/console/', 'HEAD')).body).toBe('');
  });

  it('reports why the pages are missing', async () => {
    failure = new Error('The console could not be built.');
    const { status, body } = await get('/console/');
    failure = undefined;

    expect([status, body]).toEqual([503, 'The console could not be built.\n']);
  });
});
