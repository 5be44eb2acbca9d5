import { describe, expect, it } from 'vitest';
import { fetchContent, fileOf, untilStatus, upload } from '#test/support/files.ts';
import { eventually, newBot, newWorkspace, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('POST /v1/files/{idOrKey}/{destinationKey}', () => {
  it('copies content, tags, metadata and policies between keys with slashes', async () => {
    const bot = await newBot();
    const source = await upload(bot.client, {
      key: 'from/a b.txt',
      content: 'hello',
      tags: { t: '1' },
      metadata: { m: 1 },
      accessPolicies: ['public_content'],
    });

    const { file } = await bot.client.copyFile({ idOrKey: 'from/a b.txt', destinationKey: 'to/c.txt' });

    expect(file).toMatchObject({
      key: 'to/c.txt',
      size: 5,
      contentType: 'text/plain',
      tags: { t: '1' },
      metadata: { m: 1 },
      accessPolicies: ['public_content'],
      status: 'upload_completed',
    });
    expect(file.url).not.toBe(source.url);
    expect((await fetchContent(file.url)).text).toBe('hello');
    await bot.client.deleteFile({ id: source.id });
    await eventually(async () => expect((await fetchContent(source.url)).status).toBe(404));
    expect((await fetchContent(file.url)).text).toBe('hello');
  });

  it('indexes the copy of an indexed file', async () => {
    const bot = await newBot();
    await upload(bot.client, { key: 'a.md', content: 'The okapi is shy.', index: true });

    const { file } = await bot.client.copyFile({ idOrKey: 'a.md', destinationKey: 'b.md' });
    await untilStatus(bot.client, file.id, 'indexing_completed');

    const { passages } = await bot.client.searchFiles({ query: 'okapi' });
    expect(passages.map(each => each.file.key).sort()).toEqual(['a.md', 'b.md']);
  });

  it('replaces an existing file only with overwrite', async () => {
    const bot = await newBot();
    await upload(bot.client, { key: 'a.txt', content: 'new' });
    const there = await upload(bot.client, { key: 'b.txt', content: 'old' });

    const refused = await bot.callFiles('POST', '/a.txt/b.txt', { body: {} });
    const { file } = await bot.client.copyFile({ idOrKey: 'a.txt', destinationKey: 'b.txt', overwrite: true });

    expect(refused).toMatchObject({ status: 409, body: { type: 'AlreadyExists' } });
    expect(file.id).toBe(there.id);
    expect((await fetchContent((await fileOf(bot.client, 'b.txt')).url)).text).toBe('new');
  });

  it('copies once when repeated with an Idempotency-Key', async () => {
    const bot = await newBot();
    await upload(bot.client, { key: 'a.txt', content: 'x' });
    const headers = { 'idempotency-key': 'k' };

    const [first, again] = [
      await bot.callFiles('POST', '/a.txt/b.txt', { body: {}, headers }),
      await bot.callFiles('POST', '/a.txt/b.txt', { body: {}, headers }),
    ];

    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
  });

  it('copies to another bot for callers who may write its files, without the link to the knowledge base', async () => {
    const workspace = await newWorkspace();
    const [bot, other, foreign] = [await newBot(workspace), await newBot(workspace), await newBot()];
    const { knowledgeBase } = await bot.client.createKnowledgeBase({ name: 'Here' });
    await upload(bot.client, { key: 'a.md', content: 'x', index: true, tags: { kbId: knowledgeBase.id, t: '1' } });
    const { owner } = workspace;
    const viewer = await workspace.join('viewer');
    const to = (token: string, botId: string) =>
      bot.callFiles('POST', '/a.md/b.md', { token, body: {}, headers: { 'x-destination-bot-id': botId } });

    const { file } = await bot
      .clientOf(owner.token)
      .copyFile({ idOrKey: 'a.md', destinationKey: 'b.md', 'x-destination-bot-id': other.id });

    expect(file).toMatchObject({ botId: other.id, tags: { t: '1' }, owner: { type: 'bot', id: other.id } });
    expect((await fileOf(other.client, 'b.md')).id).toBe(file.id);
    const refusals = await Promise.all([
      to(owner.token, foreign.id),
      to(owner.token, 'nobody'),
      to(bot.tokens.bot, other.id),
      to(bot.tokens.integration, other.id),
      to(viewer.token, other.id),
    ]);
    expect(refusals.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403]);
  });

  it('returns 400 or 404 for a source or destination that is not valid', async () => {
    const bot = await newBot();
    await bot.client.upsertFile({ key: 'pending.txt', size: 1 });
    await upload(bot.client, { key: 'a.txt', content: 'x' });

    const answers = await Promise.all([
      bot.callFiles('POST', '/nothing.txt/b.txt', { body: {} }),
      bot.callFiles('POST', '/pending.txt/b.txt', { body: {} }),
      bot.callFiles('POST', '/a.txt/a.txt', { body: { overwrite: true } }),
      bot.callFiles('POST', '/a.txt/b%00.txt', { body: {} }),
      bot.callFiles('POST', `/a.txt/file_${'0'.repeat(24)}`, { body: {} }),
    ]);

    expect(answers.map(({ status }) => status)).toEqual([404, 400, 400, 400, 400]);
    expect((await bot.client.listFiles({})).files).toHaveLength(2);
  });
});
