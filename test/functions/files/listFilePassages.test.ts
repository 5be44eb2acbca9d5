import { beforeAll, describe, expect, it } from 'vitest';
import { type File, untilStatus, upload } from '#test/support/files.ts';
import { type AdminClient, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

type Options = Omit<Parameters<AdminClient['listFilePassages']>[0], 'id'>;

/** Returns the contents on each page. */
async function pagesOf(client: AdminClient, id: string, options: Options): Promise<string[][]> {
  const pages: string[][] = [];
  let nextToken: string | undefined;
  do {
    const { passages, meta } = await client.listFilePassages({ id, ...options, nextToken });
    pages.push(passages.map(({ content }) => content));
    nextToken = meta.nextToken;
  } while (nextToken && pages.length < 300);
  return pages;
}

describe('GET /v1/files/{id}/passages', () => {
  it('lists the passages extracted from a file, in order', async () => {
    const bot = await newBot();
    const content = '# Animals\n\nThe gnu is an antelope.\n\n## Birds\n\n- kea\n- kiwi\n';
    const { id } = await upload(bot.client, { key: 'docs/a.md', content, index: true });

    const { status, body } = await bot.callFiles('GET', `/${id}/passages`);

    expect(status).toBe(200);
    expect(body.meta).toEqual({});
    const { passages } = body as Awaited<ReturnType<AdminClient['listFilePassages']>>;
    expect(passages.map(({ meta }) => meta.position)).toEqual(passages.map((_, i) => i));
    expect(passages.every(({ meta }) => meta.type === 'chunk' && meta.subtype !== undefined)).toBe(true);
    // Markdown has no pages.
    expect(passages.every(({ meta }) => !('pageNumber' in meta))).toBe(true);
    expect(new Set(passages.map(each => each.id)).size).toBe(passages.length);
    const whole = passages.map(each => each.content).join('\n');
    const places = ['gnu', 'kea', 'kiwi'].map(word => whole.indexOf(word));
    expect(places).not.toContain(-1);
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect((await bot.client.listFilePassages({ id: 'docs/a.md' })).passages).toEqual(passages);
  });

  it('shows position, subtype and page number of each passage', async () => {
    const bot = await newBot();
    const { id } = await upload(bot.client, { key: 'a.txt', content: 'x' });
    await bot.client.setFilePassages({
      id,
      passages: [
        { content: 'Birds', type: 'title', pageNumber: 1 },
        { content: 'kea', pageNumber: 2 },
        { content: 'let kiwi', type: 'code' },
      ],
    });
    await untilStatus(bot.client, id, 'indexing_completed');

    const { body } = await bot.callFiles('GET', `/${id}/passages`);

    const text = expect.any(String);
    expect(body).toEqual({
      passages: [
        { id: text, content: 'Birds', meta: { type: 'chunk', subtype: 'title', position: 0, pageNumber: 1 } },
        { id: text, content: 'kea', meta: { type: 'chunk', subtype: 'paragraph', position: 1, pageNumber: 2 } },
        { id: text, content: 'let kiwi', meta: { type: 'chunk', subtype: 'code', position: 2 } },
      ],
      meta: {},
    });
  });

  it('returns no passages for a file that is not, not yet or no longer indexed', async () => {
    const bot = await newBot();
    const plain = await upload(bot.client, { key: 'plain.txt', content: 'x' });
    const { file: pending } = await bot.client.upsertFile({ key: 'pending.txt', size: 1, index: true });
    const indexed = await upload(bot.client, { key: 'indexed.txt', content: 'gnu', index: true });
    expect((await bot.client.listFilePassages({ id: indexed.id })).passages).toHaveLength(1);
    await bot.client.upsertFile({ key: 'indexed.txt', size: 3, index: false });

    for (const { id } of [plain, pending, indexed]) {
      expect(await bot.client.listFilePassages({ id })).toEqual({ passages: [], meta: {} });
    }
  });

  describe('of a long file', () => {
    const CONTENTS = Array.from({ length: 201 }, (_, i) => `p${i}`);
    let bot: TestBot;
    let file: File;
    beforeAll(async () => {
      bot = await newBot();
      file = await upload(bot.client, { key: 'long.txt', content: 'x' });
      await bot.client.setFilePassages({ id: file.id, passages: CONTENTS.map(content => ({ content })) });
      await untilStatus(bot.client, file.id, 'indexing_completed', 30_000);
    });

    it.each([
      ['20 by default', {}, 20],
      ['as many as limit', { limit: 7 }, 7],
      ['as many as pageSize', { pageSize: 50 }, 50],
      ['pageSize, which takes precedence over limit', { limit: 7, pageSize: 50 }, 50],
      ['200 at most', { limit: 200 }, 200],
      ['200 at most by pageSize', { pageSize: 200 }, 200],
    ])('pages by %s without gaps or duplicates', async (_, options, size) => {
      const pages = await pagesOf(bot.client, file.id, options);

      expect(pages[0]).toHaveLength(size);
      expect(pages).toHaveLength(Math.ceil(201 / size));
      expect(pages.flat()).toEqual(CONTENTS);
    });

    it.each([
      ['limit=0', 'limit'],
      ['limit=201', 'limit'],
      ['pageSize=0', 'pageSize'],
      ['pageSize=201', 'pageSize'],
      ['nextToken=garbage', 'nextToken'],
    ])('returns 400 that names the invalid parameter: ?%s', async (query, path) => {
      const { status, body } = await bot.callFiles('GET', `/${file.id}/passages?${query}`);

      expect({ status, path: body.metadata.issues[0].path }).toEqual({ status: 400, path });
    });

    it('returns 400 for a nextToken of another file', async () => {
      const { meta } = await bot.client.listFilePassages({ id: file.id, limit: 1 });
      const other = await upload(bot.client, { key: 'other.txt', content: 'gnu', index: true });

      const answer = await bot.callFiles('GET', `/${other.id}/passages?limit=1&nextToken=${meta.nextToken}`);

      expect({ status: answer.status, path: answer.body.metadata.issues[0].path }).toEqual({
        status: 400,
        path: 'nextToken',
      });
    });
  });

  it('shows an integration only the passages of its own and shared files', async () => {
    const [bot, stranger] = [await newBot(), await newBot()];
    const index = true;
    const shared = await upload(bot.client, { key: 'a', content: 'gnu', index, accessPolicies: ['integrations'] });
    const closed = await upload(bot.client, { key: 'b', content: 'kea', index, accessPolicies: ['public_content'] });
    const own = await upload(bot.integration, { key: 'c', content: 'yak', index });
    const listed = async (client: AdminClient, { id }: File) =>
      (await client.listFilePassages({ id })).passages.map(({ content }) => content);

    expect(await listed(bot.integration, shared)).toEqual(['gnu']);
    expect(await listed(bot.integration, own)).toEqual(['yak']);
    await expect(listed(bot.integration, closed)).rejects.toMatchObject({ code: 403 });
    await expect(listed(bot.client, own)).rejects.toMatchObject({ code: 403 });
    await expect(listed(stranger.client, shared)).rejects.toMatchObject({ code: 404 });
    await expect(listed(bot.client, { ...own, id: 'nothing' })).rejects.toMatchObject({ code: 404 });
  });
});
