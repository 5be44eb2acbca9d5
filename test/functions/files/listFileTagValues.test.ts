import { beforeAll, describe, expect, it } from 'vitest';
import { type AdminClient, eventually, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

type Announcement = Partial<Parameters<AdminClient['upsertFile']>[0]>;

/** Announces a file without content. */
const announce = async (client: AdminClient, key: string, tags: Record<string, string>, more: Announcement = {}) =>
  (await client.upsertFile({ key, size: 1, tags, ...more })).file.id;
const valuesOf = async (client: AdminClient, tag: string): Promise<string[]> =>
  (await client.listFileTagValues({ tag })).values;

/** Returns the values on each page. */
async function pagesOf(client: AdminClient, tag: string, pageSize: number): Promise<string[][]> {
  const pages: string[][] = [];
  let nextToken: string | undefined;
  do {
    const { values, meta } = await client.listFileTagValues({ tag, pageSize, nextToken });
    pages.push(values);
    nextToken = meta.nextToken;
  } while (nextToken && pages.length < 100);
  return pages;
}

describe('GET /v1/files/tags/{tag}/values', () => {
  let bot: TestBot;
  beforeAll(async () => {
    bot = await newBot();
  });
  /** Announces a file for each value. */
  const announceEach = (tag: string, values: string[]) =>
    Promise.all(values.map((value, i) => announce(bot.client, `${tag}-${i}`, { [tag]: value })));

  it('lists each value once, sorted, and omits values of other bots', async () => {
    const stranger = await newBot();
    await announceEach('color', ['red', 'blue', 'red', 'green']);

    const { status, body } = await bot.callFiles('GET', '/tags/color/values');

    expect({ status, body }).toEqual({ status: 200, body: { values: ['blue', 'green', 'red'], meta: {} } });
    expect(await valuesOf(stranger.client, 'color')).toEqual([]);
    expect(await valuesOf(bot.client, 'nobody-has-it')).toEqual([]);
  });

  it('separates tag names that share a prefix', async () => {
    await announce(bot.client, 'alike', { name: 'a', 'name#more': 'b', 'name:more': 'c', names: 'd' });

    const values = await Promise.all(
      ['name', 'name#more', 'name:more', 'names', 'nam'].map(tag => valuesOf(bot.client, tag)),
    );

    expect(values).toEqual([['a'], ['b'], ['c'], ['d'], []]);
  });

  it.each(['a%b', '%41', 'a:b', 'a/b', 'a?b&c=d', '🐈', '2026', 'ä'.repeat(100)])(
    'lists the values of the tag %s',
    async tag => {
      await announce(bot.client, `special ${tag.slice(0, 10)}`, { [tag]: `of ${tag}` });

      expect(await valuesOf(bot.client, tag)).toEqual([`of ${tag}`]);
    },
  );

  it('lists values of 1,000 characters in full, and distinguishes values that share their first 300', async () => {
    const start = 'x'.repeat(300);
    const values = [`${start}1`, `${start}2`, `${start}2${'y'.repeat(699)}`, 'a', 'z'];
    await announceEach('long', values);

    const seen = await pagesOf(bot.client, 'long', 2);

    expect(seen.map(page => page.length)).toEqual([2, 2, 1]);
    expect(seen.flat().sort()).toEqual([...values].sort());
    expect([seen[0]![0], seen[2]![0]]).toEqual(['a', 'z']);
  });

  it('lists the longest value of the longest name in any script, for an integration too', async () => {
    const tag = '名'.repeat(100);
    const value = '値'.repeat(1_000);
    await announce(bot.integration, 'longest', { [tag]: value }, { accessPolicies: ['integrations'] });

    expect(await valuesOf(bot.integration, tag)).toEqual([value]);
  });

  it.each([
    ['as they are', ['A', 'a', 'aa', 'b', 'ä', 'ｱ', '\ue000', '🦜']],
    ['that are cut inside a surrogate pair', [0, 1, 2, 3].map(i => `${'x'.repeat(199)}🦜${i}`)],
    ['that look like other syntax', [' ', '#', '{"not":"x"}', 'true', '\n', '\u0000']],
    ['that start with the highest code point', ['a', '\u{10ffff}', '\u{10ffff}b']],
  ])('pages without gaps or duplicates over values %s', async (kind, values) => {
    const tag = kind.replaceAll(' ', '-');
    await announceEach(tag, values);

    for (const pageSize of [1, 3, 100]) {
      const seen = (await pagesOf(bot.client, tag, pageSize)).flat();
      expect(seen.sort()).toEqual([...values].sort());
    }
  });

  it('sorts by code points', async () => {
    const values = ['A', 'a', 'b', 'ä', 'ｱ', '🦜'];
    await announceEach('sorted', [...values].reverse());

    expect(await valuesOf(bot.client, 'sorted')).toEqual(values);
  });

  it('omits a value without files, and lists it again when a file gets it', async () => {
    const one = await announce(bot.client, 'mood-1', { mood: 'good' });
    const two = await announce(bot.client, 'mood-2', { mood: 'good' });
    const three = await announce(bot.client, 'mood-3', { mood: 'bad' });
    expect(await valuesOf(bot.client, 'mood')).toEqual(['bad', 'good']);

    await bot.client.updateFileMetadata({ id: one, tags: { mood: null } });
    await bot.client.deleteFile({ id: three });
    await eventually(async () => expect(await valuesOf(bot.client, 'mood')).toEqual(['good']));
    await bot.client.updateFileMetadata({ id: two, tags: { mood: 'worse' } });
    await eventually(async () => expect(await valuesOf(bot.client, 'mood')).toEqual(['worse']));
    await bot.client.updateFileMetadata({ id: one, tags: { mood: 'good' } });

    await eventually(async () => expect(await valuesOf(bot.client, 'mood')).toEqual(['good', 'worse']));
  });

  it('shows an integration each value of its own and shared files once', async () => {
    const other = await newBot();
    const shared: Announcement = { accessPolicies: ['integrations'] };
    await announce(other.client, 'closed', { t: 'of the bot' });
    const open = await announce(other.client, 'open', { t: 'of the open' }, shared);
    await announce(other.client, 'both', { t: 'both' }, shared);
    await announce(other.integration, 'own', { t: 'own' });
    await announce(other.integration, 'own both', { t: 'both' });
    await announce(other.integration, 'own and open', { t: 'own and open' }, shared);

    const seen = await valuesOf(other.integration, 't');

    expect([...seen].sort()).toEqual(['both', 'of the open', 'own', 'own and open']);
    for (const pageSize of [1, 2, 3]) expect((await pagesOf(other.integration, 't', pageSize)).flat()).toEqual(seen);
    expect(await valuesOf(other.client, 't')).toEqual(['both', 'of the bot', 'of the open']);
    await other.client.updateFileMetadata({ id: open, accessPolicies: [] });
    await other.integration.updateFileMetadata({ id: 'own both', tags: { t: 'mine' } });
    await eventually(async () =>
      expect((await valuesOf(other.integration, 't')).sort()).toEqual(['both', 'mine', 'own', 'own and open']),
    );
    await other.client.deleteFile({ id: 'both' });
    await eventually(async () =>
      expect((await valuesOf(other.integration, 't')).sort()).toEqual(['mine', 'own', 'own and open']),
    );
  });

  it('lists a value that equals the name of the internal tag of indexed files', async () => {
    await announceEach('odd', [' index', 'other']);

    expect(await valuesOf(bot.client, 'odd')).toEqual([' index', 'other']);
  });

  it('hides the internal tag of indexed files', async () => {
    await announce(bot.client, 'indexed', {}, { index: true });

    const { body } = await bot.callFiles('GET', '/tags/%20index/values');

    expect(JSON.stringify(body)).not.toContain('true');
  });

  it.each([
    ['/a/values?pageSize=0', 'pageSize'],
    ['/a/values?pageSize=101', 'pageSize'],
    ['/a/values?nextToken=garbage', 'nextToken'],
    ['/a%20b/values', 'tag'],
    ['/%20index/values', 'tag'],
    ['/a.b/values', 'tag'],
    [`/${'x'.repeat(101)}/values`, 'tag'],
    [`/${'x'.repeat(1_100)}/values`, 'tag'],
  ])('returns 400 that names the fault: %s', async (path, fault) => {
    const { status, body } = await bot.callFiles('GET', `/tags${path}`);

    expect({ status, path: body.metadata?.issues?.[0].path }).toEqual({ status: 400, path: fault });
  });

  it('returns 400 for a nextToken of another tag', async () => {
    await announce(bot.client, 'page-1', { page: '1', other: '1' });
    await announce(bot.client, 'page-2', { page: '2', other: '2' });
    const { meta } = await bot.client.listFileTagValues({ tag: 'page', pageSize: 1 });
    const query = `pageSize=1&nextToken=${meta.nextToken}`;

    const answer = await bot.callFiles('GET', `/tags/other/values?${query}`);

    expect({ status: answer.status, path: answer.body.metadata.issues[0].path }).toEqual({
      status: 400,
      path: 'nextToken',
    });
    expect((await bot.callFiles('GET', `/tags/page/values?${query}`)).body).toEqual({ values: ['2'], meta: {} });
  });
});
