import { describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { newBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('POST /v1/files/knowledge-bases', () => {
  it('creates a knowledge base and lists it', async () => {
    const bot = await newBot();

    const { status, body } = await bot.callFiles('POST', '/knowledge-bases', {
      body: { name: 'Manuals', tags: { team: 'support', empty: '' } },
    });

    const knowledgeBase = { id: expect.stringMatching(/^kb_/), name: 'Manuals', tags: { team: 'support' } };
    expect({ status, body }).toEqual({ status: 201, body: { knowledgeBase } });
    const { knowledgeBases } = await bot.client.listKnowledgeBases({});
    expect(knowledgeBases).toEqual([{ ...body.knowledgeBase, createdAt: expect.any(String) }]);
    expect(Math.abs(Date.parse(knowledgeBases[0]!.createdAt) - clock.now())).toBeLessThan(3_600_000);
  });

  it('creates two knowledge bases with the same name', async () => {
    const bot = await newBot();

    const one = await bot.client.createKnowledgeBase({ name: 'Manuals' });
    const two = await bot.client.createKnowledgeBase({ name: 'Manuals' });

    expect(one.knowledgeBase.id).not.toBe(two.knowledgeBase.id);
    expect((await bot.client.listKnowledgeBases({})).knowledgeBases).toHaveLength(2);
  });

  it('creates one knowledge base per Idempotency-Key', async () => {
    const bot = await newBot();
    const request = { body: { name: 'Manuals' }, headers: { 'idempotency-key': 'k' } };

    const first = await bot.callFiles('POST', '/knowledge-bases', request);
    const again = await bot.callFiles('POST', '/knowledge-bases', request);

    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
    expect((await bot.client.listKnowledgeBases({})).knowledgeBases).toHaveLength(1);
  });

  it("separates knowledge bases of the bot and of an integration, which accept only their owner's files", async () => {
    const bot = await newBot();
    const { knowledgeBase: own } = await bot.client.createKnowledgeBase({ name: 'Of the bot' });
    const { knowledgeBase: its } = await bot.integration.createKnowledgeBase({ name: 'Of the integration' });

    const { file } = await bot.client.upsertFile({ key: 'a', size: 1, tags: { kbId: own.id } });
    const refused = await bot.callFiles('PUT', '', { body: { key: 'b', size: 1, tags: { kbId: its.id } } });

    expect(file.index).toBe(true);
    expect(refused).toMatchObject({ status: 400, body: { type: 'ReferenceNotFound' } });
  });

  it('accepts a name of 200 characters', async () => {
    const bot = await newBot();

    const { knowledgeBase } = await bot.client.createKnowledgeBase({ name: 'ä'.repeat(200) });

    expect(knowledgeBase.name).toBe('ä'.repeat(200));
  });

  it.each([
    ['no name', {}, 'name'],
    ['an empty name', { name: '' }, 'name'],
    ['a name of 201 characters', { name: 'x'.repeat(201) }, 'name'],
    ['a lone surrogate in the name', { name: 'a\ud800' }, 'name'],
    ['a name that is no text', { name: 1 }, 'name'],
    ['a tag that is no text', { name: 'a', tags: { t: 1 } }, 'tags.t'],
    ['a tag of 1,001 characters', { name: 'a', tags: { t: 'x'.repeat(1_001) } }, 'tags.t'],
    ['a tag name with a dot', { name: 'a', tags: { 'a.b': 'x' } }, 'tags.a.b'],
    ['51 tags', { name: 'a', tags: Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`t${i}`, 'x'])) }, 'tags'],
  ])('returns 400 and names the invalid field: %s', async (_, body, path) => {
    const bot = await newBot();

    const answer = await bot.callFiles('POST', '/knowledge-bases', { body });

    expect(answer).toMatchObject({ status: 400, body: { type: 'InvalidPayload' } });
    expect(answer.body.metadata.issues[0].path).toBe(path);
    expect((await bot.client.listKnowledgeBases({})).knowledgeBases).toEqual([]);
  });
});
