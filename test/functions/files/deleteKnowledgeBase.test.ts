import { describe, expect, it } from 'vitest';
import { fileOf } from '#test/support/files.ts';
import { newBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const UNKNOWN = `kb_${'0'.repeat(25)}`;

describe('DELETE /v1/files/knowledge-bases/{id}', () => {
  it('deletes the knowledge base, returns an empty object, and keeps its files with their tags', async () => {
    const bot = await newBot();
    const { knowledgeBase } = await bot.client.createKnowledgeBase({ name: 'Manuals' });
    const { knowledgeBase: other } = await bot.client.createKnowledgeBase({ name: 'Guides' });
    const tags = { kbId: knowledgeBase.id, t: '1' };
    const { file } = await bot.client.upsertFile({ key: 'a.md', size: 1, tags });

    const { status, body } = await bot.callFiles('DELETE', `/knowledge-bases/${knowledgeBase.id}`);

    expect({ status, body }).toEqual({ status: 200, body: {} });
    expect((await bot.client.listKnowledgeBases({})).knowledgeBases.map(({ id }) => id)).toEqual([other.id]);
    expect(await fileOf(bot.client, file.id)).toMatchObject({ tags, index: true });
    expect((await bot.client.listFiles({ tags: { kbId: knowledgeBase.id } })).files.map(({ id }) => id)).toEqual([
      file.id,
    ]);
  });

  it('keeps linked files editable, but accepts no new links', async () => {
    const bot = await newBot();
    const { knowledgeBase } = await bot.client.createKnowledgeBase({ name: 'Manuals' });
    await bot.client.upsertFile({ key: 'a.md', size: 1, tags: { kbId: knowledgeBase.id } });
    await bot.client.upsertFile({ key: 'b.md', size: 1 });
    await bot.client.deleteKnowledgeBase({ id: knowledgeBase.id });

    const { file } = await bot.client.updateFileMetadata({ id: 'a.md', tags: { t: '1' } });
    const refused = await bot.callFiles('PUT', '/b.md', { body: { tags: { kbId: knowledgeBase.id } } });

    expect(file.tags).toEqual({ kbId: knowledgeBase.id, t: '1' });
    expect(refused).toMatchObject({ status: 400, body: { type: 'ReferenceNotFound' } });
  });

  it('returns 404 for a deleted knowledge base', async () => {
    const bot = await newBot();
    const { knowledgeBase } = await bot.client.createKnowledgeBase({ name: 'Manuals' });
    await bot.client.deleteKnowledgeBase({ id: knowledgeBase.id });

    const answer = await bot.callFiles('DELETE', `/knowledge-bases/${knowledgeBase.id}`);

    expect(answer).toMatchObject({ status: 404, body: { type: 'ResourceNotFound' } });
  });

  it('returns 404 to other owners and deletes nothing', async () => {
    const [bot, stranger] = [await newBot(), await newBot()];
    const { knowledgeBase: own } = await bot.client.createKnowledgeBase({ name: 'Of the bot' });
    const { knowledgeBase: its } = await bot.integration.createKnowledgeBase({ name: 'Of the integration' });

    await expect(bot.client.deleteKnowledgeBase({ id: its.id })).rejects.toMatchObject({ code: 404 });
    await expect(bot.integration.deleteKnowledgeBase({ id: own.id })).rejects.toMatchObject({ code: 404 });
    await expect(stranger.client.deleteKnowledgeBase({ id: own.id })).rejects.toMatchObject({ code: 404 });

    expect((await bot.client.listKnowledgeBases({})).knowledgeBases).toHaveLength(1);
    expect((await bot.integration.listKnowledgeBases({})).knowledgeBases).toHaveLength(1);
  });

  it.each([UNKNOWN, 'no-id', '..%2F..', '%00', 'x'.repeat(1_100)])('returns 404 for the id %s', async id => {
    const bot = await newBot();

    const { status, body } = await bot.callFiles('DELETE', `/knowledge-bases/${id}`);

    expect({ status, type: body.type }).toEqual({ status: 404, type: 'ResourceNotFound' });
  });
});
