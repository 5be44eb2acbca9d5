/** Tests complete and streamed conversations with a language model of Bedrock, against a stub. */
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Piece, TextRequest } from '#shared/ai/languageModel.ts';
import { bedrock } from '#shared/ai/languageModels/bedrock.ts';
import { RequestRejectedError } from '#shared/ai/postJson.ts';
import { ThrottledError } from '#shared/ai/throttledError.ts';
import { ANY_CREDENTIALS, awsError, type Stub, startStub } from './stubServer.ts';

const MODEL = 'eu.anthropic.claude-sonnet-4-20250514-v1:0';
const USAGE = { inputTokens: 10, outputTokens: 20, totalTokens: 30 };

/** Encodes a message of AWS's event streams: lengths, headers and payload, each part with its checksum. */
function eventMessage(type: string, payload: object): Buffer {
  const header = (name: string, value: string) => {
    const bytes = Buffer.from(value);
    const length = Buffer.alloc(2);
    length.writeUInt16BE(bytes.length);
    return Buffer.concat([Buffer.from([name.length]), Buffer.from(name), Buffer.from([7]), length, bytes]);
  };
  const headers = Buffer.concat([
    header(':message-type', 'event'),
    header(':event-type', type),
    header(':content-type', 'application/json'),
  ]);
  const body = Buffer.from(JSON.stringify(payload));
  const uint32 = (value: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return bytes;
  };
  const lengths = Buffer.concat([uint32(16 + headers.length + body.length), uint32(headers.length)]);
  const start = Buffer.concat([lengths, uint32(crc32(lengths)), headers, body]);
  return Buffer.concat([start, uint32(crc32(start))]);
}

const EVENTS: [string, object][] = [
  ['messageStart', { role: 'assistant' }],
  ['contentBlockDelta', { contentBlockIndex: 0, delta: { reasoningContent: { text: 'Hm.' } } }],
  ['contentBlockDelta', { contentBlockIndex: 1, delta: { text: 'One ' } }],
  ['contentBlockDelta', { contentBlockIndex: 1, delta: { text: 'two.' } }],
  ['contentBlockStart', { contentBlockIndex: 2, start: { toolUse: { toolUseId: 'c-1', name: 'run' } } }],
  ['contentBlockDelta', { contentBlockIndex: 2, delta: { toolUse: { input: '{"code"' } } }],
  ['contentBlockDelta', { contentBlockIndex: 2, delta: { toolUse: { input: ':"1"}' } } }],
  ['messageStop', { stopReason: 'tool_use' }],
  ['metadata', { usage: USAGE }],
];

const ANSWER = {
  output: {
    message: {
      role: 'assistant',
      content: [
        { reasoningContent: { reasoningText: { text: 'Hm.' } } },
        { text: 'One ' },
        { text: 'two.' },
        { toolUse: { toolUseId: 'c-1', name: 'run', input: { code: '1' } } },
      ],
    },
  },
  stopReason: 'tool_use',
  usage: USAGE,
};

const REQUEST: TextRequest = { turns: [{ role: 'user', parts: [{ type: 'text', text: 'What?' }] }], tools: [] };
const signal = new AbortController().signal;

let service: Stub;
beforeAll(async () => {
  service = await startStub(
    ({ path }) =>
      path.endsWith('/converse-stream')
        ? {
            status: 200,
            headers: { 'content-type': 'application/vnd.amazon.eventstream' },
            body: Buffer.concat(EVENTS.map(([type, payload]) => eventMessage(type, payload))),
          }
        : { status: 200, body: ANSWER },
    'http2',
  );
  Object.assign(process.env, ANY_CREDENTIALS, { AWS_ENDPOINT_URL_BEDROCK_RUNTIME: service.endpoint });
});
afterAll(() => service.stop());
beforeEach(() => {
  service.requests.length = 0;
  service.failures.length = 0;
});

const ENDING = {
  toolCalls: [{ id: 'c-1', name: 'run', input: { code: '1' } }],
  brokenCalls: [],
  stopReason: 'tool_calls',
  usage: { inputTokens: 10, outputTokens: 20 },
};

describe('a Bedrock conversation', () => {
  it('returns text, reasoning, tool calls and usage', async () => {
    expect(await bedrock({ modelId: MODEL }).generate(REQUEST, signal)).toEqual({
      text: 'One two.',
      reasoning: 'Hm.',
      ...ENDING,
    });
  });

  it('streams the same result', async () => {
    const pieces: Piece[] = [];
    for await (const piece of await bedrock({ modelId: MODEL }).stream(REQUEST, signal)) pieces.push(piece);

    expect(pieces).toEqual([{ reasoning: 'Hm.' }, { text: 'One ' }, { text: 'two.' }, { ending: ENDING }]);
    expect(service.requests[0]!.path).toBe(`/model/${encodeURIComponent(MODEL)}/converse-stream`);
  });

  it('merges consecutive messages of the same role, and separates instructions', async () => {
    await bedrock({ modelId: MODEL }).generate(
      {
        turns: [
          { role: 'system', parts: [{ type: 'text', text: 'Be short.' }] },
          { role: 'user', parts: [{ type: 'image', url: 'data:image/png;base64,AAEC' }] },
          { role: 'user', parts: [{ type: 'text', text: 'What is it?' }] },
          { role: 'assistant', parts: [], toolCalls: [{ id: 'c-1', name: 'look', input: { at: 1 } }] },
          { role: 'tool', callId: 'c-1', text: 'A cat' },
          { role: 'user', parts: [{ type: 'text', text: ' ' }] },
        ],
        tools: [{ name: 'look', description: 'Looks.', parameters: { type: 'object' } }],
        toolChoice: { mode: 'required' },
        temperature: 0.5,
        maxTokens: 100,
        stop: ['END'],
      },
      signal,
    );

    expect(service.requests[0]!.body).toEqual({
      system: [{ text: 'Be short.' }],
      messages: [
        { role: 'user', content: [{ image: { format: 'png', source: { bytes: 'AAEC' } } }, { text: 'What is it?' }] },
        { role: 'assistant', content: [{ toolUse: { toolUseId: 'c-1', name: 'look', input: { at: 1 } } }] },
        { role: 'user', content: [{ toolResult: { toolUseId: 'c-1', content: [{ text: 'A cat' }] } }] },
      ],
      inferenceConfig: { maxTokens: 100, temperature: 0.5, stopSequences: ['END'] },
      toolConfig: {
        tools: [{ toolSpec: { name: 'look', description: 'Looks.', inputSchema: { json: { type: 'object' } } } }],
        toolChoice: { any: {} },
      },
    });
  });

  it('rejects an image that it would have to fetch', async () => {
    const turns: TextRequest['turns'] = [{ role: 'user', parts: [{ type: 'image', url: 'https://a.example/b.png' }] }];

    await expect(bedrock({ modelId: MODEL }).generate({ ...REQUEST, turns }, signal)).rejects.toThrow('data URIs');
  });

  it('throws actionable errors before the first piece', async () => {
    service.failures.push(awsError(400, 'ValidationException', 'too long'));
    const rejected = await bedrock({ modelId: MODEL })
      .stream(REQUEST, signal)
      .catch(error => error);
    service.failures.push(awsError(429, 'ThrottlingException'));
    const throttled = bedrock({ modelId: MODEL, attempts: 1 }).stream(REQUEST, signal);

    expect(rejected).toBeInstanceOf(RequestRejectedError);
    expect(rejected.status).toBe(400);
    await expect(throttled).rejects.toThrow(ThrottledError);
  });

  it('throws the abort reason after a timeout', async () => {
    service.failures.push('hang');

    const generating = bedrock({ modelId: MODEL }).generate(REQUEST, AbortSignal.timeout(200));

    await expect(generating).rejects.toMatchObject({ name: 'TimeoutError' });
  });
});
