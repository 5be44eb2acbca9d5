import { beforeAll, describe, expect, it } from 'vitest';
import {
  type AdminClient,
  eventually,
  isLeftOut,
  newBot,
  type TestBot,
  useSharedPlatform,
} from '#test/support/platform.ts';
import { recordLog } from '#test/support/recordLog.ts';

useSharedPlatform();

type Announcement = Partial<Parameters<AdminClient['upsertFile']>[0]>;

/** Announces a file without content. */
const announce = async (client: AdminClient, key: string, tags: Record<string, string>, more: Announcement = {}) =>
  (await client.upsertFile({ key, size: 1, tags, ...more })).file.id;
const namesOf = async (client: AdminClient): Promise<string[]> => (await client.listFileTags({})).tags;

/** Returns the names on each page. */
async function pagesOf(client: AdminClient, pageSize: number): Promise<string[][]> {
  const pages: string[][] = [];
  let nextToken: string | undefined;
  do {
    const { tags, meta } = await client.listFileTags({ pageSize, nextToken });
    pages.push(tags);
    nextToken = meta.nextToken;
  } while (nextToken && pages.length < 100);
  return pages;
}

describe('GET /v1/files/tags', () => {
  it('lists each name once, sorted, and omits names of other bots', async () => {
    const [bot, stranger] = [await newBot(), await newBot()];
    await announce(bot.client, '1', { topic: 'cats', author: 'Ada' });
    await announce(bot.client, '2', { topic: 'dogs', year: '1843' });

    const { status, body } = await bot.callFiles('GET', '/tags');

    expect({ status, body }).toEqual({ status: 200, body: { tags: ['author', 'topic', 'year'], meta: {} } });
    expect(await namesOf(stranger.client)).toEqual([]);
  });

  it('hides the internal tag of indexed files', async () => {
    const bot = await newBot();
    await announce(bot.client, '1', {}, { index: true });
    await announce(bot.client, '2', { a: '1' }, { index: true });

    expect(await namesOf(bot.client)).toEqual(['a']);
    expect(await pagesOf(bot.client, 1)).toEqual([['a']]);
  });

  it('pages by code points without gaps or duplicates', async () => {
    const bot = await newBot();
    const names = ['A', 'a', 'aa', 'b', 'ä', 'ｱ', '🦜'];
    await announce(bot.client, '1', Object.fromEntries(names.map(name => [name, 'x'])));

    expect(await pagesOf(bot.client, 100)).toEqual([names]);
    expect(await pagesOf(bot.client, 3)).toEqual([names.slice(0, 3), names.slice(3, 6), names.slice(6)]);
    expect((await pagesOf(bot.client, 1)).flat()).toEqual(names);
  });

  it('returns 20 per page by default', async () => {
    const bot = await newBot();
    await announce(bot.client, '1', Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`t${i}`, 'x'])));

    const [some, all] = [await bot.client.listFileTags({}), await bot.client.listFileTags({ pageSize: 100 })];

    expect(some.tags).toHaveLength(20);
    expect(some.meta.nextToken).toEqual(expect.any(String));
    expect(all.tags).toHaveLength(50);
  });

  it('omits a name without files, and lists it again when a file gets it', async () => {
    const bot = await newBot();
    const one = await announce(bot.client, '1', { mood: 'good', color: 'red' });
    const two = await announce(bot.client, '2', { mood: 'bad', size: 'big' });
    expect(await namesOf(bot.client)).toEqual(['color', 'mood', 'size']);

    await bot.client.updateFileMetadata({ id: one, tags: { mood: null, color: 'blue' } });
    await eventually(async () => expect((await bot.client.listFiles({ tags: { mood: 'good' } })).files).toEqual([]));
    expect(await namesOf(bot.client)).toEqual(['color', 'mood', 'size']);
    await bot.client.deleteFile({ id: two });
    await eventually(async () => expect(await namesOf(bot.client)).toEqual(['color']));
    await bot.client.updateFileMetadata({ id: one, tags: { mood: 'bad' } });

    await eventually(async () => expect(await namesOf(bot.client)).toEqual(['color', 'mood']));
    await bot.client.upsertFile({ key: '1', size: 1, tags: { shape: 'round' } });
    await eventually(async () => expect(await namesOf(bot.client)).toEqual(['shape']));
  });

  it.each(['toString', 'a%b', '%41', 'a:b', 'a#b', 'a/b', 'a?b&c=d', '🐈', '2026', 'ä'.repeat(100)])(
    'accepts the name %s',
    async name => {
      const bot = await newBot();
      await announce(bot.client, '1', { [name]: 'x' });

      expect(await namesOf(bot.client)).toEqual([name]);
    },
  );

  it.skipIf(isLeftOut('log'))(
    'accepts names that are sort keys elsewhere in the table, without failing a consumer',
    async () => {
      const { lines } = recordLog();
      const bot = await newBot();
      const names = ['bot', 'conversation', 'file', 'shared', 'user', 'workflow', 'workspace'];
      const tags = Object.fromEntries(names.map(name => [name, 'x']));
      const id = await announce(bot.client, '1', { ...tags, other: 'y' });
      expect(await namesOf(bot.client)).toEqual([...names, 'other'].sort());

      await bot.client.updateFileMetadata({ id, tags: Object.fromEntries(names.map(name => [name, null])) });

      await eventually(async () => expect(await namesOf(bot.client)).toEqual(['other']));
      // On a busy machine others may fail temporarily and are retried, but not for their input.
      const misread = lines.filter(line => /A reaction failed\..*ZodError/.test(line));
      expect(misread).toEqual([]);
    },
  );

  it.each(['a b', ' ', '', 'a.b', 'a[b]', 'x'.repeat(101)])('rejects the name "%s"', async name => {
    const bot = await newBot();

    const body = `{"key":"1","size":1,"tags":{${JSON.stringify(name)}:"x"}}`;
    const answer = await bot.callFiles('PUT', '', { body });

    expect(answer).toMatchObject({ status: 400, body: { type: 'InvalidPayload' } });
    expect(answer.body.metadata.issues[0].path).toBe(`tags.${name}`);
    expect(await namesOf(bot.client)).toEqual([]);
  });

  it('shows an integration each name of its own and shared files once', async () => {
    const bot = await newBot();
    const shared: Announcement = { accessPolicies: ['integrations'] };
    await announce(bot.client, 'closed', { both: '1', ofTheBot: '1' });
    const open = await announce(bot.client, 'open', { both: '2', ofTheOpen: '1' }, shared);
    await announce(bot.integration, 'own', { both: '3', own: '1' });
    await announce(bot.integration, 'own and open', { both: '4', ownAndOpen: '1' }, shared);

    const seen = await namesOf(bot.integration);

    expect([...seen].sort()).toEqual(['both', 'ofTheOpen', 'own', 'ownAndOpen']);
    for (const pageSize of [1, 2, 3]) expect((await pagesOf(bot.integration, pageSize)).flat()).toEqual(seen);
    expect(await namesOf(bot.client)).toEqual(['both', 'ofTheBot', 'ofTheOpen']);
    await bot.client.updateFileMetadata({ id: open, accessPolicies: [] });
    await eventually(async () =>
      expect((await namesOf(bot.integration)).sort()).toEqual(['both', 'own', 'ownAndOpen']),
    );
    await bot.integration.deleteFile({ id: 'own' });
    await bot.integration.deleteFile({ id: 'own and open' });
    await eventually(async () => expect(await namesOf(bot.integration)).toEqual([]));
    expect(await namesOf(bot.client)).toEqual(['both', 'ofTheBot', 'ofTheOpen']);
  });

  describe('an invalid query', () => {
    let bot: TestBot;
    beforeAll(async () => {
      bot = await newBot();
      await announce(bot.client, '1', { a: '1', b: '2' });
    });

    it.each([
      ['pageSize=0', 'pageSize'],
      ['pageSize=101', 'pageSize'],
      ['nextToken=garbage', 'nextToken'],
    ])('returns 400 that names the fault in ?%s', async (query, path) => {
      const { status, body } = await bot.callFiles('GET', `/tags?${query}`);

      expect({ status, path: body.metadata.issues[0].path }).toEqual({ status: 400, path });
    });

    it('returns 400 for a nextToken of another list', async () => {
      const stranger = await newBot();
      const { meta } = await bot.client.listFileTags({ pageSize: 1 });
      const query = `pageSize=1&nextToken=${meta.nextToken}`;

      const answers = await Promise.all([
        bot.callFiles('GET', `/tags/a/values?${query}`),
        bot.callFiles('GET', `?${query}`),
        stranger.callFiles('GET', `/tags?${query}`),
      ]);

      expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
      expect((await bot.callFiles('GET', `/tags?${query}`)).body).toEqual({ tags: ['b'], meta: {} });
    });
  });
});
