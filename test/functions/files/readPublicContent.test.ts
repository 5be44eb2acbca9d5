import { describe, expect, it } from 'vitest';
import { atPlatform, fetchContent, upload } from '#test/support/files.ts';
import { apiBaseUrl, call, eventually, newBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const publicFile = async (key = 'secret dir/name.txt', content = 'hello world') => {
  const bot = await newBot();
  const file = await upload(bot.client, {
    key,
    content,
    accessPolicies: ['public_content'],
    tags: { secret: 'tag' },
    metadata: { secret: 'metadata' },
  });
  return { bot, file };
};

describe('GET /v1/content/{token}', () => {
  it('redirects anyone with the URL to the content, which supports ranges', async () => {
    const { file } = await publicFile();

    const whole = await fetchContent(file.url);
    const part = await fetchContent(file.url, { range: 'bytes=0-4' });

    expect(whole).toMatchObject({ status: 200, text: 'hello world' });
    expect(part).toMatchObject({ status: 206, text: 'hello' });
    expect(part.headers.get('content-range')).toBe('bytes 0-4/11');
  });

  it('keeps one URL for the lifetime of a file, and issues a new one when its key is reused', async () => {
    const { bot, file } = await publicFile();

    const again = await upload(bot.client, { key: file.key, content: 'new' });
    const text = (await fetchContent(file.url)).text;
    await bot.client.deleteFile({ id: file.id });
    const after = await upload(bot.client, { key: file.key, content: 'newer', accessPolicies: ['public_content'] });

    expect(again.url).toBe(file.url);
    expect(text).toBe('new');
    expect(after.url).not.toBe(file.url);
    expect((await fetchContent(file.url)).status).toBe(404);
  });

  it('reveals no property of the file but the last segment of its key', async () => {
    const { file } = await publicFile();

    const { url, headers } = await fetchContent(file.url);

    const said = decodeURIComponent(`${file.url} ${url} ${JSON.stringify([...headers])}`);
    for (const word of ['secret', 'dir', 'tag=', 'metadata']) expect(said.toLowerCase()).not.toContain(word);
    expect(new URL(file.url).pathname).toMatch(/\/v1\/content\/[0-9A-Za-z]{80}\.txt$/);
  });

  it.each([
    ['2026/invoice 7.pdf', 'attachment; filename="invoice 7.pdf"'],
    ['Grüße.txt', `inline; filename="Gr??e.txt"; filename*=UTF-8''Gr%C3%BC%C3%9Fe.txt`],
    ["it's (1)*.csv", `inline; filename="it's (1)_.csv"`],
  ])('names the download of %s after the last segment of its key', async (key, disposition) => {
    const { file } = await publicFile(key);

    const { status, headers } = await fetchContent(file.url);

    expect({ status, disposition: headers.get('content-disposition') }).toEqual({ status: 200, disposition });
  });

  it('redirects to a URL that works for a minute, so that making the file private takes effect', async () => {
    const { file } = await publicFile();

    const { headers, status } = await fetch(atPlatform(file.url), { redirect: 'manual' });

    expect(status).toBe(302);
    expect(new URL(headers.get('location')!).searchParams.get('X-Amz-Expires')).toBe('60');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('serves content that can run scripts as a download', async () => {
    const { file } = await publicFile('page.html', '<script>alert(1)</script>');

    const { headers } = await fetchContent(file.url);

    expect(headers.get('content-disposition')).toBe('attachment; filename=page.html');
    expect(headers.get('content-type')).toBe('text/html');
  });

  it('expires with the file and with its bot', async () => {
    const { bot, file } = await publicFile();

    await bot.workspace.owner.client.deleteBot({ id: bot.id });

    await eventually(async () => expect((await fetchContent(file.url)).status).toBe(404));
  });

  it.each([
    ['a malformed token', 'x'],
    ['one that is too long', 'a'.repeat(200)],
    ['one of no bot', '0'.repeat(80)],
  ])('returns 404 for %s', async (_, token) => {
    const { status, body } = await call(`${apiBaseUrl()}/v1/content/${token}`);

    expect({ status, type: body.type }).toEqual({ status: 404, type: 'ResourceNotFound' });
  });
});
