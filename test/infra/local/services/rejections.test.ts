import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { GATEWAY_RESPONSES } from '#infra/gateway/gatewayResponses.ts';
import { rejectRequest } from '#infra/local/services/gateway/rejections.ts';

let reason: keyof typeof GATEWAY_RESPONSES;
const server = createServer((request, response) => rejectRequest(response, request, reason));
beforeAll(() => new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise(resolve => server.close(resolve)));

const answerTo = async (given: typeof reason) => {
  reason = given;
  const { port } = server.address() as AddressInfo;
  return await fetch(`http://127.0.0.1:${port}/`, { headers: { origin: 'https://app.example', connection: 'close' } });
};

it.each([
  ['throttled', '1'],
  ['quota', '3600'],
] as const)('returns 429 with Retry-After for the rejection %s', async (given, seconds) => {
  const answer = await answerTo(given);

  expect(answer.status).toBe(429);
  expect(answer.headers.get('retry-after')).toBe(seconds);
  expect(answer.headers.get('access-control-expose-headers')).toContain('retry-after');
  expect(await answer.json()).toMatchObject({ code: 429, type: 'RateLimited' });
});

it('omits Retry-After from a permanent error', async () => {
  const answer = await answerTo('unknownRoute');

  expect(answer.status).toBe(404);
  expect(answer.headers.get('retry-after')).toBeNull();
});
