import { describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { fetchContent, fileOf, untilStatus, upload } from '#test/support/files.ts';
import { eventually, newBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('PUT /v1/files/{id}', () => {
  it('updates single tags and metadata fields, and removes those set to null', async () => {
    const bot = await newBot();
    await upload(bot.client, { key: 'a.txt', content: 'x', tags: { a: '1', b: '2' }, metadata: { m: 1, n: [2] } });

    const { file } = await bot.client.updateFileMetadata({
      id: 'a.txt',
      tags: { b: null, c: '3' },
      metadata: { m: null, o: { p: true } },
    });

    expect(file).toMatchObject({ tags: { a: '1', c: '3' }, metadata: { n: [2], o: { p: true } } });
    expect(Object.keys(file.tags)).toEqual(['a', 'c']);
    expect((await bot.client.listFiles({ tags: { c: '3' } })).files.map(({ key }) => key)).toEqual(['a.txt']);
    expect((await bot.client.listFiles({ tags: { b: '2' } })).files).toEqual([]);
    await eventually(async () => expect((await bot.client.listFileTags({})).tags).toEqual(['a', 'c']));
  });

  it('keeps all concurrent updates', async () => {
    const bot = await newBot();
    await bot.client.upsertFile({ key: 'a.txt', size: 1 });
    const names = Array.from({ length: 8 }, (_, i) => `t${i}`);

    await Promise.all(names.map(name => bot.client.updateFileMetadata({ id: 'a.txt', tags: { [name]: 'x' } })));

    expect(Object.keys((await fileOf(bot.client, 'a.txt')).tags).sort()).toEqual(names);
  });

  it('makes a file public under one permanent URL, and private again immediately', async () => {
    const bot = await newBot();
    const { id } = await upload(bot.client, { key: 'a.txt', content: 'hello' });

    const { file } = await bot.client.updateFileMetadata({ id, accessPolicies: ['public_content'] });
    const open = await fetchContent(file.url);
    const { file: closed } = await bot.client.updateFileMetadata({ id, accessPolicies: [] });
    const shut = await fetchContent(file.url);
    const { file: reopened } = await bot.client.updateFileMetadata({ id, accessPolicies: ['public_content'] });

    expect(open).toMatchObject({ status: 200, text: 'hello' });
    expect(closed.url).not.toBe(file.url);
    expect(shut.status).toBe(404);
    expect(reopened.url).toBe(file.url);
  });

  it('sets and clears the expiry', async () => {
    const bot = await newBot();
    const { file } = await bot.client.upsertFile({ key: 'a.txt', size: 1 });
    const expiresAt = new Date(Math.ceil(clock.now() / 60_000) * 60_000 + 3_600_000).toISOString();

    const set = await bot.client.updateFileMetadata({ id: file.id, expiresAt });
    const cleared = await bot.callFiles('PUT', `/${file.id}`, { body: { expiresAt: null } });

    expect(set.file.expiresAt).toBe(expiresAt);
    expect(cleared.body.file.expiresAt).toBeUndefined();
  });

  it('enables indexing when a file is linked to a knowledge base', async () => {
    const bot = await newBot();
    await upload(bot.client, { key: 'a.md', content: 'The gnu is an antelope.' });

    const { file } = await bot.client.updateFileMetadata({ id: 'a.md', tags: { kbId: 'kb-elsewhere' } });

    expect(file).toMatchObject({ index: true, status: 'indexing_pending' });
    await untilStatus(bot.client, 'a.md', 'indexing_completed');
    expect((await bot.client.searchFiles({ query: 'gnu' })).passages).toHaveLength(1);
  });

  it('returns 400 for invalid values and changes nothing', async () => {
    const bot = await newBot();
    await bot.client.upsertFile({ key: 'a.txt', size: 1, tags: { a: '1' } });
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`t${i}`, 'x']));

    const answers = await Promise.all(
      [
        { tags: { a: 1 } },
        { tags: many },
        { accessPolicies: ['x'] },
        { expiresAt: '2020-01-01T00:00:00Z' },
        { metadata: [] },
        { tags: { kbId: `kb_${'0'.repeat(25)}` } },
      ].map(body => bot.callFiles('PUT', '/a.txt', { body })),
    );

    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400]);
    expect((await fileOf(bot.client, 'a.txt')).tags).toEqual({ a: '1' });
  });
});
