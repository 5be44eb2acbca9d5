import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import fc from '#test/support/fastCheck.ts';
import { put, untilStatus, upload } from '#test/support/files.ts';
import {
  type AdminClient,
  eventually,
  newBot,
  newWorkspace,
  type TestBot,
  useSharedPlatform,
} from '#test/support/platform.ts';

useSharedPlatform();

type Filters = Parameters<AdminClient['listFiles']>[0];
type Announcement = Partial<Parameters<AdminClient['upsertFile']>[0]>;

const SORT_FIELDS = ['key', 'size', 'createdAt', 'updatedAt', 'status'] as const;

/** Announces a file without content. */
const announce = async (client: AdminClient, key: string, more: Announcement = {}): Promise<string> =>
  (await client.upsertFile({ key, size: 1, ...more })).file.id;
const keysOf = async (client: AdminClient, filters: Filters = {}): Promise<string[]> =>
  (await client.listFiles(filters)).files.map(({ key }) => key);

/** Returns the keys on each page. */
async function pagesOf(client: AdminClient, filters: Filters): Promise<string[][]> {
  const pages: string[][] = [];
  let nextToken: string | undefined;
  do {
    const { files, meta } = await client.listFiles({ ...filters, nextToken });
    pages.push(files.map(({ key }) => key));
    nextToken = meta.nextToken;
  } while (nextToken && pages.length < 100);
  return pages;
}

/** Installs another integration on the bot, with a separate client. */
async function addIntegration({ id, workspace, clientOf }: TestBot): Promise<AdminClient> {
  const { client } = workspace.owner;
  const { integration } = await client.createIntegration({ name: `i${randomUUID().slice(0, 8)}`, version: '1.0.0' });
  await client.updateBot({ id, integrations: { other: { integrationId: integration.id, enabled: true } } });
  const { value } = await client.createIntegrationApiKey({ integrationId: integration.id });
  return clientOf(value, { integrationAlias: 'other' });
}

describe('GET /v1/files?keyPrefix=', () => {
  it('lists the files whose keys begin with the prefix, by key and in pages', async () => {
    const bot = await newBot();
    for (const key of ['menu/b.txt', 'other.txt', 'menu/ü.txt', 'menu/a.txt', 'men.txt', 'Menu/c.txt']) {
      await announce(bot.client, key);
    }
    const keys = async (query: string) => {
      const { body } = await bot.callFiles('GET', `?${query}`);
      return { keys: body.files.map(({ key }: { key: string }) => key), next: body.meta.nextToken };
    };

    const all = await keys('keyPrefix=menu%2F&sortDirection=asc');
    const first = await keys('keyPrefix=menu%2F&pageSize=2');
    const second = await keys(`keyPrefix=menu%2F&pageSize=2&nextToken=${first.next}`);
    const rejected = await bot.callFiles('GET', '?keyPrefix=a&sortField=size');
    const tagged = await keys('keyPrefix=menu%2Fa&tags%5Bno%5D=match');

    expect(all.keys).toEqual(['menu/a.txt', 'menu/b.txt', 'menu/ü.txt']);
    expect([...first.keys, ...second.keys]).toEqual(all.keys.toReversed());
    expect(rejected.status).toBe(400);
    expect(tagged.keys).toEqual([]);
  });
});

describe('GET /v1/files', () => {
  it('lists the newest files first, in the form of getFile', async () => {
    const bot = await newBot();
    for (const key of ['b.txt', 'c.txt', 'a.txt']) await announce(bot.client, key);

    const { status, body } = await bot.callFiles('GET', '');

    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['files', 'meta']);
    expect(body.meta).toEqual({});
    expect(body.files.map(({ key }: { key: string }) => key)).toEqual(['a.txt', 'c.txt', 'b.txt']);
    const { file } = await bot.client.getFile({ id: 'a.txt' });
    // Every presigned URL differs.
    expect(body.files[0]).toEqual({ ...file, url: expect.stringMatching(/^http/) });
  });

  it('returns 20 per page by default', async () => {
    const bot = await newBot();
    await Promise.all(Array.from({ length: 21 }, (_, i) => announce(bot.client, `${i}.txt`)));

    const [some, all] = [await bot.client.listFiles({}), await bot.client.listFiles({ pageSize: 100 })];

    expect(some.files).toHaveLength(20);
    expect(some.meta.nextToken).toEqual(expect.any(String));
    expect(all.files).toHaveLength(21);
    expect(all.meta).toEqual({});
  });

  describe('sorted', () => {
    let bot: TestBot;
    let ids: string[];
    beforeAll(async () => {
      bot = await newBot();
      // The order of creation differs from that of updates.
      const tags = { t: '1' };
      const pending = await announce(bot.client, 'b.md', { size: 9, tags, index: true });
      const indexed = await upload(bot.client, { key: 'c.md', content: 'gnu', tags, index: true });
      const completed = await upload(bot.client, { key: 'a.md', content: 'x', tags });
      ids = [completed.id, pending, indexed.id];
      for (const key of ['c.md', 'a.md', 'b.md']) {
        await bot.client.updateFileMetadata({ id: key, metadata: { isUpdated: true } });
      }
    });

    const ASCENDING: Record<(typeof SORT_FIELDS)[number], string[]> = {
      key: ['a.md', 'b.md', 'c.md'],
      // A file without content has its announced size, 9.
      size: ['a.md', 'c.md', 'b.md'],
      createdAt: ['b.md', 'c.md', 'a.md'],
      updatedAt: ['c.md', 'a.md', 'b.md'],
      // From indexing_completed through upload_completed to upload_pending.
      status: ['c.md', 'a.md', 'b.md'],
    };

    it.each(SORT_FIELDS)('orders files by %s, in both directions and with any filter', async sortField => {
      for (const filters of [{}, { tags: { t: '1' } }, { ids }]) {
        const ascending = await keysOf(bot.client, { ...filters, sortField, sortDirection: 'asc' });
        const descending = await keysOf(bot.client, { ...filters, sortField, sortDirection: 'desc' });
        const pages = await pagesOf(bot.client, { ...filters, sortField, sortDirection: 'asc', pageSize: 1 });

        expect(ascending).toEqual(ASCENDING[sortField]);
        expect(descending).toEqual([...ASCENDING[sortField]].reverse());
        expect(pages.flat()).toEqual(ASCENDING[sortField]);
      }
    });

    it.each(SORT_FIELDS)('orders only indexed files by %s', async sortField => {
      const wanted = ASCENDING[sortField].filter(key => key !== 'a.md');

      expect(await keysOf(bot.client, { indexed: true, sortField, sortDirection: 'asc' })).toEqual(wanted);
      expect(await keysOf(bot.client, { indexed: true, sortField, sortDirection: 'desc' })).toEqual(
        [...wanted].reverse(),
      );
    });
  });

  it('reflects changes of status, size and update time', async () => {
    const bot = await newBot();
    const replaced = await upload(bot.client, { key: 'replaced.txt', content: '12345' });
    const { file: late } = await bot.client.upsertFile({ key: 'late.txt', size: 3 });
    const by = (sortField: Filters['sortField']) => keysOf(bot.client, { sortField, sortDirection: 'asc' });
    expect(await by('size')).toEqual(['late.txt', 'replaced.txt']);
    expect(await by('status')).toEqual(['replaced.txt', 'late.txt']);
    expect(await by('updatedAt')).toEqual(['replaced.txt', 'late.txt']);

    await put(late.uploadUrl, '123', { 'content-type': 'text/plain' });
    await untilStatus(bot.client, late.id, 'upload_completed');
    const { file: again } = await bot.client.upsertFile({ key: 'replaced.txt', size: 1 });
    await eventually(async () => expect(await by('status')).toEqual(['late.txt', 'replaced.txt']));
    // The old size applies until the new content arrives.
    expect(await by('size')).toEqual(['late.txt', 'replaced.txt']);
    expect(await by('updatedAt')).toEqual(['late.txt', 'replaced.txt']);
    await put(again.uploadUrl, '1', { 'content-type': 'text/plain' });
    await untilStatus(bot.client, replaced.id, 'upload_completed');

    await eventually(async () => expect(await by('size')).toEqual(['replaced.txt', 'late.txt']));
    expect(await by('createdAt')).toEqual(['replaced.txt', 'late.txt']);
  });

  describe('by keys of any characters', () => {
    const KEYS = ['a', 'ä', '\ue000 private', 'ｱ fullwidth', '🦜 parrot'];
    let bot: TestBot;
    let ids: string[];
    beforeAll(async () => {
      bot = await newBot();
      ids = await Promise.all(KEYS.map(key => announce(bot.client, key, { tags: { t: '1' } })));
    });

    it.each([
      ['all files', () => ({})],
      ['files with a tag', () => ({ tags: { t: '1' } })],
      ['files of some ids', () => ({ ids })],
    ])('sorts %s by code points and pages without gaps', async (_, filters) => {
      for (const pageSize of [2, 100]) {
        const query = { ...filters(), sortField: 'key' as const, pageSize };

        expect((await pagesOf(bot.client, { ...query, sortDirection: 'asc' })).flat()).toEqual(KEYS);
        expect((await pagesOf(bot.client, { ...query, sortDirection: 'desc' })).flat()).toEqual([...KEYS].reverse());
      }
    });

    it('includes a key that starts with the highest code point', async () => {
      const other = await newBot();
      await announce(other.client, '\u{10ffff}', { tags: { t: '1' } });

      expect(await keysOf(other.client, { sortField: 'key' })).toEqual(['\u{10ffff}']);
      expect(await keysOf(other.client, { sortField: 'key', tags: { t: '1' } })).toEqual(['\u{10ffff}']);
    });

    it('includes all long keys that share a prefix', async () => {
      const other = await newBot();
      const keys = ['1', '2', '3', '4'].map(end => `${'ä'.repeat(500)}${end}`);
      await Promise.all(keys.map(key => announce(other.client, key)));

      const pages = await pagesOf(other.client, { sortField: 'key', sortDirection: 'asc', pageSize: 1 });

      expect(pages.flat().sort()).toEqual(keys);
    });
  });

  describe('with tags', () => {
    let bot: TestBot;
    beforeAll(async () => {
      bot = await newBot();
      await announce(bot.client, 'red-big', { tags: { color: 'red', size: 'big' } });
      await announce(bot.client, 'blue', { tags: { color: 'blue' } });
      await announce(bot.client, 'red-small', { tags: { color: 'red', size: 'small' } });
      await announce(bot.client, 'none');
    });
    const inOrder = (filters: Filters) =>
      keysOf(bot.client, { sortField: 'createdAt', sortDirection: 'asc', ...filters });

    it.each([
      ['a value', { color: 'red' }, ['red-big', 'red-small']],
      ['one of several values', { color: ['red', 'blue', 'green'] }, ['red-big', 'blue', 'red-small']],
      ['the same value twice', { color: ['red', 'red'] }, ['red-big', 'red-small']],
      ['not a value', { color: { not: 'red' } }, ['blue', 'none']],
      ['none of several values', { color: { not: ['red', 'blue'] } }, ['none']],
      ['values of two names', { color: 'red', size: 'big' }, ['red-big']],
      [
        'a required value of one tag and an excluded one of another',
        { color: ['red', 'blue'], size: { not: 'small' } },
        ['red-big', 'blue'],
      ],
      ['neither of two names', { color: { not: 'blue' }, size: { not: 'big' } }, ['red-small', 'none']],
      ['an unused value', { color: 'pink' }, []],
      ['an unused name', { shape: 'red' }, []],
      ['all, excluding an unused value', { shape: { not: 'round' } }, ['red-big', 'blue', 'red-small', 'none']],
    ])('finds %s', async (_, tags, keys) => {
      for (const sortField of ['key', 'size'] as const) {
        expect((await keysOf(bot.client, { tags, sortField })).sort()).toEqual([...keys].sort());
      }
      expect(await inOrder({ tags })).toEqual(keys);
      expect((await pagesOf(bot.client, { tags, sortDirection: 'asc', pageSize: 1 })).flat()).toEqual(keys);
    });

    it.each([
      ['tags.color=red', ['red-big', 'red-small']],
      ['tags[color]=red', ['red-big', 'red-small']],
      ['tags%5Bcolor%5D=red', ['red-big', 'red-small']],
      ['tags={"color":"red"}', ['red-big', 'red-small']],
      ['tags.color=red&tags.color=blue', ['blue', 'red-big', 'red-small']],
      ['tags[color]=red&tags[color]=blue', ['blue', 'red-big', 'red-small']],
      ['tags={"color":["red","blue"]}', ['blue', 'red-big', 'red-small']],
      ['tags.color.not=red', ['blue', 'none']],
      ['tags[color][not]=red', ['blue', 'none']],
      ['tags[color][not]=red&tags[color][not]=blue', ['none']],
      ['tags={"color":{"not":["red","blue"]}}', ['none']],
      ['tags[color]=red&tags[size]=big', ['red-big']],
      ['tags={"color":"red","size":{"not":"big"}}', ['red-small']],
    ])('parses ?%s', async (query, keys) => {
      const { status, body } = await bot.callFiles('GET', `?${query}`);

      expect(status).toBe(200);
      expect(body.files.map(({ key }: { key: string }) => key).sort()).toEqual(keys);
    });

    it.each(['a:b', 'a%b', '%41', 'a#b', 'a&b=c', 'a/b', 'ä', '🐈', '2026', '0', 'not'])(
      'finds files by a tag named %s',
      async name => {
        const key = `of ${name}`;
        await announce(bot.client, key, { tags: { [name]: 'yes' } });

        expect(await keysOf(bot.client, { tags: { [name]: 'yes' } })).toEqual([key]);
        expect(await keysOf(bot.client, { tags: { [name]: ['no', 'yes'] } })).toEqual([key]);
        expect(await keysOf(bot.client, { tags: { [name]: 'no' } })).toEqual([]);
        expect(await keysOf(bot.client, { tags: { [name]: { not: 'yes' }, color: 'blue' } })).toEqual(['blue']);
      },
    );

    it.each(['a b+c', 'x,y', '[1]', '{"not":"x"}', 'a&b=c#d?e', '%41', ' index', '🐈', 'v'.repeat(1_000)])(
      'finds files by the value %s',
      async value => {
        const key = `with ${value.slice(0, 20)}`;
        await announce(bot.client, key, { tags: { value } });

        expect(await keysOf(bot.client, { tags: { value } })).toEqual([key]);
        expect(await keysOf(bot.client, { tags: { value: ['another', value] } })).toEqual([key]);
      },
    );

    it('immediately stops finding a file by a removed tag and finds it by a new one', async () => {
      const id = await announce(bot.client, 'changing', { tags: { mood: 'good' } });

      await bot.client.updateFileMetadata({ id, tags: { mood: 'bad' } });

      expect(await keysOf(bot.client, { tags: { mood: 'good' } })).toEqual([]);
      expect(await keysOf(bot.client, { tags: { mood: 'bad' } })).toEqual(['changing']);
      expect(await keysOf(bot.client, { tags: { mood: ['good', 'bad'] } })).toEqual(['changing']);
      await bot.client.deleteFile({ id });
      expect(await keysOf(bot.client, { tags: { mood: 'bad' } })).toEqual([]);
    });
  });

  describe('with ids', () => {
    it('returns the files that exist, each once', async () => {
      const [bot, stranger] = [await newBot(), await newBot()];
      const [a, b] = [await announce(bot.client, 'a'), await announce(bot.client, 'b')];
      await announce(bot.client, 'c');
      const foreign = await announce(stranger.client, 'd');
      const ids = [a, foreign, `file_${'0'.repeat(24)}`, 'c', b, a, 'no id', '', '../x'];

      expect(await keysOf(bot.client, { ids })).toEqual(['b', 'a']);
      expect(await pagesOf(bot.client, { ids, pageSize: 1 })).toEqual([['b'], ['a']]);
      expect(await keysOf(bot.client, { ids: [b] })).toEqual(['b']);
      expect(await keysOf(bot.client, { ids: [foreign] })).toEqual([]);
    });

    it('accepts 50 ids', async () => {
      const bot = await newBot();
      const ids = await Promise.all(Array.from({ length: 50 }, (_, i) => announce(bot.client, `${i}`)));

      const { files } = await bot.client.listFiles({ ids, pageSize: 100 });

      expect(files.map(({ id }) => id).sort()).toEqual([...ids].sort());
    });

    it('combines ids with the other filters', async () => {
      const bot = await newBot();
      const a = await announce(bot.client, 'a', { tags: { t: '1' }, index: true });
      const b = await announce(bot.client, 'b', { tags: { t: '1' } });
      const c = await announce(bot.client, 'c', { index: true });
      await announce(bot.client, 'd', { tags: { t: '1' }, index: true });

      expect(await keysOf(bot.client, { ids: [a, b, c], tags: { t: '1' }, indexed: true })).toEqual(['a']);
      expect(await keysOf(bot.client, { ids: [a, b, c], indexed: false })).toEqual(['b']);
    });

    it('ignores ids of other records of the bot', async () => {
      const bot = await newBot();
      await announce(bot.client, 'a', { tags: { file: 'x', shared: 'y' } });

      const { status, body } = await bot.callFiles('GET', '?ids=tagNames%23file%40bot');

      expect({ status, body }).toEqual({ status: 200, body: { files: [], meta: {} } });
    });

    it('omits files that the caller cannot read, and includes those shared with an integration', async () => {
      const bot = await newBot();
      const own = await announce(bot.integration, 'own');
      const closed = await announce(bot.client, 'closed');
      const shared = await announce(bot.client, 'shared', { accessPolicies: ['integrations'] });
      const ids = [own, closed, shared];

      expect(await keysOf(bot.integration, { ids, sortField: 'key', sortDirection: 'asc' })).toEqual(['own', 'shared']);
      expect(await keysOf(bot.client, { ids, sortField: 'key', sortDirection: 'asc' })).toEqual(['closed', 'shared']);
    });
  });

  it('filters by indexed, and reflects a change immediately', async () => {
    const bot = await newBot();
    await announce(bot.client, 'indexed', { index: true });
    await announce(bot.client, 'not');
    expect(await keysOf(bot.client, { indexed: true })).toEqual(['indexed']);
    expect(await keysOf(bot.client, { indexed: false })).toEqual(['not']);

    await bot.client.upsertFile({ key: 'indexed', size: 1, index: false });
    await bot.client.upsertFile({ key: 'not', size: 1, index: true });

    expect(await keysOf(bot.client, { indexed: true })).toEqual(['not']);
    expect(await keysOf(bot.client, { indexed: false })).toEqual(['indexed']);
    expect(await keysOf(bot.client, { indexed: true, tags: { a: { not: 'x' } } })).toEqual(['not']);
  });

  it('neither skips nor repeats files when others are added and deleted between pages', async () => {
    const workspace = await newWorkspace();
    const plan = fc.record({
      before: fc.integer({ min: 0, max: 8 }),
      /** Changes after each page: number of new files, and old files to delete. */
      between: fc.array(fc.record({ inserted: fc.nat(2), deleted: fc.array(fc.nat(100), { maxLength: 2 }) }), {
        maxLength: 4,
      }),
      pageSize: fc.integer({ min: 1, max: 4 }),
      sortField: fc.constantFrom(...SORT_FIELDS),
      sortDirection: fc.constantFrom('asc' as const, 'desc' as const),
      filters: fc.constantFrom({}, { tags: { t: ['1', '2'] } }, { tags: { u: { not: 'x' } } }, { indexed: true }),
    });

    await fc.assert(
      fc.asyncProperty(plan, async ({ before, between, filters, ...query }) => {
        const bot = await newBot(workspace);
        const created = new Map<string, number>();
        const make = async () => {
          const key = randomUUID();
          await announce(bot.client, key, { tags: { t: '1' }, index: true });
          created.set(key, created.size);
          return key;
        };
        const stayed = new Set<string>();
        for (let i = 0; i < before; i++) stayed.add(await make());
        const gone = new Set<string>();
        const shown: string[] = [];

        let nextToken: string | undefined;
        for (let page = 0; ; page++) {
          const { files, meta } = await bot.client.listFiles({ ...filters, ...query, nextToken });
          const keys = files.map(({ key }) => key);
          expect(keys.length).toBeLessThanOrEqual(query.pageSize);
          expect(keys.filter(key => gone.has(key))).toEqual([]);
          shown.push(...keys);
          nextToken = meta.nextToken;
          if (!nextToken) break;
          const { inserted, deleted } = between[page] ?? { inserted: 0, deleted: [] };
          for (let i = 0; i < inserted; i++) await make();
          for (const nth of deleted) {
            const key = [...stayed][nth % Math.max(1, stayed.size)];
            if (key === undefined) continue;
            await bot.client.deleteFile({ id: key });
            stayed.delete(key);
            gone.add(key);
          }
        }

        expect(new Set(shown).size).toBe(shown.length);
        expect(shown).toEqual(expect.arrayContaining([...stayed]));
        // All files have equal sizes and statuses.
        if (query.sortField === 'size' || query.sortField === 'status') return;
        const places = shown.map(key => (query.sortField === 'key' ? key : String(created.get(key)).padStart(3, '0')));
        const sorted = [...places].sort();
        expect(places).toEqual(query.sortDirection === 'asc' ? sorted : sorted.reverse());
      }),
      { numRuns: 8 },
    );
  });

  describe('to an integration', () => {
    let bot: TestBot;
    let integration: AdminClient;
    beforeAll(async () => {
      bot = await newBot();
      integration = bot.integration;
      const other = await addIntegration(bot);
      const shared: Announcement = { accessPolicies: ['integrations'], tags: { t: '1' }, index: true };
      const closed: Announcement = { tags: { t: '1' }, index: true };
      await announce(bot.client, 'a-closed', closed);
      await announce(bot.client, 'b-shared', shared);
      await announce(integration, 'c-own', closed);
      await announce(other, 'd-closed', closed);
      await announce(integration, 'e-own-shared', shared);
      await announce(other, 'f-shared', shared);
      await announce(bot.client, 'g-public', { ...closed, accessPolicies: ['public_content'] });
    });
    const VISIBLE = ['b-shared', 'c-own', 'e-own-shared', 'f-shared'];

    it.each([
      ['all', {}],
      ['those with a tag', { tags: { t: '1' } }],
      ['those without a tag', { tags: { u: { not: '1' } } }],
      ['those that are indexed', { indexed: true }],
    ])('lists its own and shared files once, in a single order: %s', async (_, filters) => {
      // Covers every filter, and every order without a filter.
      const isEach = Object.keys(filters).length === 0;
      for (const sortField of isEach ? SORT_FIELDS : (['createdAt', 'key'] as const)) {
        const whole = await keysOf(integration, { ...filters, sortField, sortDirection: 'asc' });
        const backwards = await keysOf(integration, { ...filters, sortField, sortDirection: 'desc' });
        const pages = await pagesOf(integration, { ...filters, sortField, sortDirection: 'asc', pageSize: 1 });

        expect([...whole].sort()).toEqual(VISIBLE);
        if (sortField === 'key' || sortField === 'createdAt' || sortField === 'updatedAt') {
          expect(whole).toEqual(VISIBLE);
        }
        expect(backwards).toEqual([...whole].reverse());
        expect(pages).toEqual(whole.map(key => [key]));
      }
    });

    it('lists no files of another bot', async () => {
      const stranger = await newBot();

      expect(await keysOf(bot.client, { sortField: 'key', sortDirection: 'asc' })).toEqual([
        'a-closed',
        'b-shared',
        'g-public',
      ]);
      expect(await keysOf(bot.client, { tags: { t: '1' }, sortField: 'size' })).toHaveLength(3);
      expect(await keysOf(stranger.client)).toEqual([]);
      expect(await keysOf(stranger.integration)).toEqual([]);
    });

    it('omits a file from every order once it has lost the policy or was deleted', async () => {
      const other = await newBot();
      const tags = { t: '1' };
      const closing = await announce(other.client, 'closing', { accessPolicies: ['integrations'], tags });
      const going = await announce(other.client, 'going', { accessPolicies: ['integrations'], tags });
      await eventually(async () => expect(await keysOf(other.integration)).toEqual(['going', 'closing']));

      await other.client.updateFileMetadata({ id: closing, accessPolicies: ['public_content'] });
      await other.client.deleteFile({ id: going });

      for (const sortField of SORT_FIELDS) {
        expect(await keysOf(other.integration, { sortField })).toEqual([]);
        expect(await keysOf(other.integration, { sortField, tags })).toEqual([]);
      }
      expect(await keysOf(other.integration, { ids: [closing, going] })).toEqual([]);
      await other.client.updateFileMetadata({ id: closing, accessPolicies: ['integrations'] });
      for (const sortField of SORT_FIELDS) {
        await eventually(async () => expect(await keysOf(other.integration, { sortField, tags })).toEqual(['closing']));
      }
    });
  });

  describe('an invalid query', () => {
    let bot: TestBot;
    beforeAll(async () => {
      bot = await newBot();
      for (const key of ['a', 'b']) await announce(bot.client, key);
    });

    it.each([
      ['sortField=name', 'sortField'],
      ['sortDirection=up', 'sortDirection'],
      [Array.from({ length: 51 }, (_, i) => `ids=${i}`).join('&'), 'ids'],
      ['tags=red', 'tags'],
      ['tags[color][is]=red', 'tags.color'],
      ['tags[color][not][not]=red', 'tags.color'],
      ['tags={"color":{"not":[]}}', 'tags.color'],
      ['tags={"color":1}', 'tags.color'],
      ['tags={"a.b":"red"}', 'tags.a.b'],
      ['tags={"a b":"red"}', 'tags.a b'],
      [`tags={"color":"${'x'.repeat(1_001)}"}`, 'tags.color'],
      ['indexed=yes', 'indexed'],
      ['pageSize=0', 'pageSize'],
      ['pageSize=101', 'pageSize'],
      ['pageSize=all', 'pageSize'],
      ['nextToken=garbage', 'nextToken'],
    ])('returns 400 and names the fault in ?%s', async (query, path) => {
      const { status, body } = await bot.callFiles('GET', `?${query}`);

      expect({ status, type: body.type }).toEqual({ status: 400, type: 'InvalidPayload' });
      expect(body.metadata.issues.map((issue: { path: string }) => issue.path)).toContain(path);
    });

    it('returns 400 for a nextToken of another list', async () => {
      const stranger = await newBot();
      const { meta } = await bot.client.listFiles({ pageSize: 1 });
      const query = `pageSize=1&nextToken=${meta.nextToken}`;
      const { integration } = bot.tokens;
      const headers = { 'x-integration-alias': 'chat' };

      const answers = await Promise.all([
        bot.callFiles('GET', `?${query}&sortField=key`),
        bot.callFiles('GET', `?${query}&tags[a]=1`),
        bot.callFiles('GET', `/tags?${query}`),
        bot.callFiles('GET', `?${query}`, { token: integration, headers }),
        stranger.callFiles('GET', `?${query}`),
      ]);

      for (const { status, body } of answers) {
        expect({ status, path: body.metadata?.issues?.[0].path }).toEqual({ status: 400, path: 'nextToken' });
      }
      expect((await bot.callFiles('GET', `?${query}`)).status).toBe(200);
    });
  });
});
