/** Tests that images are fetched only from public addresses. */
import type { RequestListener } from 'node:http';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { VARIABLES } from '#shared/core/environment.ts';
import { fetchImage } from '#shared/outbound/endpoints/fetchImage.ts';
import { type Server, serve } from '#test/support/integration.ts';

const PNG = Buffer.from('iVBORw0KGgo=', 'base64');
let answer: RequestListener;
let requests = 0;
let server: Server;
beforeAll(async () => {
  server = await serve((request, response) => {
    requests++;
    answer(request, response);
  });
});
afterAll(() => server.stop());
beforeEach(() => {
  requests = 0;
  answer = (_, response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(PNG);
});
afterEach(() => vi.unstubAllEnvs());

const fetchFrom = (host: string, isAllowed: (url: string) => boolean = () => true) =>
  fetchImage(`http://${host}:${new URL(server.url).port}/a.png`, {
    maxBytes: 1_000,
    signal: new AbortController().signal,
    isAllowed,
  });

describe('an image', () => {
  // npm start allows private endpoints for bots under development.
  it.each(['127.0.0.1', 'localhost', '[::1]', '0.0.0.0'])('is not fetched from %s', async host => {
    vi.stubEnv(VARIABLES.privateEndpoints, 'true');

    expect(await fetchFrom(host)).toEqual({ reason: 'its address is not public' });
    expect(requests).toBe(0);
  });

  it("is fetched from the platform's own files", async () => {
    vi.stubEnv(VARIABLES.mediaOrigins, `https://api.example,${server.url}`);

    expect(await fetchFrom('127.0.0.1')).toEqual({ dataUri: 'data:image/png;base64,iVBORw0KGgo=', bytes: 8 });
  });

  it('is not fetched through a redirect to an address that is not allowed', async () => {
    vi.stubEnv(VARIABLES.mediaOrigins, server.url);
    answer = (_, response) => void response.writeHead(302, { location: 'http://10.0.0.1/a.png' }).end();

    const outcome = await fetchFrom('127.0.0.1', url => !url.includes('10.0.0.1'));

    expect(outcome).toEqual({ reason: 'it redirects to an address that is not public' });
    expect(requests).toBe(1);
  });

  it('is not fetched through a redirect from a file to another local server', async () => {
    const other = await serve((_, response) => void response.writeHead(200, { 'content-type': 'image/png' }).end(PNG));
    vi.stubEnv(VARIABLES.privateEndpoints, 'true');
    vi.stubEnv(VARIABLES.mediaOrigins, server.url);
    answer = (_, response) => void response.writeHead(302, { location: other.url }).end();

    const outcome = await fetchFrom('127.0.0.1');

    expect(outcome).toEqual({ reason: 'its address is not public' });
    other.stop();
  });
});
