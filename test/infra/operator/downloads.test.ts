/** Tests the downloads of `npm run import:cloud`, whose URLs come from the API's responses. */
import { afterEach, describe, expect, it } from 'vitest';
import { download } from '#infra/operator/cloud/cloudClient.ts';
import { type Server, serve } from '#test/support/integration.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.stop();
});

async function fileServer(...given: Parameters<typeof serve>) {
  const server = await serve(...given);
  servers.push(server);
  return server;
}

const REMOTE = { apiUrl: 'https://api.example.com', token: 'secret', say: () => {} };

describe('a download', () => {
  it('contains the file, even after a redirect, without the token', async () => {
    const tokens: unknown[] = [];
    const server = await fileServer((request, response) => {
      tokens.push(request.headers.authorization);
      if (request.url === '/a') response.writeHead(302, { location: '/b' }).end();
      else response.end('content');
    });

    const bytes = await download({ url: `${server.url}/a`, size: 7 }, { ...REMOTE, apiUrl: server.url });

    expect(Buffer.from(bytes).toString()).toBe('content');
    expect(tokens).toEqual([undefined, undefined]);
  });

  it.each([
    ['http://169.254.169.254/latest/meta-data', 'its address is not public'],
    ['http://files.example.com/a', 'its address is not public'],
    ['https://127.0.0.1:9/a', 'its address is not public'],
    ['https://[::1]:9/a', 'its address is not public'],
    ['file:///etc/passwd', 'its address is not public'],
    ['nonsense', 'its address is not public'],
  ])('is rejected at %s', async (url, reason) => {
    await expect(download({ url, size: 1 }, REMOTE)).rejects.toThrow(`A file was not downloaded: ${reason}.`);
  });

  it.each([
    ['more bytes than stated', 'x'.repeat(1_000), 10],
    ['endless bytes', undefined, 10],
  ])('is rejected with %s', async (_, body, size) => {
    const server = await fileServer((_, response) => {
      if (body !== undefined) return void response.end(body);
      const write = () => void (response.destroyed || response.write('x'.repeat(65_536), write));
      write();
    });

    const downloading = download({ url: `${server.url}/a`, size }, { ...REMOTE, apiUrl: server.url });

    await expect(downloading).rejects.toThrow('A file was not downloaded: it has more than the stated 10 bytes.');
  });
});
