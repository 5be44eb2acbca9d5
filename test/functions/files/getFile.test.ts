import { describe, expect, it } from 'vitest';
import { fetchContent, fileOf, upload } from '#test/support/files.ts';
import { apiBaseUrl, isLeftOut, newBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('GET /v1/files/{id}', () => {
  it('returns a file by id and by key, with a URL that supports ranges', async () => {
    const bot = await newBot();
    const { id } = await upload(bot.client, { key: 'dir/a b.txt', content: 'hello world' });

    const [byId, byKey] = await Promise.all([fileOf(bot.client, id), fileOf(bot.client, 'dir/a b.txt')]);

    expect({ ...byKey, url: '' }).toEqual({ ...byId, url: '' });
    const part = await fetch(byId.url, { headers: { range: 'bytes=6-' } });
    expect({ status: part.status, text: await part.text() }).toEqual({ status: 206, text: 'world' });
  });

  it.skipIf(isLeftOut('content'))(
    'serves content from a different origin than the API, without content sniffing',
    async () => {
      const bot = await newBot();
      const { url } = await upload(bot.client, { key: 'a.txt', content: 'x' });

      const { headers } = await fetchContent(url);

      expect(new URL(url).origin).not.toBe(new URL(apiBaseUrl()).origin);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(new URL(url).searchParams.get('X-Amz-Expires')).toBe('3600');
    },
  );

  it.each([
    ['HTML', 'a.html', 'text/html', 'attachment'],
    ['SVG', 'a.svg', 'image/svg+xml', 'attachment'],
    ['XML', 'a.xml', 'application/xml', 'attachment'],
    ['a script', 'a.js', 'text/javascript', 'attachment'],
    ['an unknown type', 'a.bin', 'application/octet-stream', 'attachment'],
    ['a PNG', 'a.png', 'image/png', 'inline'],
    ['a PDF', 'a.pdf', 'application/pdf', 'attachment'],
    ['text', 'a.txt', 'text/plain', 'inline'],
  ])('serves %s inline only if it cannot run scripts', async (_, key, contentType, disposition) => {
    const bot = await newBot();
    const { url } = await upload(bot.client, { key, content: '<script>alert(1)</script>' });

    const { headers } = await fetchContent(url);

    expect(headers.get('content-type')).toBe(contentType);
    expect(headers.get('content-disposition')).toBe(`${disposition}; filename=${key}`);
  });

  it.each([
    ['image/x+xml', 'attachment'],
    ['text/plain+xml', 'attachment'],
    ['application/json+xml', 'attachment'],
    ['image/pngx', 'attachment'],
    ['text/plain; charset=utf-8', 'inline'],
    ['IMAGE/PNG', 'inline'],
  ])('serves the type %s as %s, in a sandbox and without sniffing', async (contentType, disposition) => {
    const bot = await newBot();
    const { file } = await bot.client.uploadFile({ key: 'a', content: '<script>alert(1)</script>', contentType });

    const { headers } = await fetchContent((await fileOf(bot.client, file.id)).url);

    expect(headers.get('content-disposition')).toBe(`${disposition}; filename=a`);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    if (!isLeftOut('content')) expect(headers.get('content-security-policy')).toMatch(/^sandbox/);
  });

  it('escapes the key in the Content-Disposition header', async () => {
    const bot = await newBot();
    const { url } = await upload(bot.client, { key: 'a"; x=y/"\\évil"; filename="b.html', content: 'x' });

    const { status, headers } = await fetchContent(url);

    expect(status).toBe(200);
    expect(headers.get('content-disposition')).toMatch(
      /^attachment; filename="[^"\\]*(?:\\.[^"\\]*)*"; filename\*=UTF-8''/,
    );
  });

  it('returns 404 for an unknown file', async () => {
    const bot = await newBot();

    const answers = await Promise.all([
      bot.callFiles('GET', '/nothing.txt'),
      bot.callFiles('GET', `/file_${'0'.repeat(24)}`),
    ]);

    expect(answers.map(({ status, body }) => [status, body.type])).toEqual([
      [404, 'ResourceNotFound'],
      [404, 'ResourceNotFound'],
    ]);
  });

  it("returns 404 for another bot's file, by id and by key", async () => {
    const [bot, other] = await Promise.all([newBot(), newBot()]);
    const { id } = await upload(bot.client, { key: 'a.txt', content: 'x' });

    const answers = await Promise.all([other.callFiles('GET', `/${id}`), other.callFiles('GET', '/a.txt')]);

    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
  });
});
