/** The tunnel of `bp dev`, with the library's own other end. */
import { createRequire } from 'node:module';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Service } from '#infra/local/services/service.ts';
import { startTunnel } from '#infra/local/services/tunnel.ts';

// The library's types are sources that do not compile here.
const { TunnelTail } = createRequire(import.meta.url)('@bpinternal/tunnel');

interface Received {
  id: string;
  method: string;
  path: string;
  query?: string;
  headers: Record<string, string>;
  body?: string;
}

let tunnel: Service;
beforeAll(async () => {
  tunnel = await startTunnel(0);
});
afterAll(() => tunnel.stop());

it('passes requests to what is connected, and its answers back', async () => {
  const tail = await TunnelTail.new(tunnel.endpoint.replace('http', 'ws'), 'my-bot');
  tail.events.on('request', ({ id, method, path, query, headers, body }: Received) =>
    tail.send({
      requestId: id,
      status: 201,
      headers: { 'x-seen': `${method} ${path} ${query} ${headers['x-bot-id']}`, 'content-length': '999' },
      body: `got ${body}`,
    }),
  );

  const answers = await Promise.all(
    ['a', 'b'].map(body =>
      fetch(`${tunnel.endpoint}/my-bot/deep?x=1`, { method: 'POST', headers: { 'x-bot-id': body }, body }),
    ),
  );

  expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  expect(answers.map(({ headers }) => headers.get('x-seen'))).toEqual(['POST /deep x=1 a', 'POST /deep x=1 b']);
  expect(await Promise.all(answers.map(answer => answer.text()))).toEqual(['got a', 'got b']);
  tail.close();
});

it('answers 503 where nothing is connected, and when what is connected leaves', async () => {
  expect((await fetch(`${tunnel.endpoint}/nobody/x`)).status).toBe(503);

  const tail = await TunnelTail.new(tunnel.endpoint.replace('http', 'ws'), 'leaving');
  tail.events.on('request', () => tail.close());
  const answer = await fetch(`${tunnel.endpoint}/leaving/x`);
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toBe('5');
});
