import { describe, expect, it } from 'vitest';
import { fetchContent, upload } from '#test/support/files.ts';
import { eventually, newBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('DELETE /v1/files/{id}', () => {
  it('returns an empty object, and removes the file from reads, lists and searches', async () => {
    const bot = await newBot();
    const file = await upload(bot.client, {
      key: 'a.md',
      content: 'The zebra is striped.',
      index: true,
      tags: { animal: 'zebra' },
    });

    const { status, body } = await bot.callFiles('DELETE', '/a.md');

    expect({ status, body }).toEqual({ status: 200, body: {} });
    expect((await bot.callFiles('GET', `/${file.id}`)).status).toBe(404);
    expect((await bot.client.listFiles({})).files).toEqual([]);
    expect((await bot.client.listFiles({ tags: { animal: 'zebra' } })).files).toEqual([]);
    expect((await bot.client.searchFiles({ query: 'zebra' })).passages).toEqual([]);
    await eventually(async () => {
      expect((await fetchContent(file.url)).status).toBe(404);
      expect((await bot.client.listFileTags({})).tags).toEqual([]);
      expect((await bot.client.listFileTagValues({ tag: 'animal' })).values).toEqual([]);
    });
  });

  it('returns 404 when repeated, and frees the key', async () => {
    const bot = await newBot();
    await upload(bot.client, { key: 'a.txt', content: 'one' });
    await bot.client.deleteFile({ id: 'a.txt' });

    const again = await bot.callFiles('DELETE', '/a.txt');
    const file = await upload(bot.client, { key: 'a.txt', content: 'two' });

    expect(again).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
    expect((await fetchContent(file.url)).text).toBe('two');
  });

  it('cancels an upload in progress', async () => {
    const bot = await newBot();
    const { file } = await bot.client.upsertFile({ key: 'a.txt', size: 1 });
    await bot.client.deleteFile({ id: file.id });

    await fetch(file.uploadUrl, { method: 'PUT', body: 'x', headers: { 'content-type': 'text/plain' } });

    await eventually(async () => expect((await fetchContent(file.url)).status).toBe(404));
    expect((await bot.callFiles('GET', '/a.txt')).status).toBe(404);
  });
});
