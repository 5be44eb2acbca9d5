/**
 * Tests that searches find files without vectors by keywords: after their vector buckets were replaced, and beyond the
 * limit of indexes.
 */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { hashing } from '#shared/ai/embedders/local/hashing.ts';
import { searchIndexOf } from '#shared/domain/files/searchIndex.ts';
import { enqueueTransfer } from '#shared/storage/queues/transferJobs.ts';
import { recordOf, vectorsOf } from '#test/support/fileInternals.ts';
import { upload } from '#test/support/files.ts';
import { found, usage } from '#test/support/indexing.ts';
import { eventually, newBot, usePlatform } from '#test/support/platform.ts';
import { recordLog } from '#test/support/recordLog.ts';
import { sweep } from '#test/support/sweeps.ts';
import { useVectorBuckets } from '#test/support/vectorBuckets.ts';

usePlatform();
const replaceBuckets = useVectorBuckets();
afterEach(() => vi.restoreAllMocks());

describe('a file whose vectors are in replaced buckets', () => {
  it('stays searchable by keyword, and can be deleted', async () => {
    const bot = await newBot();
    const file = await upload(bot.client, { key: 'a.txt', content: 'The okapi is shy.', index: true });
    await replaceBuckets();

    expect(await found(bot, 'okapi')).toEqual(['The okapi is shy.']);
    await bot.client.deleteFile({ id: file.id });
    await eventually(async () => expect(await usage(bot)).toMatchObject({ indexedFiles: 0 }));
    expect(await found(bot, 'okapi')).toEqual([]);
  });

  it('has vectors again after a rebuild, until its bot is deleted', async () => {
    const bot = await newBot();
    const file = await upload(bot.client, { key: 'a.txt', content: 'The okapi is shy.', index: true });
    const { keysOf } = await replaceBuckets();
    const index = searchIndexOf(bot.id, hashing);
    expect(await vectorsOf(bot.id, file.id)).toEqual([]);

    await enqueueTransfer({ task: 'rebuild', workspaceId: bot.workspace.id });

    await eventually(async () => expect(await vectorsOf(bot.id, file.id)).toHaveLength(1));
    expect(keysOf(index)).toHaveLength(1);
    await bot.workspace.owner.client.deleteBot({ id: bot.id });
    await sweep({ kind: 'bot', botId: bot.id, isSecondPass: true });
    expect(keysOf(index)).toBeUndefined();
  });
});

describe('a file without space in the index', () => {
  it('is indexed and found by keywords, uses no vector storage, and is logged', async () => {
    const logged = recordLog();
    const bot = await newBot();
    const { keysOf } = await replaceBuckets({ indexesPerBucket: 0 });

    const file = await upload(bot.client, { key: 'a.txt', content: 'The okapi is shy.', index: true });

    expect(file.status).toBe('indexing_completed');
    expect((await recordOf(bot.id, file.id)).indexed).toMatchObject({ passages: 1, vectorBytes: 0 });
    expect(await found(bot, 'okapi')).toEqual(['The okapi is shy.']);
    expect(keysOf(searchIndexOf(bot.id, hashing))).toBeUndefined();
    expect(logged.errors).toMatchObject([
      { message: expect.stringMatching(/^The vector bucket is full/), indexName: searchIndexOf(bot.id, hashing) },
    ]);
  });
});
