/** Tests the local gateway's responses to malformed HTTP. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GatewayDocument } from '#infra/gateway/gatewayDocument.ts';
import type { Service } from '#infra/local/runtime/service.ts';
import { type CompletedRequest, localIntegration, startGateway } from '#infra/local/services/apiGateway.ts';

/** One header of each kind that API Gateway treats differently. */
const HEADERS = {
  'www-authenticate': 'Basic realm="mail"',
  Server: 'nginx',
  'content-md5': 'Q2hlY2sgSW50ZWdyaXR5IQ==',
  via: '1.1 proxy',
  'proxy-authenticate': 'Basic',
  'x-own': 'kept',
};

const answered: CompletedRequest[] = [];
let gateway: Service;

beforeAll(async () => {
  const document = {
    paths: { '/hello': { get: { 'x-amazon-apigateway-integration': localIntegration('hello', false) } } },
  } as unknown as GatewayDocument;
  const handlerOf = () => async () => ({ statusCode: 200, headers: HEADERS, body: '{}' });
  gateway = await startGateway([{ basePath: '', document, handlerOf }], 0, request => answered.push(request));
});
afterAll(() => gateway.stop());

async function send(bytes: string) {
  const socket = connect(Number(new URL(gateway.endpoint).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(bytes);
  const response = await text(socket);
  const [head, body] = response.split('\r\n\r\n') as [string, string];
  return { status: Number(head.split(' ')[1]), head, body: JSON.parse(body) };
}

it.each(['//[', '//[/hello', '//hello/hello', 'http://[/', '*', '//%'])(
  'returns 404 for the target %s, as for any unknown path',
  async target => {
    // A response to HTTP/1.0 is not chunked.
    const { status } = await send(`GET ${target} HTTP/1.0\r\nhost: localhost\r\n\r\n`);

    expect(status).toBe(404);
  },
);

describe('the local gateway', () => {
  it.each([
    ['a URL', `GET /hello?q=${'x'.repeat(20_000)} HTTP/1.1\r\nhost: localhost\r\n\r\n`],
    ['a header', `GET /hello HTTP/1.1\r\nhost: localhost\r\nx-long: ${'x'.repeat(200_000)}\r\n\r\n`],
  ])('returns 413 in the wire format when %s is too long', async (_, bytes) => {
    const { status, head, body } = await send(bytes);

    expect({ status, ...body }).toEqual({
      status: 413,
      id: expect.stringMatching(/^err_/),
      code: 413,
      type: 'PayloadTooLarge',
      message: expect.stringContaining('URL'),
    });
    expect(head).toMatch(/^content-type: application\/json$/m);
  });

  it('returns 400 in the wire format for bytes that are not HTTP', async () => {
    const { status, body } = await send('what is this?\r\n\r\n');

    expect({ status, code: body.code, type: body.type }).toEqual({ status: 400, code: 400, type: 'InvalidPayload' });
  });

  it('remaps and drops the headers that API Gateway remaps and drops', async () => {
    const { headers } = await fetch(`${gateway.endpoint}/hello`);

    expect(Object.fromEntries(headers)).toMatchObject({
      'x-amzn-remapped-www-authenticate': 'Basic realm="mail"',
      'x-amzn-remapped-server': 'nginx',
      'x-amzn-remapped-content-md5': 'Q2hlY2sgSW50ZWdyaXR5IQ==',
      'x-own': 'kept',
    });
    for (const name of ['www-authenticate', 'server', 'content-md5', 'via', 'proxy-authenticate'])
      expect(headers.has(name), name).toBe(false);
  });

  it('reports every request with its path, status, time and error id', async () => {
    answered.length = 0;

    await fetch(`${gateway.endpoint}/hello?secret=1`);
    const response = await fetch(`${gateway.endpoint}/nowhere`, { method: 'POST' });
    const { id } = (await response.json()) as { id: string };

    const durationMs = expect.any(Number);
    expect(answered).toEqual([
      { method: 'GET', path: '/hello', status: 200, durationMs },
      { method: 'POST', path: '/nowhere', status: 404, durationMs, errorId: id },
    ]);
  });
});
