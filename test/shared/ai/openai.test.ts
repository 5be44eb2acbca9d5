import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openai } from '#shared/ai/embedders/openai.ts';
import { ThrottledError } from '#shared/ai/throttledError.ts';
import { clock } from '#shared/core/clock.ts';
import { type Stub, type StubRequest, startStub } from './stubServer.ts';

let service: Stub;

/** Responds in another order than requested, which the protocol permits. */
function answer({ body }: StubRequest) {
  const dimensions = body.dimensions ?? 8;
  const data = body.input.map((text: string, index: number) => ({
    object: 'embedding',
    index,
    embedding: Array.from({ length: dimensions }, (_, i) => (i === text.length % dimensions ? 2 : 0)),
  }));
  return { status: 200, body: { object: 'list', model: body.model, data: data.reverse() } };
}

beforeAll(async () => {
  service = await startStub(answer);
});
afterAll(() => service.stop());
beforeEach(() => {
  service.requests.length = 0;
  service.failures.length = 0;
});

const open = (options: Partial<Parameters<typeof openai>[0]> = {}) =>
  openai({ baseUrl: `${service.endpoint}/v1`, model: 'bge-m3', firstPauseMs: 1, ...options });
const busy = (status: number, headers = {}) => ({ status, headers, body: { error: { message: 'busy' } } });

describe('an OpenAI-compatible endpoint', () => {
  it('determines the dimensions with a first call', async () => {
    const embedder = await open();

    expect(embedder).toMatchObject({ id: 'bge-m3-8', dimensions: 8 });
    expect(service.requests).toHaveLength(1);
    expect(service.requests[0]).toMatchObject({ path: '/v1/embeddings', body: { model: 'bge-m3', input: ['-'] } });
    expect(service.requests[0]!.headers.authorization).toBeUndefined();
  });

  it('requests the configured dimensions with the API key, without a first call', async () => {
    const embedder = await open({ dimensions: 4, apiKey: 'sk-1' });
    expect(service.requests).toHaveLength(0);

    const [vector] = await embedder.embed(['abc'], 'query', 'bot');

    expect(vector).toEqual(Float32Array.from([0, 0, 0, 1]));
    expect(service.requests[0]!.body.dimensions).toBe(4);
    expect(service.requests[0]!.headers.authorization).toBe('Bearer sk-1');
  });

  it('sends texts in batches and returns vectors of length 1 in order', async () => {
    const embedder = await open({ dimensions: 500 });

    const vectors = await embedder.embed(
      Array.from({ length: 200 }, (_, i) => 'x'.repeat(i + 1)),
      'passage',
      'bot',
    );

    expect(vectors.map(vector => vector!.indexOf(1))).toEqual(Array.from({ length: 200 }, (_, i) => i + 1));
    expect(service.requests.map(({ body }) => body.input.length).sort()).toEqual([64, 64, 64, 8]);
    expect(await embedder.embed([], 'passage', 'bot')).toEqual([]);
  });

  it('retries when the endpoint is busy, fails or times out', async () => {
    const embedder = await open({ dimensions: 4, timeoutMs: 300 });
    service.failures.push(busy(429), busy(500), 'hang', busy(503));

    expect(await embedder.embed(['x'], 'query', 'bot')).toHaveLength(1);
    expect(service.requests).toHaveLength(5);
  });

  it('respects Retry-After', async () => {
    const embedder = await open({ dimensions: 4 });
    service.failures.push(busy(429, { 'retry-after': '1' }));
    const startMs = performance.now();

    await embedder.embed(['x'], 'query', 'bot');

    expect(performance.now() - startMs).toBeGreaterThan(900);
  });

  it.each([
    ['seconds', () => '3600'],
    ['a date', () => new Date(clock.now() + 3_600_000).toUTCString()],
  ])('throws ThrottledError immediately for a long Retry-After in %s', async (_, retryAfter) => {
    const embedder = await open({ dimensions: 4 });
    service.failures.push(busy(429, { 'retry-after': retryAfter() }));

    await expect(embedder.embed(['x'], 'query', 'bot')).rejects.toThrow(ThrottledError);
    expect(service.requests).toHaveLength(1);
  });

  it('throws ThrottledError when retries are exhausted', async () => {
    const embedder = await open({ dimensions: 4, attempts: 3 });
    service.failures.push(busy(503), busy(503), busy(503));

    await expect(embedder.embed(['x'], 'query', 'bot')).rejects.toThrow(ThrottledError);
    expect(service.requests).toHaveLength(3);
  });

  it('throws ThrottledError with the reason when the endpoint is unreachable', async () => {
    const unreachable = open({ baseUrl: 'http://127.0.0.1:9/v1', attempts: 2 });

    await expect(unreachable).rejects.toThrow(ThrottledError);
    await expect(unreachable).rejects.toThrow(/127\.0\.0\.1:9.*fetch failed: ./);
  });

  it('throws the reason of a rejection immediately, without the API key', async () => {
    const embedder = await open({ dimensions: 4, apiKey: 'sk-secret' });
    service.failures.push({ status: 401, body: { error: { message: 'wrong key' } } });

    const failing = embedder.embed(['x'], 'query', 'bot');

    await expect(failing).rejects.toThrow(/401.*wrong key/);
    await expect(failing).rejects.not.toThrow('sk-secret');
    expect(service.requests).toHaveLength(1);
  });

  it.each([
    ['no JSON', '<html>', 'did not return embeddings'],
    ['JSON of another form', { embedding: [1] }, 'did not return embeddings'],
    ['too few vectors', { data: [] }, '0 embeddings for 1 texts'],
    ['other dimensions', { data: [{ index: 0, embedding: [1, 2] }] }, '2 dimensions instead of 4'],
    ['a vector of zeros', { data: [{ index: 0, embedding: [0, 0, 0, 0] }] }, 'has only zeros'],
  ])('rejects %s', async (_, body, message) => {
    const embedder = await open({ dimensions: 4 });
    service.failures.push({ status: 200, body });

    await expect(embedder.embed(['x'], 'query', 'bot')).rejects.toThrow(message);
  });
});
