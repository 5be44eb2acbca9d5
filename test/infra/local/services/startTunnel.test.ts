/** Tests the tunnel of `bp dev` with its library's client. */
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import type { Service } from '#infra/local/runtime/service.ts';
import { startTunnel } from '#infra/local/services/startTunnel.ts';

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

const SECRET = 'a'.repeat(40);

let tunnel: Service;
/** The value of `bp dev --tunnelUrl`. */
const connectUrl = () => `${tunnel.endpoint.replace('http', 'ws')}/${SECRET}`;
beforeAll(async () => {
  tunnel = await startTunnel(0, SECRET);
});
afterAll(() => tunnel.stop());

it('forwards requests without their accepted encodings, and returns the responses', async () => {
  const tail = await TunnelTail.new(connectUrl(), 'my-bot');
  tail.events.on('request', ({ id, method, path, query, headers, body }: Received) =>
    tail.send({
      requestId: id,
      status: 201,
      headers: {
        'x-seen': `${method} ${path} ${query} ${headers['x-bot-id']} ${headers['accept-encoding']}`,
        'content-length': '999',
      },
      body: `got ${body}`,
    }),
  );

  const answers = await Promise.all(
    ['a', 'b'].map(body =>
      fetch(`${tunnel.endpoint}/my-bot/deep?x=1`, { method: 'POST', headers: { 'x-bot-id': body }, body }),
    ),
  );

  expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  expect(answers.map(({ headers }) => headers.get('x-seen'))).toEqual([
    'POST /deep x=1 a undefined',
    'POST /deep x=1 b undefined',
  ]);
  expect(await Promise.all(answers.map(answer => answer.text()))).toEqual(['got a', 'got b']);
  tail.close();
});

it('returns 503 without a connected client, and when the client disconnects', async () => {
  expect((await fetch(`${tunnel.endpoint}/nobody/x`)).status).toBe(503);

  const tail = await TunnelTail.new(connectUrl(), 'leaving');
  tail.events.on('request', () => tail.close());
  const answer = await fetch(`${tunnel.endpoint}/leaving/x`);
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toBe('5');
});

describe('a tunnel with hostile traffic', () => {
  /**
   * Sends bytes unchanged.
   * @returns the status
   */
  async function statusOf(target: string): Promise<number> {
    const socket = connect(Number(new URL(tunnel.endpoint).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(`GET ${target} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`);
    return Number((await text(socket)).split(' ')[1]);
  }

  it.each(['/constructor', '/__proto__', '/hasOwnProperty/x', '//[', '/', '*', '/%', '/a|b'])(
    'survives a request to %s without a connected client',
    async target => {
      expect(await statusOf(target)).toBe(503);
    },
  );

  it.each([
    ['the status 42', { status: 42 }],
    ['the status 101', { status: 101 }],
    ['a status that is no integer', { status: 200.5 }],
    ['a header of two lines', { status: 200, headers: { 'x-a': 'b\r\nset-cookie: c' } }],
    ['an invalid header name', { status: 200, headers: { 'x a': 'b' } }],
  ])('survives a response with %s', async (_, given) => {
    const tail = await TunnelTail.new(connectUrl(), 'odd');
    tail.events.on('request', ({ id }: Received) => tail.send({ requestId: id, ...given }));

    const answer = await fetch(`${tunnel.endpoint}/odd`);
    tail.close();

    expect(answer.status).toBe(502);
    expect(await answer.json()).toEqual({ message: expect.stringContaining('an invalid HTTP response') });
  });

  it.each([
    ['that is not JSON', 'x'],
    ['of another shape', '{"requestId":1}'],
    ['that is null', 'null'],
  ])('survives a message %s, and closes that connection', async (_, message) => {
    const socket = new WebSocket(`${connectUrl()}/broken`);
    await once(socket, 'open');
    socket.send(message);

    expect(await once(socket, 'close')).toEqual([4002, expect.anything()]);
    expect(await statusOf('/broken')).toBe(503);
  });

  it('rejects a body of 11 MB and keeps running', async () => {
    const answer = await fetch(`${tunnel.endpoint}/any`, { method: 'POST', body: 'x'.repeat(11 * 1024 * 1024) });

    expect(answer.status).toBe(413);
  });
});

it('rejects connections from web pages', async () => {
  const socket = new WebSocket(`${connectUrl()}/my-bot`, { origin: 'https://evil.example' });

  const [error] = (await once(socket, 'error')) as [Error];

  expect(error.message).toContain('401');
});

it.each([
  ['without the secret', () => tunnel.endpoint.replace('http', 'ws')],
  ['with another secret', () => `${tunnel.endpoint.replace('http', 'ws')}/${'b'.repeat(40)}`],
])('rejects a connection %s, and keeps the connected client', async (_, url) => {
  const tail = await TunnelTail.new(connectUrl(), 'taken');
  tail.events.on('request', ({ id }: Received) => tail.send({ requestId: id, status: 200, body: 'developer' }));

  const socket = new WebSocket(`${url()}/taken`);
  const [error] = (await once(socket, 'error')) as [Error];

  expect(error.message).toContain('401');
  expect(await (await fetch(`${tunnel.endpoint}/taken`)).text()).toBe('developer');
  tail.close();
});

it('forwards requests to the latest connection of an id', async () => {
  const connectTail = async (name: string) => {
    const tail = await TunnelTail.new(connectUrl(), 'same');
    tail.events.on('request', ({ id }: Received) => tail.send({ requestId: id, status: 200, body: name }));
    return tail;
  };
  const first = await connectTail('first');
  const left = new Promise(resolve => first.events.on('close', resolve));
  const second = await connectTail('second');
  await left;

  const answer = await fetch(`${tunnel.endpoint}/same`);

  expect(await answer.text()).toBe('second');
  second.close();
});
