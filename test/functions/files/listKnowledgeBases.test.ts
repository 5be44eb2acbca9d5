import { beforeAll, describe, expect, it } from 'vitest';
import { type AdminClient, newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

type Filters = Parameters<AdminClient['listKnowledgeBases']>[0];
const namesOf = async (client: AdminClient, filters: Filters = {}): Promise<string[]> =>
  (await client.listKnowledgeBases(filters)).knowledgeBases.map(({ name }) => name);

/** Returns the names on each page. */
async function pagesOf(client: AdminClient, filters: Filters): Promise<string[][]> {
  const pages: string[][] = [];
  let nextToken: string | undefined;
  do {
    const { knowledgeBases, meta } = await client.listKnowledgeBases({ ...filters, nextToken });
    pages.push(knowledgeBases.map(({ name }) => name));
    nextToken = meta.nextToken;
  } while (nextToken && pages.length < 100);
  return pages;
}

describe('GET /v1/files/knowledge-bases', () => {
  let bot: TestBot;
  beforeAll(async () => {
    bot = await newBot();
    await bot.client.createKnowledgeBase({ name: 'b', tags: { team: 'support', lang: 'de' } });
    await bot.client.createKnowledgeBase({ name: 'c', tags: { team: 'sales' } });
    await bot.client.createKnowledgeBase({ name: 'a', tags: { team: 'support', lang: 'en' } });
    await bot.client.createKnowledgeBase({ name: 'd' });
    await bot.integration.createKnowledgeBase({ name: 'of the integration', tags: { team: 'support' } });
  });

  it('lists the newest knowledge bases first', async () => {
    const { status, body } = await bot.callFiles('GET', '/knowledge-bases');

    expect(status).toBe(200);
    expect(body.meta).toEqual({});
    expect(body.knowledgeBases.map(({ name }: { name: string }) => name)).toEqual(['d', 'a', 'c', 'b']);
    expect(body.knowledgeBases[1]).toEqual({
      id: expect.stringMatching(/^kb_/),
      name: 'a',
      tags: { team: 'support', lang: 'en' },
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    const times = body.knowledgeBases.map(({ createdAt }: { createdAt: string }) => createdAt);
    expect(times).toEqual([...times].sort().reverse());
  });

  it('pages consistently while knowledge bases are added and deleted', async () => {
    const other = await newBot();
    const ids: string[] = [];
    for (const name of ['1', '2', '3', '4', '5']) {
      ids.push((await other.client.createKnowledgeBase({ name })).knowledgeBase.id);
    }
    expect(await pagesOf(other.client, { pageSize: 2 })).toEqual([['5', '4'], ['3', '2'], ['1']]);

    const first = await other.client.listKnowledgeBases({ pageSize: 2 });
    await other.client.createKnowledgeBase({ name: '6' });
    await other.client.deleteKnowledgeBase({ id: ids[3]! });
    await other.client.deleteKnowledgeBase({ id: ids[2]! });
    const second = await other.client.listKnowledgeBases({ pageSize: 2, nextToken: first.meta.nextToken });

    expect(second.knowledgeBases.map(({ name }) => name)).toEqual(['2', '1']);
    expect(second.meta).toEqual({});
  });

  it.each([
    ['a value', { team: 'support' }, ['a', 'b']],
    ['one of several values', { team: ['support', 'sales'] }, ['a', 'c', 'b']],
    ['not a value', { team: { not: 'support' } }, ['d', 'c']],
    ['none of several values', { team: { not: ['support', 'sales'] } }, ['d']],
    ['values of two names', { team: 'support', lang: 'de' }, ['b']],
    ['a value and not another', { team: ['support', 'sales'], lang: { not: 'de' } }, ['a', 'c']],
    ['a value that none has', { team: 'research' }, []],
  ])('filters by tags: %s', async (_, tags, names) => {
    expect(await namesOf(bot.client, { tags })).toEqual(names);
    expect((await pagesOf(bot.client, { tags, pageSize: 1 })).flat()).toEqual(names);
  });

  it('accepts tag filters in brackets and as JSON', async () => {
    for (const query of [
      'tags[team]=sales',
      'tags={"team":"sales"}',
      'tags={"team":{"not":["support"]},"lang":{"not":"x"}}',
    ]) {
      const { status, body } = await bot.callFiles('GET', `/knowledge-bases?${query}`);

      expect(status).toBe(200);
      expect(body.knowledgeBases.map(({ name }: { name: string }) => name)).toContain('c');
      expect(body.knowledgeBases.map(({ name }: { name: string }) => name)).not.toContain('b');
    }
  });

  it('lists only the caller’s own knowledge bases to the bot, an integration and another bot', async () => {
    const stranger = await newBot();

    expect(await namesOf(bot.integration)).toEqual(['of the integration']);
    expect(await namesOf(bot.client, { tags: { team: 'support' } })).toEqual(['a', 'b']);
    expect(await namesOf(stranger.client)).toEqual([]);
    expect(await namesOf(stranger.integration)).toEqual([]);
  });

  it.each([
    ['pageSize=0', 'pageSize'],
    ['pageSize=101', 'pageSize'],
    ['nextToken=garbage', 'nextToken'],
    ['tags=support', 'tags'],
    ['tags[team][is]=support', 'tags.team'],
    ['tags={"a.b":"x"}', 'tags.a.b'],
  ])('returns 400 that names the invalid parameter: ?%s', async (query, path) => {
    const { status, body } = await bot.callFiles('GET', `/knowledge-bases?${query}`);

    expect({ status, type: body.type }).toEqual({ status: 400, type: 'InvalidPayload' });
    expect(body.metadata.issues[0].path).toBe(path);
  });

  it('returns 400 for a nextToken of another list', async () => {
    const { meta } = await bot.client.listKnowledgeBases({ pageSize: 1 });
    const query = `pageSize=1&nextToken=${meta.nextToken}`;

    const answers = await Promise.all([
      bot.callFiles('GET', `/knowledge-bases?${query}&tags.team=support`),
      bot.callFiles('GET', `?${query}`),
      bot.callFiles('GET', `/knowledge-bases?${query}`, {
        token: bot.tokens.integration,
        headers: { 'x-integration-alias': 'chat' },
      }),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400]);
    expect((await bot.callFiles('GET', `/knowledge-bases?${query}`)).status).toBe(200);
  });
});
