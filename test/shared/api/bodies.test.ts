/** Tests how the gateway and the chain process bodies. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { parseJson } from '#shared/core/parseJson.ts';
import { apiBaseUrl, call, install, newUser, newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const LIMIT = 1024 * 1024;

async function events() {
  const installation = await install();
  const { client, key } = await newUser(installation);
  await client.createConversation({ id: 'c' });
  const url = `${installation.chatUrl}/events`;
  return (body: string | Uint8Array, headers: Record<string, string> = {}) =>
    call(url, { method: 'POST', key, body, headers });
}

const bodyOf = (bytes: number) => {
  const start = '{"conversationId":"c","payload":{"x":"';
  return `${start}${'a'.repeat(bytes - start.length - 3)}"}}`;
};

describe('a body', () => {
  it('is accepted at the limit; one byte more returns 413 that names the limit', async () => {
    const post = await events();

    const largest = await post(bodyOf(LIMIT));
    const larger = await post(bodyOf(LIMIT + 1));

    expect(largest.status).toBe(201);
    expect({ status: larger.status, type: larger.body.type, metadata: larger.body.metadata }).toEqual({
      status: 413,
      type: 'PayloadTooLarge',
      metadata: { limitBytes: LIMIT },
    });
  });

  it('is measured in bytes, not characters', async () => {
    const post = await events();

    const { status } = await post(`{"conversationId":"c","payload":{"x":"${'ä'.repeat(LIMIT / 2)}"}}`);

    expect(status).toBe(413);
  });

  it('can be gzipped, and is measured decompressed', async () => {
    const post = await events();
    const gzip = { 'content-encoding': 'gzip' };

    const small = await post(gzipSync(bodyOf(1000)), gzip);
    const largest = await post(gzipSync(bodyOf(LIMIT)), gzip);
    const larger = await post(gzipSync(bodyOf(LIMIT + 1)), gzip);

    expect([small.status, largest.status, larger.status]).toEqual([201, 201, 413]);
  });

  it('is rejected as a zip bomb without decompressing it', async () => {
    const post = await events();

    const { status, body } = await post(gzipSync(Buffer.alloc(500 * 1024 * 1024)), { 'content-encoding': 'gzip' });

    expect({ status, type: body.type }).toEqual({ status: 413, type: 'PayloadTooLarge' });
  });

  it.each([
    ['malformed JSON', '{"conversationId":', {}],
    ['a body that is not JSON', 'hello', {}],
    ['a wrong content type', '{"conversationId":"c","payload":{}}', { 'content-type': 'text/plain' }],
    ['a form', 'conversationId=c', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['an unsupported encoding', '{"conversationId":"c","payload":{}}', { 'content-encoding': 'br' }],
    ['invalid gzip', new Uint8Array([0x1f, 0x8b, 1, 2, 3]), { 'content-encoding': 'gzip' }],
    ['invalid UTF-8', Buffer.from('{"conversationId":"c","payload":{"x":"\xff"}}', 'latin1'), {}],
    ['an array', '[]', {}],
    ['null', 'null', {}],
    ['a string', '"c"', {}],
  ])('returns 400 for %s', async (_, body, headers) => {
    const post = await events();

    const answer = await post(body, headers as Record<string, string>);

    expect({ status: answer.status, type: answer.body.type }).toEqual({ status: 400, type: 'InvalidPayload' });
  });

  it('can nest 100 levels, and returns 400 instead of crashing for 100,000', async () => {
    const post = await events();
    const nested = (levels: number) =>
      `{"conversationId":"c","payload":{"x":${'['.repeat(levels)}${']'.repeat(levels)}}}`;

    expect((await post(nested(100_000))).status).toBe(400);
    expect((await post(nested(100))).status).toBe(201);
  });

  it('does not count brackets inside strings as nesting', async () => {
    const post = await events();

    expect((await post(`{"conversationId":"c","payload":{"x":"\\"${'[{'.repeat(5000)}"}}`)).status).toBe(201);
  });

  it('can have the type application/json with a charset', async () => {
    const post = await events();

    const { status } = await post(bodyOf(100), { 'content-type': 'application/json; charset=utf-8' });

    expect(status).toBe(201);
  });

  it('can have 256 KB for an operation without a declared limit, with and without a token', async () => {
    const accept = (body: Uint8Array) =>
      call(`${apiBaseUrl()}/v1/admin/invitations/accept`, {
        method: 'POST',
        body,
        headers: { 'content-encoding': 'gzip' },
      });
    const arrays = (bytes: number) => `{"inviteToken":[${'[],'.repeat(bytes / 3)}[]]}`;

    const [small, bomb] = [await accept(gzipSync(arrays(200_000))), await accept(gzipSync(arrays(50_000_000)))];

    expect({ status: small.status, type: small.body.type }).toEqual({ status: 400, type: 'InvalidPayload' });
    expect(bomb).toMatchObject({
      status: 413,
      body: { type: 'PayloadTooLarge', metadata: { limitBytes: 256 * 1024 } },
    });
  });

  it('can decompress to 100 times its size, and returns 413 with the fix for a denser body over 1 MB', async () => {
    const workspace = await newWorkspace();
    const create = (code: string) =>
      workspace.call('POST', '/bots', {
        body: gzipSync(JSON.stringify({ name: 'Dense', code })),
        headers: { 'content-encoding': 'gzip' },
      });

    const [small, large] = [await create('x'.repeat(1_000_000)), await create('x'.repeat(2_000_000))];

    expect(small.status).toBe(201);
    expect(large).toMatchObject({ status: 413, body: { type: 'PayloadTooLarge', metadata: { limitRatio: 100 } } });
    expect(large.body.message).toContain('uncompressed');
  });

  it('can have 1,000,000 values, and returns 413 for more before it is parsed', async () => {
    const workspace = await newWorkspace();
    const create = (values: number) =>
      workspace.call('POST', '/bots', { body: `{"configuration":{"data":{"x":[${'"",'.repeat(values - 1)}""]}}}` });

    // Counts the root, three containers below it, and the array's members by their commas and brackets.
    const [most, more] = [await create(999_995), await create(1_000_100)];

    expect(most.status).toBe(201);
    expect(more).toMatchObject({
      status: 413,
      body: { type: 'PayloadTooLarge', metadata: { limitValues: 1_000_000 } },
    });
  });

  it('can have 8,000,000 numbers in arrays, and returns 413 for more', async () => {
    const workspace = await newWorkspace();
    const plugins = (numbers: number) => `{"plugins":{"p":{"code":{"data":[${'7,'.repeat(numbers)}7]}}}}`;

    const deployed = await workspace.call('POST', '/bots', { body: plugins(1_500_000) });

    expect(deployed.body.message ?? '').not.toContain('JSON values');
    await expect(parseJson(plugins(8_000_000))).resolves.toBeDefined();
    await expect(parseJson(plugins(8_000_001))).rejects.toMatchObject({ type: 'PayloadTooLarge' });
  });

  it.each([
    ['{"conversationId":"c","payload":{"x":secret}}', 'line 1, column 38'],
    ['{"conversationId":"c",\n "payload":{"x":"secret"', 'line 2, column 25'],
    ['{"secret" "c"}', 'line 1, column 11'],
    ['[1, [ ], {"a": [true, ]}, "secret"]', 'line 1, column 23'],
    ['{"a": }', 'line 1, column 7'],
    ['secret', 'line 1, column 1'],
    ['"secret\n"', 'line 1, column 8'],
    ['', undefined],
  ])('returns 400 that names the position and quotes nothing if it is not JSON (%j)', async (text, place) => {
    const post = await events();

    const { status, body } = await post(text);

    expect({ status, type: body.type }).toEqual({ status: 400, type: 'InvalidPayload' });
    expect(body.message).not.toContain('secret');
    if (place) expect(body.message).toBe(`The body is not valid JSON: see ${place}.`);
  });
});
