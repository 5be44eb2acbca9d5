import { beforeAll, describe, expect, it } from 'vitest';
import { newBot, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const UNKNOWN = `kb_${'0'.repeat(25)}`;

describe('PUT /v1/files/knowledge-bases/{id}', () => {
  let bot: TestBot;
  beforeAll(async () => {
    bot = await newBot();
  });

  it('updates the name and single tags', async () => {
    const { knowledgeBase } = await bot.client.createKnowledgeBase({ name: 'Old', tags: { a: '1', b: '2', c: '3' } });
    const { id } = knowledgeBase;

    const { status, body } = await bot.callFiles('PUT', `/knowledge-bases/${id}`, {
      body: { name: 'New', tags: { a: null, b: '', c: '4', d: '5' } },
    });

    const changed = { id, name: 'New', tags: { c: '4', d: '5' } };
    expect({ status, body }).toEqual({ status: 200, body: { knowledgeBase: changed } });
    const { knowledgeBases } = await bot.client.listKnowledgeBases({});
    expect(knowledgeBases.find(each => each.id === id)).toEqual({ ...changed, createdAt: expect.any(String) });
  });

  it('keeps omitted tags, and the position in the list', async () => {
    const other = await newBot();
    const { knowledgeBase } = await other.client.createKnowledgeBase({ name: 'Old', tags: { a: '1' } });
    await other.client.createKnowledgeBase({ name: 'Younger' });
    const [, before] = (await other.client.listKnowledgeBases({})).knowledgeBases;

    await other.client.updateKnowledgeBase({ id: knowledgeBase.id, name: 'New' });

    const { knowledgeBases } = await other.client.listKnowledgeBases({});
    expect(knowledgeBases[1]).toEqual({ ...before, name: 'New' });
  });

  it('keeps all concurrent updates', async () => {
    const { knowledgeBase } = await bot.client.createKnowledgeBase({ name: 'Busy', tags: { kind: 'busy' } });
    const names = Array.from({ length: 8 }, (_, i) => `t${i}`);

    await Promise.all(
      names.map(name => bot.client.updateKnowledgeBase({ id: knowledgeBase.id, name: 'Busy', tags: { [name]: 'x' } })),
    );

    const { knowledgeBases } = await bot.client.listKnowledgeBases({ tags: { kind: 'busy' } });
    expect(Object.keys(knowledgeBases[0]!.tags).sort()).toEqual(['kind', ...names]);
  });

  it("returns 404 for an unknown knowledge base and for another owner's", async () => {
    const stranger = await newBot();
    const { knowledgeBase: own } = await bot.client.createKnowledgeBase({ name: 'Of the bot' });
    const { knowledgeBase: its } = await bot.integration.createKnowledgeBase({ name: 'Of the integration' });
    const change = { name: 'Mine' };

    await expect(bot.client.updateKnowledgeBase({ id: UNKNOWN, ...change })).rejects.toMatchObject({ code: 404 });
    await expect(bot.client.updateKnowledgeBase({ id: its.id, ...change })).rejects.toMatchObject({ code: 404 });
    await expect(bot.integration.updateKnowledgeBase({ id: own.id, ...change })).rejects.toMatchObject({ code: 404 });
    await expect(stranger.client.updateKnowledgeBase({ id: own.id, ...change })).rejects.toMatchObject({ code: 404 });

    const { knowledgeBases } = await bot.integration.listKnowledgeBases({});
    expect(knowledgeBases.map(({ name }) => name)).toEqual(['Of the integration']);
  });

  it.each(['no-id', '..%2F..', '%00', 'x'.repeat(1_100)])('returns 404 for the id %s', async id => {
    const { status, body } = await bot.callFiles('PUT', `/knowledge-bases/${id}`, { body: { name: 'a' } });

    expect({ status, type: body.type }).toEqual({ status: 404, type: 'ResourceNotFound' });
  });

  it.each([
    ['no name', { tags: {} }, 'name'],
    ['an empty name', { name: '' }, 'name'],
    ['a name of 201 characters', { name: 'x'.repeat(201) }, 'name'],
    ['a tag of 1,001 characters', { name: 'a', tags: { t: 'x'.repeat(1_001) } }, 'tags.t'],
    ['more than 50 tags including existing ones', { name: 'a', tags: someTags(50) }, 'tags'],
  ])('returns 400 that names the invalid field, and changes nothing: %s', async (_, body, path) => {
    const { knowledgeBase } = await bot.client.createKnowledgeBase({ name: 'Old', tags: { own: 'x' } });

    const answer = await bot.callFiles('PUT', `/knowledge-bases/${knowledgeBase.id}`, { body });

    expect(answer).toMatchObject({ status: 400, body: { type: 'InvalidPayload' } });
    expect(answer.body.metadata.issues[0].path).toBe(path);
    const { knowledgeBases } = await bot.client.listKnowledgeBases({});
    expect(knowledgeBases.find(({ id }) => id === knowledgeBase.id)).toMatchObject(knowledgeBase);
  });
});

function someTags(count: number): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`t${i}`, 'x']));
}
