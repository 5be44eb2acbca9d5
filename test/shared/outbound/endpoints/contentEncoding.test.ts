/** Tests that compressed responses of endpoints are read within the limits, wherever responses are read. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { VARIABLES } from '#shared/core/environment.ts';
import { callEndpoint, fetchEndpoint } from '#shared/outbound/endpoints/callEndpoint.ts';
import { fetchImage } from '#shared/outbound/endpoints/fetchImage.ts';
import { type Server, serve } from '#test/support/integration.ts';

let answer: (request: IncomingMessage, response: ServerResponse) => void;
let server: Server;
beforeAll(async () => {
  vi.stubEnv(VARIABLES.privateEndpoints, 'true');
  server = await serve((request, response) => answer(request, response));
  vi.stubEnv(VARIABLES.mediaOrigins, server.url);
});
afterAll(() => {
  server.stop();
  vi.unstubAllEnvs();
});

const answerWith = (encoding: string, body: Uint8Array, status = 200) => {
  answer = (_, response) =>
    void response.writeHead(status, { 'content-encoding': encoding, 'content-type': 'image/png' }).end(body);
};
const CALL = { headers: {}, body: '{}', timeoutMs: 5_000 };
const ask = (options: { statusOnly?: boolean } = {}) => callEndpoint(server.url, { ...CALL, ...options });

const TEXT = JSON.stringify({ output: { text: 'ü'.repeat(1_000) } });
const COMPRESSED: [string, Uint8Array][] = [
  ['gzip', gzipSync(TEXT)],
  ['x-gzip', gzipSync(TEXT)],
  ['GZIP', gzipSync(TEXT)],
  ['deflate', deflateSync(TEXT)],
  ['deflate', deflateRawSync(TEXT)],
  ['br', brotliCompressSync(TEXT)],
  ['zstd', zstdCompressSync(TEXT)],
  ['identity', Buffer.from(TEXT)],
  ['deflate, gzip', gzipSync(deflateSync(TEXT))],
];

describe('a response', () => {
  it('is requested with the supported encodings', async () => {
    let accepted: string | undefined;
    answer = ({ headers }, response) => {
      accepted = headers['accept-encoding'] as string;
      response.end('{}');
    };

    await ask();

    expect(accepted).toBe('gzip, deflate, br, zstd');
  });

  it.each(COMPRESSED)('is decompressed from %s', async (encoding, body) => {
    answerWith(encoding, body);

    expect(await ask()).toEqual({ kind: 'answered', status: 200, text: TEXT });
    expect(await ask({ statusOnly: true })).toEqual({ kind: 'answered', status: 200, text: TEXT });
  });

  it('has no Content-Encoding when it is forwarded', async () => {
    answerWith('gzip', gzipSync(TEXT));

    const outcome = await fetchEndpoint(server.url, CALL);

    expect(outcome).toMatchObject({ kind: 'answered', bytes: Buffer.from(TEXT) });
    expect(outcome).not.toHaveProperty(['headers', 'content-encoding']);
  });

  it.each([
    ['gzip', gzipSync(Buffer.alloc(4 * 1024 * 1024 + 1))],
    ['deflate', deflateSync(Buffer.alloc(100 * 1024 * 1024))],
    ['br', brotliCompressSync(Buffer.alloc(100 * 1024 * 1024))],
    ['zstd', zstdCompressSync(Buffer.alloc(100 * 1024 * 1024))],
    ['gzip, gzip', gzipSync(gzipSync(Buffer.alloc(100 * 1024 * 1024)))],
  ])('fails if it decompresses from %s to more than 4 MB', async (encoding, body) => {
    answerWith(encoding, body);

    expect(await ask()).toEqual({ kind: 'failed', reason: 'the response is larger than 4 MB' });
  });

  it.each([
    ['compress', Buffer.from(TEXT), 'the response has the content-encoding "compress", not gzip, deflate, br, zstd'],
    [
      'constructor',
      Buffer.from(TEXT),
      'the response has the content-encoding "constructor", not gzip, deflate, br, zstd',
    ],
    ['gzip,gzip,gzip,gzip', Buffer.from(TEXT), expect.stringContaining('content-encoding "gzip,gzip,gzip,gzip"')],
    ['gzip', Buffer.from(TEXT), 'the response is not valid gzip, as its content-encoding declares'],
    ['br', gzipSync(TEXT), 'the response is not valid br, as its content-encoding declares'],
    ['gzip', gzipSync(TEXT).subarray(0, 30), 'the response is not valid gzip, as its content-encoding declares'],
  ])('fails with the reason for %s: %#', async (encoding, body, reason) => {
    answerWith(encoding, body);

    expect(await ask()).toEqual({ kind: 'failed', reason });
  });

  it.each([204, 200])('can be empty despite an encoding: %i', async status => {
    answerWith('gzip', Buffer.alloc(0), status);

    expect(await ask()).toEqual({ kind: 'answered', status, text: '' });
  });

  it('has its status and no text if only the status is read and the body is damaged or expands too far', async () => {
    const damaged: [string, Uint8Array][] = [
      ['gzip', Buffer.from('x')],
      ['compress', Buffer.from('x')],
      ['gzip', gzipSync(Buffer.alloc(10 * 1024 * 1024))],
    ];

    for (const [encoding, body] of damaged) {
      answerWith(encoding, body, 500);
      expect(await ask({ statusOnly: true })).toEqual({ kind: 'answered', status: 500, text: '' });
    }
  });

  it('has the start of a long text if only the status is read', async () => {
    const long = Array.from({ length: 50_000 }, (_, i) => i * 7919).join(' ');
    answerWith('gzip', gzipSync(long), 500);

    const outcome = await ask({ statusOnly: true });

    expect(outcome).toMatchObject({ kind: 'answered', status: 500 });
    expect(long.startsWith((outcome as { text: string }).text.slice(0, 1_000))).toBe(true);
    expect((outcome as { text: string }).text.length).toBeGreaterThan(1_000);
  });
});

describe('an image', () => {
  const PNG = Buffer.from('iVBORw0KGgo=', 'base64');
  const fetchIt = () =>
    fetchImage(server.url, { maxBytes: 1_000, signal: new AbortController().signal, isAllowed: () => true });

  it('is decompressed', async () => {
    answerWith('gzip', gzipSync(PNG));

    expect(await fetchIt()).toEqual({ dataUri: 'data:image/png;base64,iVBORw0KGgo=', bytes: 8 });
  });

  it.each([
    ['gzip', gzipSync(Buffer.alloc(1_001)), 'it is too large'],
    ['gzip', PNG, 'the response is not valid gzip, as its content-encoding declares'],
    ['lzma', PNG, 'the response has the content-encoding "lzma", not gzip, deflate, br, zstd'],
  ])('is not fetched with %s: %#', async (encoding, body, reason) => {
    answerWith(encoding, body);

    expect(await fetchIt()).toEqual({ reason });
  });
});

afterEach(() => {
  answer = (_, response) => void response.end();
});
