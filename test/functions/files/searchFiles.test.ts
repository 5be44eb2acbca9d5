import { beforeAll, describe, expect, it } from 'vitest';
import { upload } from '#test/support/files.ts';
import { eventually, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const ANIMALS = `# Animals

## Cats

Cats are small animals that sleep in the sun for most of the day, and hunt mice in the night. They were tamed long ago.

## Dogs

Dogs are loyal animals that like to run after balls, and guard the house of their owner at all times of the day.

## Whales

Whales are the largest animals of the sea. They breathe air, and the blue whale eats four tonnes of krill each day.
`;
const KITCHEN = `# Kitchen

Boil the potatoes in salted water for twenty minutes, until a knife goes in without any effort. Drain and mash them.

Serve the mashed potatoes with melted butter and some nutmeg, as long as they are hot. Product code KX-4711.
`;

describe('GET /v1/files/search', () => {
  let bot: TestBot;
  beforeAll(async () => {
    bot = await newBot();
    await upload(bot.client, { key: 'animals.md', content: ANIMALS, index: true, tags: { kind: 'nature', a: '1' } });
    await upload(bot.client, {
      key: 'kitchen.md',
      content: KITCHEN,
      index: true,
      tags: { kind: 'home' },
      metadata: { author: 'Ada' },
    });
    await upload(bot.client, { key: 'not-indexed.md', content: 'Whales and potatoes.' });
  });
  const search = (options: Parameters<TestBot['client']['searchFiles']>[0]) =>
    bot.client.searchFiles({ contextDepth: 0, ...options }).then(({ passages }) => passages);

  it.each([
    ['what eats krill in the ocean', 'Whales are the largest'],
    ['sleeping cat', 'Cats are small'],
    ['KX-4711', 'Serve the mashed'],
    ['boiling potato', 'Boil the potatoes'],
  ])('ranks the passage that answers “%s” first', async (query, start) => {
    const [first] = await search({ query });

    expect(first!.content).toContain(start);
  });

  it('returns file, position and a score between 0 and 1, best first', async () => {
    const passages = await search({ query: 'mashed potatoes with butter' });

    expect(passages[0]).toMatchObject({
      meta: { type: 'chunk', subtype: 'paragraph', position: expect.any(Number) },
      file: {
        id: expect.stringMatching(/^file_/),
        key: 'kitchen.md',
        contentType: 'text/markdown',
        tags: { kind: 'home' },
        metadata: { author: 'Ada' },
      },
    });
    const scores = passages.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    for (const score of scores) expect(score >= 0 && score <= 1).toBe(true);
    expect(passages.every(({ file }) => file.key !== 'not-indexed.md')).toBe(true);
  });

  it('filters by required and excluded tags', async () => {
    const keys = async (tags: object) => [
      ...new Set((await search({ query: 'animals and potatoes', tags })).map(({ file }) => file.key)),
    ];

    expect(await keys({ kind: 'home' })).toEqual(['kitchen.md']);
    expect(await keys({ kind: ['nature', 'other'] })).toEqual(['animals.md']);
    expect(await keys({ kind: { not: 'home' } })).toEqual(['animals.md']);
    expect(await keys({ kind: 'nature', a: '2' })).toEqual([]);
    expect((await keys({})).sort()).toEqual(['animals.md', 'kitchen.md']);
  });

  it('includes the passages before and after, within the file', async () => {
    const [dogs] = await search({ query: 'loyal dogs', contextDepth: 1 });
    const [alone] = await search({ query: 'loyal dogs', contextDepth: 0 });
    const [byDefault] = await bot.client.searchFiles({ query: 'loyal dogs' }).then(({ passages }) => passages);

    expect(dogs!.content).toMatch(/Cats are small[\s\S]*Dogs are loyal[\s\S]*Whales are the largest/);
    expect(alone!.content).not.toMatch(/Cats are|Whales are/);
    expect(byDefault!.content).toBe(dogs!.content);
  });

  it('returns the context of each passage separately on request', async () => {
    const [dogs] = await search({ query: 'loyal dogs', contextDepth: 1, withContext: true, includeBreadcrumb: true });

    expect(dogs!.context!.map(({ type, offset }) => [type, offset])).toEqual([
      ['breadcrumb', undefined],
      ['preceding', -1],
      ['current', 0],
      ['subsequent', 1],
    ]);
    expect(dogs!.context![0]).toEqual({ type: 'breadcrumb', text: 'Animals > Dogs' });
    expect(dogs!.context![2]!.text).toContain('Dogs are loyal');
    expect(dogs!.content.startsWith('Animals > Dogs')).toBe(true);
    const passages = await bot.client.listFilePassages({ id: 'animals.md' });
    expect(passages.passages.map(({ id }) => id)).toEqual(
      expect.arrayContaining(dogs!.context!.slice(1).map(({ id }) => id)),
    );
  });

  it('consolidates the passages of each file', async () => {
    const passages = await search({ query: 'animals of the day', consolidate: true, withContext: true });

    const keys = passages.map(({ file }) => file.key);
    expect(new Set(keys).size).toBe(keys.length);
    const animals = passages.find(({ file }) => file.key === 'animals.md')!;
    expect(animals.meta).toEqual({ type: 'consolidated' });
    expect(animals.context).toBeUndefined();
    expect(animals.content).toMatch(/Cats are small[\s\S]*Dogs are loyal[\s\S]*Whales are the largest/);
    expect(animals.content.match(/Dogs are loyal/g)).toHaveLength(1);
  });

  it('returns up to 20 passages by default, and up to 50 on request', async () => {
    const many = await newBot();
    const passages = Array.from({ length: 60 }, (_, i) => ({ content: `The yak number ${i} is woolly.` }));
    await upload(many.client, { key: 'yaks.md', content: 'x', index: true });
    await many.client.setFilePassages({ id: 'yaks.md', passages });
    const found = async (limit?: number) =>
      (await many.client.searchFiles({ query: 'woolly yak', contextDepth: 0, ...(limit ? { limit } : {}) })).passages;
    await eventually(async () => expect(await found(50)).toHaveLength(50));

    expect(await found()).toHaveLength(20);
    expect(await found(1)).toHaveLength(1);
  });

  it('reflects a change of tags, policies and content immediately', async () => {
    const changing = await newBot();
    const { id } = await upload(changing.client, { key: 'a.md', content: 'The ibex climbs.', index: true });
    const seen = async (client = changing.client, tags?: object) =>
      (await client.searchFiles({ query: 'ibex', ...(tags ? { tags } : {}) })).passages.length;

    expect([await seen(), await seen(changing.integration)]).toEqual([1, 0]);
    await changing.client.updateFileMetadata({ id, tags: { t: '1' }, accessPolicies: ['integrations'] });
    expect([await seen(changing.client, { t: '1' }), await seen(changing.integration)]).toEqual([1, 1]);
    await changing.client.updateFileMetadata({ id, tags: { t: null }, accessPolicies: [] });
    expect([await seen(changing.client, { t: '1' }), await seen(changing.integration)]).toEqual([0, 0]);
    await changing.client.deleteFile({ id });
    expect(await seen()).toBe(0);
  });

  it('accepts a query of 1 KB, and one without words', async () => {
    const queries = ['x'.repeat(1024), 'ä'.repeat(512), '🐈', '???', 'the of and', 'השמש', '東京'];

    const answers = await Promise.all(
      queries.map(query => bot.callFiles('GET', `/search?query=${encodeURIComponent(query)}`)),
    );

    expect(answers.map(({ status }) => status)).toEqual(queries.map(() => 200));
  });

  it.each([
    ['no query', '', 'query'],
    ['an empty query', '?query=%20', 'query'],
    ['more than 1 KB', `?query=${'x'.repeat(1025)}`, 'query'],
    ['more than 1 KB in bytes', `?query=${encodeURIComponent('ä'.repeat(513))}`, 'query'],
    ['a limit of 51', '?query=a&limit=51', 'limit'],
    ['no limit at all', '?query=a&limit=0', 'limit'],
    ['a context of 11', '?query=a&contextDepth=11', 'contextDepth'],
    ['a word for a boolean', '?query=a&consolidate=maybe', 'consolidate'],
  ])('returns 400 and names the invalid parameter: %s', async (_, query, path) => {
    const { status, body } = await bot.callFiles('GET', `/search${query}`);

    expect({ status, type: body.type }).toEqual({ status: 400, type: 'InvalidPayload' });
    expect(body.metadata.issues[0].path).toBe(path);
  });
});
