import { beforeAll, describe, expect, it } from 'vitest';
import { fileOf, untilStatus, upload } from '#test/support/files.ts';
import { type AdminClient, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const listed = async (client: AdminClient, id: string) =>
  (await client.listFilePassages({ id })).passages.map(({ content }) => content);
const found = async (client: AdminClient, query: string) =>
  (await client.searchFiles({ query, contextDepth: 0 })).passages.map(({ content }) => content);

describe('PUT /v1/files/{id}/passages', () => {
  it('replaces the indexed, listed and found passages with exactly these', async () => {
    const bot = await newBot();
    const { id } = await upload(bot.client, { key: 'docs/a.md', content: 'The gnu is an antelope.', index: true });
    expect(await found(bot.client, 'gnu')).toEqual(['The gnu is an antelope.']);

    const { status, body } = await bot.callFiles('PUT', `/${id}/passages`, {
      body: { passages: [{ content: 'The kea is a parrot.', type: 'title' }, { content: 'A kiwi cannot fly.' }] },
    });

    expect({ status, body }).toEqual({ status: 200, body: {} });
    const file = await untilStatus(bot.client, id, 'indexing_completed');
    expect(file).toMatchObject({ index: true, size: 23, indexingStack: 'v2' });
    const contents = ['The kea is a parrot.', 'A kiwi cannot fly.'];
    expect(await listed(bot.client, id)).toEqual(contents);
    expect((await found(bot.client, 'kea parrot'))[0]).toBe(contents[0]);
    expect((await found(bot.client, 'kiwi fly'))[0]).toBe(contents[1]);
    expect((await found(bot.client, 'gnu antelope')).filter(content => !contents.includes(content))).toEqual([]);
  });

  it('keeps the old passages while indexing is pending', async () => {
    const bot = await newBot();
    const { id } = await upload(bot.client, { key: 'a.md', content: 'gnu', index: true });

    // Enough passages to observe the indexing in progress; every observation must be a complete set.
    const passages = Array.from({ length: 200 }, (_, i) => ({ content: `kea ${i}` }));
    await bot.client.setFilePassages({ id, passages });
    const read = async () => {
      const before = (await fileOf(bot.client, id)).status;
      const [first] = await listed(bot.client, id);
      const after = (await fileOf(bot.client, id)).status;
      expect(['indexing_pending', 'indexing_completed']).toContain(before);
      if (before === 'indexing_completed') expect(first).toBe('kea 0');
      if (after === 'indexing_pending') expect(first).toBe('gnu');
      return before;
    };
    let status: string;
    do status = await read();
    while (status === 'indexing_pending');

    expect(status).toBe('indexing_completed');
  });

  it('enables indexing of a file, by its key', async () => {
    const bot = await newBot();
    const { index, id } = await upload(bot.client, { key: 'docs/a.bin', content: Buffer.from([0, 255, 1]) });
    expect(index).toBe(false);

    await bot.client.setFilePassages({ id: 'docs/a.bin', passages: [{ content: 'What a kea looks like' }] });

    const file = await untilStatus(bot.client, id, 'indexing_completed');
    expect(file.index).toBe(true);
    expect(await found(bot.client, 'kea')).toEqual(['What a kea looks like']);
    expect((await bot.client.listFiles({ indexed: true })).files.map(({ key }) => key)).toEqual(['docs/a.bin']);
  });

  it('sets passages of a file whose content could not be indexed', async () => {
    const bot = await newBot();
    const { file } = await bot.client.uploadFile({ key: 'a.pdf', content: 'no PDF', index: true });
    await untilStatus(bot.client, file.id, 'indexing_failed');

    await bot.client.setFilePassages({ id: file.id, passages: [{ content: 'kea' }] });

    const after = await untilStatus(bot.client, file.id, 'indexing_completed');
    expect(after.failedStatusReason).toBeUndefined();
    expect(await listed(bot.client, file.id)).toEqual(['kea']);
  });

  it('is superseded by new content', async () => {
    const bot = await newBot();
    const { id } = await upload(bot.client, { key: 'a.md', content: 'gnu', index: true });
    await bot.client.setFilePassages({ id, passages: [{ content: 'kea' }] });
    await untilStatus(bot.client, id, 'indexing_completed');

    await upload(bot.client, { key: 'a.md', content: 'yak', index: true });

    expect(await listed(bot.client, id)).toEqual(['yak']);
    expect(await found(bot.client, 'kea')).not.toContain('kea');
    expect(await found(bot.client, 'yak')).toEqual(['yak']);
  });

  it('keeps the passages of exactly one of two concurrent calls', async () => {
    const bot = await newBot();
    const { id } = await upload(bot.client, { key: 'a.md', content: 'gnu', index: true });
    const sets = ['kea', 'yak'].map(word => [0, 1, 2].map(i => `${word} ${i}`));
    const owner = bot.clientOf(bot.workspace.owner.token);

    await Promise.all(
      [bot.client, owner].map((client, i) =>
        client.setFilePassages({ id, passages: sets[i]!.map(content => ({ content })) }),
      ),
    );

    await untilStatus(bot.client, id, 'indexing_completed');
    const contents = await listed(bot.client, id);
    expect(sets).toContainEqual(contents);
    const seen = [...(await found(bot.client, 'kea')), ...(await found(bot.client, 'yak'))];
    expect(new Set(seen)).toEqual(new Set(contents));
  });

  it('keeps the last of several consecutive calls', async () => {
    const bot = await newBot();
    const { id } = await upload(bot.client, { key: 'a.md', content: 'gnu', index: true });

    for (const content of ['kea', 'yak', 'emu']) await bot.client.setFilePassages({ id, passages: [{ content }] });

    await untilStatus(bot.client, id, 'indexing_completed');
    expect(await listed(bot.client, id)).toEqual(['emu']);
    expect(await found(bot.client, 'kea yak emu gnu')).toEqual(['emu']);
  });

  it('accepts every type and a passage of 20,000 characters', async () => {
    const bot = await newBot();
    const { id } = await upload(bot.client, { key: 'a.md', content: 'gnu' });
    const types = ['title', 'subtitle', 'paragraph', 'blockquote', 'list', 'table', 'code', 'image'] as const;
    const long = '長い'.repeat(10_000);

    await bot.client.setFilePassages({
      id,
      passages: [...types.map(type => ({ content: `of ${type}`, type })), { content: long }],
    });

    await untilStatus(bot.client, id, 'indexing_completed');
    const { passages } = await bot.client.listFilePassages({ id });
    expect(passages.map(({ meta }) => meta.subtype)).toEqual([...types, 'paragraph']);
    expect(passages.at(-1)!.content).toBe(long);
  });

  describe('an invalid request', () => {
    let bot: TestBot;
    let id: string;
    beforeAll(async () => {
      bot = await newBot();
      id = (await upload(bot.client, { key: 'a.md', content: 'gnu', index: true })).id;
    });
    const unchanged = async () => {
      expect((await fileOf(bot.client, id)).status).toBe('indexing_completed');
      expect(await listed(bot.client, id)).toEqual(['gnu']);
    };

    it.each([
      ['no passages', {}, 'passages'],
      ['an empty list', { passages: [] }, 'passages'],
      ['10,001 passages', { passages: Array.from({ length: 10_001 }, () => ({ content: 'a' })) }, 'passages'],
      ['no content', { passages: [{ type: 'title' }] }, 'passages.0.content'],
      ['empty content', { passages: [{ content: 'a' }, { content: '' }] }, 'passages.1.content'],
      ['content of 20,001 characters', { passages: [{ content: 'x'.repeat(20_001) }] }, 'passages.0.content'],
      ['half a character', { passages: [{ content: 'a\ud800' }] }, 'passages.0.content'],
      ['an unknown type', { passages: [{ content: 'a', type: 'page' }] }, 'passages.0.type'],
      ['page 0', { passages: [{ content: 'a', pageNumber: 0 }] }, 'passages.0.pageNumber'],
      ['half a page', { passages: [{ content: 'a', pageNumber: 1.5 }] }, 'passages.0.pageNumber'],
    ])('returns 400 with the invalid field for %s, and changes nothing', async (_, body, path) => {
      const answer = await bot.callFiles('PUT', `/${id}/passages`, { body });

      expect(answer).toMatchObject({ status: 400, body: { type: 'InvalidPayload' } });
      expect(answer.body.metadata.issues[0].path).toBe(path);
      await unchanged();
    });

    it('returns 413 for a body of more than 1 MB', async () => {
      const passages = Array.from({ length: 53 }, () => ({ content: 'x'.repeat(20_000) }));

      const answer = await bot.callFiles('PUT', `/${id}/passages`, { body: { passages } });

      expect(answer).toMatchObject({ status: 413, body: { type: 'PayloadTooLarge' } });
      await unchanged();
    });

    it('returns 400 for a file without content', async () => {
      await bot.client.upsertFile({ key: 'pending.md', size: 1 });

      const answer = await bot.callFiles('PUT', '/pending.md/passages', { body: { passages: [{ content: 'a' }] } });

      expect(answer).toMatchObject({ status: 400, body: { metadata: { issues: [{ path: 'id' }] } } });
      expect(await fileOf(bot.client, 'pending.md')).toMatchObject({ status: 'upload_pending', index: false });
    });

    it("returns 404 for an unknown file, and 403 for another owner's file", async () => {
      const shared = await upload(bot.client, { key: 'shared', content: 'x', accessPolicies: ['integrations'] });
      const own = await upload(bot.integration, { key: 'own', content: 'x' });
      const stranger = await newBot();
      const passages = [{ content: 'a' }];

      await expect(bot.client.setFilePassages({ id: 'nothing', passages })).rejects.toMatchObject({ code: 404 });
      await expect(stranger.client.setFilePassages({ id, passages })).rejects.toMatchObject({ code: 404 });
      await expect(bot.integration.setFilePassages({ id, passages })).rejects.toMatchObject({ code: 403 });
      await expect(bot.integration.setFilePassages({ id: shared.id, passages })).rejects.toMatchObject({ code: 403 });
      await expect(bot.client.setFilePassages({ id: own.id, passages })).rejects.toMatchObject({ code: 403 });

      await unchanged();
    });
  });
});
