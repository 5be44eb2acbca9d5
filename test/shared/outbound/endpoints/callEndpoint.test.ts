/** Tests that failures of untrusted endpoints are outcomes. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { VARIABLES } from '#shared/core/environment.ts';
import { callEndpoint } from '#shared/outbound/endpoints/callEndpoint.ts';

let server: Server;
let port: number;

async function endpoint(answer: RequestListener): Promise<void> {
  server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ({ port } = server.address() as AddressInfo);
}

beforeEach(() => {
  process.env[VARIABLES.privateEndpoints] = 'true';
});
afterEach(() => {
  server?.closeAllConnections();
  server?.close();
  delete process.env[VARIABLES.privateEndpoints];
});

const ask = (url: string, timeoutMs = 5_000) =>
  callEndpoint(url, { headers: { 'x-a': '1' }, body: '{"b":2}', timeoutMs });

describe('an endpoint', () => {
  it('receives JSON with the headers, and its response is returned unchanged', async () => {
    await endpoint(async (request, response) => {
      const chunks = await request.toArray();
      response.writeHead(418).end(`${request.method} ${request.headers['x-a']} ${Buffer.concat(chunks)}`);
    });

    const outcome = await ask(`http://127.0.0.1:${port}/hook`);

    expect(outcome).toEqual({ kind: 'answered', status: 418, text: 'POST 1 {"b":2}' });
  });

  it('does not follow a redirect', async () => {
    await endpoint((_, response) => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end());

    const outcome = await ask(`http://127.0.0.1:${port}`);

    expect(outcome).toMatchObject({ kind: 'answered', status: 302 });
  });

  it('times out if it hangs before or in its response', async () => {
    await endpoint((request, response) => {
      if (request.url === '/half') response.write('{');
    });

    const outcomes = [
      await ask(`http://127.0.0.1:${port}/silent`, 200),
      await ask(`http://127.0.0.1:${port}/half`, 200),
    ];

    expect(outcomes).toEqual([{ kind: 'timedOut' }, { kind: 'timedOut' }]);
  });

  it('fails if it is down, disconnects or responds endlessly', async () => {
    await endpoint((request, response) => {
      if (request.url === '/cut') {
        response.write('{', () => response.destroy());
      } else {
        response.end('x'.repeat(5 * 1024 * 1024));
      }
    });

    const outcomes = [
      await ask('http://127.0.0.1:1'),
      await ask(`http://127.0.0.1:${port}/cut`),
      await ask(`http://127.0.0.1:${port}/big`),
    ];

    expect(outcomes.slice(0, 2)).toEqual([
      { kind: 'failed', reason: 'the connection was refused (ECONNREFUSED)' },
      { kind: 'failed', reason: expect.stringMatching(/^the connection (?:was reset|failed)/) },
    ]);
    expect(outcomes[2]).toEqual({ kind: 'failed', reason: 'the response is larger than 4 MB' });
  });

  it.each(['127.0.0.1', 'localhost', '[::1]', '0.0.0.0'])(
    'is blocked at %s unless the operator allows it',
    async host => {
      let calls = 0;
      await endpoint((_, response) => {
        calls++;
        response.end();
      });
      delete process.env[VARIABLES.privateEndpoints];

      const outcome = await ask(`http://${host}:${port}`);

      expect(outcome).toEqual({ kind: 'failed', reason: 'its address is not public' });
      expect(calls).toBe(0);
    },
  );

  it.each([
    'http://169.254.169.254/latest/meta-data',
    'http://10.0.0.1',
    'http://[fd00:ec2::254]',
    'http://192.168.1.1',
  ])('is rejected without a call at %s in AWS', async url => {
    delete process.env[VARIABLES.privateEndpoints];

    const outcome = await ask(url, 2_000);

    expect(outcome).toEqual({ kind: 'failed', reason: 'its address is not public' });
  });
});
