import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bedrock } from '#shared/ai/embedders/bedrock.ts';
import { ThrottledError } from '#shared/ai/throttledError.ts';
import { ANY_CREDENTIALS, awsError, type Stub, type StubRequest, startStub } from './stubServer.ts';

const TITAN = 'amazon.titan-embed-text-v2:0';
const COHERE = 'eu.cohere.embed-multilingual-v3';
let service: Stub;

/** Returns a vector that depends on the text's length, and is not normalized. */
const vectorOf = (text: string, dimensions: number) =>
  Array.from({ length: dimensions }, (_, i) => (i === text.length % dimensions ? 3 : 0));

function answer({ path, body }: StubRequest) {
  const model = decodeURIComponent(path.split('/')[2]!);
  const answered = model.includes('titan')
    ? { embedding: vectorOf(body.inputText, body.dimensions), inputTextTokenCount: 1 }
    : { embeddings: body.texts.map((text: string) => vectorOf(text, 1024)), response_type: 'embeddings_floats' };
  return { status: 200, body: answered };
}

beforeAll(async () => {
  service = await startStub(answer, 'http2');
  Object.assign(process.env, ANY_CREDENTIALS, { AWS_ENDPOINT_URL_BEDROCK_RUNTIME: service.endpoint });
});
afterAll(() => service.stop());
beforeEach(() => {
  service.requests.length = 0;
  service.failures.length = 0;
});

const texts = (count: number) => Array.from({ length: count }, (_, i) => 'x'.repeat(i + 1));

describe('Bedrock with Titan', () => {
  it('sends one request per text and returns vectors of length 1 in order', async () => {
    const embedder = bedrock({ modelId: TITAN, dimensions: 256 });

    const vectors = await embedder.embed(texts(20), 'passage', 'bot');

    expect(embedder.dimensions).toBe(256);
    expect(vectors.map(vector => vector!.indexOf(1))).toEqual(Array.from({ length: 20 }, (_, i) => i + 1));
    expect(service.requests).toHaveLength(20);
    expect(service.requests.find(({ body }) => body.inputText === 'x')).toMatchObject({
      path: `/model/${encodeURIComponent(TITAN)}/invoke`,
      body: { inputText: 'x', dimensions: 256, normalize: true },
    });
  });

  it('truncates long texts between characters, and sends no empty ones', async () => {
    await bedrock({ modelId: TITAN }).embed([`${'x'.repeat(5_999)}🎉 and more`, ' \n'], 'passage', 'bot');

    const [long, empty] = service.requests.map(({ body }) => body.inputText).sort((a, b) => b.length - a.length);
    expect(long).toBe('x'.repeat(5_999));
    expect(empty).toBe('-');
  });

  it('retries when throttled', async () => {
    service.failures.push(awsError(429, 'ThrottlingException'), awsError(429, 'ThrottlingException'));

    expect(await bedrock({ modelId: TITAN }).embed(['x'], 'query', 'bot')).toHaveLength(1);
    expect(service.requests).toHaveLength(3);
  });

  it.each([
    ['ThrottlingException', 429, 2],
    ['ModelNotReadyException', 429, 2],
    ['ServiceUnavailableException', 503, 2],
    ['ModelTimeoutException', 408, 1],
  ])('throws ThrottledError when %s persists', async (type, status, sent) => {
    for (let i = 0; i < sent; i++) service.failures.push(awsError(status, type));

    await expect(bedrock({ modelId: TITAN, attempts: 2 }).embed(['x'], 'query', 'bot')).rejects.toThrow(ThrottledError);

    expect(service.requests).toHaveLength(sent);
  });

  it('throws other errors without further requests', async () => {
    service.failures.push(...Array.from({ length: 8 }, () => awsError(403, 'AccessDeniedException', 'no access')));

    const failing = bedrock({ modelId: TITAN }).embed(texts(50), 'passage', 'bot');

    await expect(failing).rejects.toThrow('no access');
    await expect(failing).rejects.not.toThrow(ThrottledError);
    await expect.poll(() => service.failures).toEqual([]);
    expect(service.requests).toHaveLength(8);
  });

  it('rejects an unexpected response', async () => {
    service.failures.push({ status: 200, body: { vector: [1] } });
    await expect(bedrock({ modelId: TITAN }).embed(['x'], 'query', 'bot')).rejects.toThrow();

    service.failures.push({ status: 200, body: { embedding: [1, 0] } });
    await expect(bedrock({ modelId: TITAN }).embed(['x'], 'query', 'bot')).rejects.toThrow('1024 dimensions');
  });
});

describe('Bedrock with Cohere', () => {
  it('sends 96 texts per request, and distinguishes queries from passages', async () => {
    const embedder = bedrock({ modelId: COHERE });

    const vectors = await embedder.embed(texts(200), 'passage', 'bot');
    await embedder.embed(['what?'], 'query', 'bot');

    expect(vectors.map(vector => vector!.indexOf(1))).toEqual(Array.from({ length: 200 }, (_, i) => i + 1));
    expect(service.requests.map(({ body }) => body.texts.length).sort((a, b) => a - b)).toEqual([1, 8, 96, 96]);
    expect(service.requests.at(-1)!.body).toEqual({ texts: ['what?'], input_type: 'search_query', truncate: 'END' });
    expect(service.requests[0]!.body.input_type).toBe('search_document');
  });

  it('rejects a response with too few vectors', async () => {
    service.failures.push({ status: 200, body: { embeddings: [vectorOf('x', 1024)] } });

    await expect(bedrock({ modelId: COHERE }).embed(['x', 'y'], 'passage', 'bot')).rejects.toThrow(
      'did not return one vector of 1024 dimensions per text',
    );
  });
});

describe('a Bedrock model', () => {
  it('has a short, unique id per number of dimensions', () => {
    const ids = [
      bedrock({ modelId: TITAN }).id,
      bedrock({ modelId: TITAN, dimensions: 512 }).id,
      bedrock({ modelId: COHERE }).id,
    ];

    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^[a-z0-9][a-z0-9-]{0,18}[a-z0-9]$/);
  });

  it('is rejected unless its dimensions are supported', () => {
    expect(() => bedrock({ modelId: 'amazon.titan-text-lite-v1' })).toThrow('not a supported embedding model');
    expect(() => bedrock({ modelId: TITAN, dimensions: 300 })).toThrow(
      'supports vectors of 1024, 512, 256 dimensions, not 300',
    );
  });
});
