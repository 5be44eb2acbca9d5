import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { fetchContent, fileOf, put, untilStatus, upload } from '#test/support/files.ts';
import { CROWD, eventually, isLeftOut, newBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('PUT /v1/files', () => {
  it('announces a file that is readable once it is uploaded', async () => {
    const bot = await newBot();

    const { file } = await bot.client.upsertFile({
      key: 'docs/read me.txt',
      size: 5,
      tags: { topic: 'cats' },
      metadata: { pages: 3, nested: { deep: [1, null] } },
    });

    expect(file).toMatchObject({
      id: expect.stringMatching(/^file_[0-9A-Za-z]{24}$/),
      botId: bot.id,
      key: 'docs/read me.txt',
      size: null,
      contentType: 'text/plain',
      tags: { topic: 'cats' },
      metadata: { pages: 3, nested: { deep: [1, null] } },
      accessPolicies: [],
      index: false,
      status: 'upload_pending',
      owner: { type: 'bot', id: bot.id },
    });
    expect((await put(file.uploadUrl, 'hello', { 'content-type': 'text/plain' })).status).toBe(200);
    const arrived = await untilStatus(bot.client, file.id, 'upload_completed');
    expect(arrived.size).toBe(5);
    expect(await fetchContent(arrived.url)).toMatchObject({ status: 200, text: 'hello' });
  });

  it('accepts one of several immediately consecutive uploads', async () => {
    const bot = await newBot();
    for (let round = 0; round < 10; round++) {
      const { file } = await bot.client.upsertFile({ key: `${round}.txt`, size: 4, contentType: 'text/plain' });
      const send = (body: string) => put(file.uploadUrl, body, { 'content-type': 'text/plain' });

      const statuses = [await send('aaaa'), await send('bbbb')].map(({ status }) => status);

      expect(statuses).toEqual([200, 200]);
      const { url } = await untilStatus(bot.client, file.id, 'upload_completed');
      expect(['aaaa', 'bbbb']).toContain((await fetchContent(url)).text);
    }
  });

  it.skipIf(isLeftOut('copies'))('serves no headers that the uploader set', async () => {
    const bot = await newBot();
    const { file } = await bot.client.upsertFile({ key: 'a.txt', size: 5, contentType: 'text/plain' });
    const own = {
      'content-encoding': 'gzip',
      'cache-control': 'public, max-age=31536000',
      'content-language': 'x-klingon',
      expires: 'Tue, 01 Jan 2036 00:00:00 GMT',
    };
    await put(file.uploadUrl, 'hello', { 'content-type': 'text/plain', ...own });
    const { url } = await untilStatus(bot.client, file.id, 'upload_completed');

    const response = await fetch(url);

    expect(await response.text()).toBe('hello');
    for (const name of Object.keys(own)) expect(response.headers.get(name), name).toBeNull();
  });

  it.each([
    ['one byte', 1],
    ['5 MB', 5 * 1024 * 1024],
  ])("accepts %s through the official client's uploadFile", async (_, size) => {
    const bot = await newBot();
    const content = randomBytes(size);

    const file = await upload(bot.client, { key: 'a.bin', content });

    expect(file).toMatchObject({ size, contentType: 'application/octet-stream' });
    const response = await fetch(file.url);
    expect(Buffer.compare(Buffer.from(await response.arrayBuffer()), content)).toBe(0);
  });

  it('accepts an empty file', async () => {
    const bot = await newBot();
    const { file } = await bot.client.upsertFile({ key: 'empty.txt', size: 0 });

    expect((await put(file.uploadUrl, '', { 'content-type': 'text/plain' })).status).toBe(200);

    expect((await untilStatus(bot.client, file.id, 'upload_completed')).size).toBe(0);
  });

  it('keeps the previous content until the new content has arrived, and keeps omitted fields', async () => {
    const bot = await newBot();
    const before = await upload(bot.client, {
      key: 'a.txt',
      content: 'old',
      tags: { a: '1' },
      metadata: { m: 1 },
    });

    const { file } = await bot.client.upsertFile({ key: 'a.txt', size: 3, contentType: 'text/x-new' });

    expect(file).toMatchObject({ id: before.id, tags: { a: '1' }, metadata: { m: 1 }, status: 'upload_pending' });
    const pending = await fileOf(bot.client, 'a.txt');
    expect(pending).toMatchObject({ size: 3, contentType: 'text/plain' });
    expect((await fetchContent(pending.url)).text).toBe('old');
    await put(file.uploadUrl, 'new', { 'content-type': 'text/x-new' });
    const after = await untilStatus(bot.client, file.id, 'upload_completed');
    expect(after.contentType).toBe('text/x-new');
    expect((await fetchContent(after.url)).text).toBe('new');
    // The replaced object is deleted, so its URL no longer works.
    await eventually(async () => expect((await fetchContent(before.url)).status).toBe(404));
  });

  it('rejects an upload with a different size or type than announced', async () => {
    const bot = await newBot();
    const { file } = await bot.client.upsertFile({ key: 'a.txt', size: 5 });

    const longer = await put(file.uploadUrl, 'hello!', { 'content-type': 'text/plain' });
    const other = await put(file.uploadUrl, 'hello', { 'content-type': 'text/html' });

    expect([longer.status, other.status]).toEqual([403, 403]);
    expect((await fileOf(bot.client, file.id)).status).toBe('upload_pending');
  });

  it('gives the upload an hour to start', async () => {
    const bot = await newBot();
    const { file } = await bot.client.upsertFile({ key: 'a.txt', size: 5 });

    expect(new URL(file.uploadUrl).searchParams.get('X-Amz-Expires')).toBe('3600');
  });

  it('creates one file for a hundred concurrent callers with the same key', async () => {
    const bot = await newBot();

    const files = await Promise.all(
      Array.from({ length: CROWD }, (_, i) =>
        bot.client.upsertFile({ key: 'one.txt', size: 5, tags: { n: `${i}` } }).catch(error => {
          // Retries after too many conflicts or a timeout.
          expect(['RateLimited', 'OperationTimeout']).toContain(error.type);
        }),
      ),
    );

    expect(new Set(files.flatMap(each => (each ? [each.file.id] : []))).size).toBe(1);
    expect((await bot.client.listFiles({})).files).toHaveLength(1);
  });

  it('separates the files of an integration and of the bot, even with the same key', async () => {
    const bot = await newBot();

    const [own, its] = await Promise.all([
      bot.client.upsertFile({ key: 'a.txt', size: 1 }),
      bot.integration.upsertFile({ key: 'a.txt', size: 1 }),
    ]);

    expect(own.file.id).not.toBe(its.file.id);
    expect(its.file.owner).toEqual({
      type: 'integration',
      id: bot.integrationId,
      name: expect.any(String),
      alias: 'chat',
    });
  });

  it('rounds the expiry down to the minute', async () => {
    const bot = await newBot();
    const expiresAt = new Date(clock.now() + 3_600_000);

    const { file } = await bot.client.upsertFile({ key: 'a.txt', size: 1, expiresAt: expiresAt.toISOString() });

    expiresAt.setUTCSeconds(0, 0);
    expect(file.expiresAt).toBe(expiresAt.toISOString());
  });

  it('requires x-amz-tagging for an immediately public upload, and rejects it otherwise', async () => {
    const bot = await newBot();

    const { file } = await bot.client.uploadFile({
      key: 'logo.png',
      content: 'png',
      accessPolicies: ['public_content'],
      publicContentImmediatelyAccessible: true,
    });

    expect(await fetchContent(file.url)).toMatchObject({ status: 200, text: 'png' });
    const { file: again } = await bot.client.upsertFile({
      key: 'logo.png',
      size: 3,
      publicContentImmediatelyAccessible: true,
    });
    expect((await put(again.uploadUrl, 'PNG', { 'content-type': 'image/png' })).status).toBe(403);
  });

  it('indexes a file linked to a knowledge base, and rejects a link with index false', async () => {
    const bot = await newBot();
    const { knowledgeBase } = await bot.client.createKnowledgeBase({ name: 'Manuals' });
    const key = 'a.txt';

    const linked = await bot.client.upsertFile({ key, size: 1, tags: { kbId: knowledgeBase.id } });
    const refused = await bot.callFiles('PUT', '', {
      body: { key, size: 1, index: false, tags: { kbId: knowledgeBase.id } },
    });
    const unknown = await bot.callFiles('PUT', '', {
      body: { key, size: 1, tags: { kbId: `kb_${'0'.repeat(25)}` } },
    });

    expect(linked.file.index).toBe(true);
    expect(refused).toMatchObject({ status: 400, body: { metadata: { issues: [{ path: 'index' }] } } });
    expect(unknown).toMatchObject({ status: 400, body: { type: 'ReferenceNotFound' } });
  });

  it.each([
    ['with path traversal', '../../etc/passwd'],
    ['of emoji', '📁/🐈.txt'],
    ['of 1,024 bytes', `${'ä'.repeat(510)}.txt`],
    ['with percent signs, plus signs and question marks', 'a%2Fb+c?d#e&f=g.txt'],
    ['with spaces around', ' a '],
    ['from right to left', 'שלום/عالم.pdf'],
  ])('accepts a key %s, and finds the file by it', async (_, key) => {
    const bot = await newBot();
    const file = await upload(bot.client, { key, content: key });

    expect(await fileOf(bot.client, key)).toMatchObject({ id: file.id, key });
    expect((await fetchContent(file.url)).text).toBe(key);
    expect((await bot.client.listFiles({ sortField: 'key' })).files.map(each => each.key)).toEqual([key]);
    await bot.client.deleteFile({ id: key });
    expect((await bot.client.listFiles({})).files).toEqual([]);
  });

  it.each([
    ['no key', { size: 1 }, 'key'],
    ['an empty key', { key: '', size: 1 }, 'key'],
    ['a key of 1,025 bytes', { key: 'ä'.repeat(512).concat('x'), size: 1 }, 'key'],
    ['a NUL in the key', { key: 'a\u0000b', size: 1 }, 'key'],
    ['a line break in the key', { key: 'a\nb', size: 1 }, 'key'],
    ['a lone surrogate in the key', { key: 'a\ud800', size: 1 }, 'key'],
    ['a key like an id', { key: `file_${'a'.repeat(24)}`, size: 1 }, 'key'],
    ['a key that equals a path segment of the API', { key: 'search', size: 1 }, 'key'],
    ['dots alone as a key', { key: '..', size: 1 }, 'key'],
    ['no size', { key: 'a' }, 'size'],
    ['a negative size', { key: 'a', size: -1 }, 'size'],
    ['half a byte', { key: 'a', size: 1.5 }, 'size'],
    ['an invalid content type', { key: 'a', size: 1, contentType: 'text\r\nx: y' }, 'contentType'],
    ['an unknown policy', { key: 'a', size: 1, accessPolicies: ['everyone'] }, 'accessPolicies.0'],
    ['a tag of 1,001 characters', { key: 'a', size: 1, tags: { t: 'x'.repeat(1_001) } }, 'tags.t'],
    ['a tag name with a dot', { key: 'a', size: 1, tags: { 'a.b': 'x' } }, 'tags.a.b'],
    ['an expiry that is past', { key: 'a', size: 1, expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
    ['an expiry in 91 days', { key: 'a', size: 1, expiresAt: inDays(91) }, 'expiresAt'],
    ['an expiry that is not a date', { key: 'a', size: 1, expiresAt: 'tomorrow' }, 'expiresAt'],
    ['metadata over the limit', { key: 'a', size: 1, metadata: { m: 'x'.repeat(100_001) } }, 'metadata'],
    [
      'a chunk that is too long',
      { key: 'a', size: 1, indexing: { configuration: { chunking: { maximumChunkLength: 5_001 } } } },
      'indexing.configuration.chunking.maximumChunkLength',
    ],
    [
      'a paragraph length below the minimum',
      { key: 'a', size: 1, indexing: { configuration: { parsing: { minimumParagraphLength: 49 } } } },
      'indexing.configuration.parsing.minimumParagraphLength',
    ],
    [
      'too many context levels',
      { key: 'a', size: 1, indexing: { configuration: { chunking: { embeddedContextLevels: 4 } } } },
      'indexing.configuration.chunking.embeddedContextLevels',
    ],
  ])('returns 400 that names the invalid field: %s', async (_, body, path) => {
    const bot = await newBot();

    const answer = await bot.callFiles('PUT', '', { body });

    expect(answer).toMatchObject({ status: 400, body: { type: 'InvalidPayload' } });
    expect(answer.body.metadata.issues.map((issue: { path: string }) => issue.path)).toContain(path);
    expect((await bot.client.listFiles({})).files).toEqual([]);
  });

  it('returns 413 that names the limit for more than 1 GB, and accepts 1 GB', async () => {
    const bot = await newBot();

    const answer = await bot.callFiles('PUT', '', { body: { key: 'a', size: 1024 ** 3 + 1 } });
    const { file } = await bot.client.upsertFile({ key: randomUUID(), size: 1024 ** 3 });

    expect(answer).toMatchObject({
      status: 413,
      body: { type: 'PayloadTooLarge', metadata: { limitBytes: 1024 ** 3 } },
    });
    expect(file.status).toBe('upload_pending');
  });
});

function inDays(days: number): string {
  return new Date(clock.now() + days * 24 * 3600 * 1000).toISOString();
}
