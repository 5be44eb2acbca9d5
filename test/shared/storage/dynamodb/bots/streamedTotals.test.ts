/** Tests that the stream counts each change of a file once in any batches, and immediately near a quota. */
import { describe, expect, it } from 'vitest';
import { clock } from '#shared/core/clock.ts';
import { countFromStream, type StreamedChange } from '#shared/storage/dynamodb/bots/streamedTotals.ts';
import { readItem } from '#shared/storage/dynamodb/engine/query.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { findFile } from '#shared/storage/dynamodb/files/files.ts';
import { botTotalsKey } from '#shared/storage/dynamodb/keys/workspace.ts';
import { setQuota } from '#shared/storage/dynamodb/workspace/usage.ts';
import { NO_USAGE, usageOf } from '#test/support/fileInternals.ts';
import { upload } from '#test/support/files.ts';
import { eventually, newBot, settled, type TestBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

const START_MS = Date.UTC(2026, 0, 1);
/** Returns one change every three seconds, so that a batch covers several spans that share a memory. */
const changesOf = (sizes: readonly number[]): StreamedChange[] =>
  sizes.map((bytes, i) => ({ token: `change${i}`, atMs: START_MS + i * 3_000, change: { bytes } }));

const refOf = ({ id, workspace }: TestBot) => ({ id, workspaceId: workspace.id });
const bytesOf = async (bot: TestBot) => (await readItem(botTotalsKey(bot.id)))?.bytes;
const usage = ({ workspace }: TestBot) => usageOf(workspace.owner.client, workspace.id);

describe('changes of files from the stream', () => {
  it('counts once despite concurrent redelivery in other batches', async () => {
    const bot = await newBot();
    const changes = changesOf(Array.from({ length: 40 }, (_, i) => i + 1));
    const count = (from: number, to: number) => countFromStream(refOf(bot), changes.slice(from, to), clock.now());

    await Promise.all([count(0, 20), count(10, 30), count(20, 40)]);
    await count(0, 40);
    for (let i = 0; i < 40; i += 7) await count(i, i + 1);

    expect(await bytesOf(bot)).toBe(820);
    expect((await usage(bot)).bytes).toBe(820);
  });

  it('counts once if changes cancel out and are redelivered individually', async () => {
    const bot = await newBot();
    const changes = changesOf([5, -5]);

    await countFromStream(refOf(bot), changes, clock.now());
    for (const each of changes) await countFromStream(refOf(bot), [each], clock.now());

    expect(await bytesOf(bot)).toBe(0);
    expect((await usage(bot)).bytes).toBe(0);
  });
});

describe('a change of more than 0.01 % of the remaining quota', () => {
  const quotaOf = (bot: TestBot, bytes: number) => write([setQuota(bot.workspace.id, 'storage_count', bytes)]);

  it('is counted once as it is written; a smaller one later', async () => {
    const bot = await newBot();
    await quotaOf(bot, 40_000);

    const large = await upload(bot.client, { key: 'large.txt', content: '12345' });
    const small = await upload(bot.client, { key: 'small.txt', content: '1' });

    expect([(await findFile(bot.id, large.id))?.isCounted, (await findFile(bot.id, small.id))?.isCounted]).toEqual([
      true,
      undefined,
    ]);
    await settled();
    expect(await usage(bot)).toEqual({ ...NO_USAGE, bytes: 6 });
  });

  it('frees quota immediately and once when it is deleted', async () => {
    const bot = await newBot();
    await quotaOf(bot, 10);
    const file = await upload(bot.client, { key: 'a.txt', content: '1234567890' });

    await bot.client.deleteFile({ id: file.id });

    expect(await usage(bot)).toEqual(NO_USAGE);
    await upload(bot.client, { key: 'b.txt', content: '123456789' });
    await settled();
    expect(await usage(bot)).toEqual({ ...NO_USAGE, bytes: 9 });
  });

  it('enforces the quota for twenty concurrent uploads', async () => {
    const bot = await newBot();
    await quotaOf(bot, 50);

    const files = await Promise.all(
      Array.from({ length: 20 }, (_, i) => bot.client.uploadFile({ key: `${i}.txt`, content: '1234567890' })),
    );

    await eventually(async () => {
      const statuses = await Promise.all(files.map(async ({ file }) => (await findFile(bot.id, file.id))!.status));
      expect(statuses.filter(status => status === 'upload_completed')).toHaveLength(5);
      expect(statuses.filter(status => status === 'upload_failed')).toHaveLength(15);
    }, 25_000);
    await settled();
    expect(await usage(bot)).toEqual({ ...NO_USAGE, bytes: 50 });
  });
});
