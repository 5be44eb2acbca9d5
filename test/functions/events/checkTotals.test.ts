import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { VARIABLES } from '#shared/core/environment.ts';
import { addToTotals, fillTotals } from '#shared/storage/dynamodb/bots/botTotals.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import * as queue from '#shared/storage/queues/queue.ts';
import { checkTotals } from '#test/support/inRoles.ts';
import { newBot, settled, useSharedPlatform } from '#test/support/platform.ts';
import { recordLog } from '#test/support/recordLog.ts';

useSharedPlatform();

let botId: string;
let workspaceId: string;
let upload: (key: string, content: string) => Promise<void>;

beforeAll(async () => {
  const bot = await newBot();
  [botId, workspaceId] = [bot.id, bot.workspace.id];
  upload = async (key, content) => {
    await bot.client.uploadFile({ key, content, index: true });
    await settled();
  };
  await upload('a.txt', 'The quick brown fox.');
  await upload('b.txt', 'Jumps over the lazy dog.');
});
afterEach(() => vi.restoreAllMocks());

describe('totals of files', () => {
  it('finds no difference after uploads and a replaced file', async () => {
    await upload('a.txt', 'The quick brown fox, again.');

    expect(await checkTotals({ botId })).toBe('right');
  });

  it('reports a difference that two checks find, with the amount', async () => {
    const log = recordLog();
    const postponed = vi.spyOn(queue, 'enqueue').mockResolvedValue();
    await write([addToTotals(botId, workspaceId, fillTotals({ bytes: 7 }))]);

    expect(await checkTotals({ botId })).toBe('recheck');
    expect(await checkTotals({ botId, seen: { bytes: 3, vectorBytes: 0, indexedFiles: 0, n: 0 } })).toBe('recheck');
    expect(await checkTotals({ botId, seen: { bytes: 7, vectorBytes: 0, indexedFiles: 0, n: 0 } })).toBe('wrong');
    await write([addToTotals(botId, workspaceId, fillTotals({ bytes: -7 }))]);

    expect(postponed).toHaveBeenCalledTimes(2);
    expect(log.errors).toMatchObject([{ message: 'A total was wrong.', botId, totalsWrong: 1 }]);
  });

  it('checks a sample of changed bots', async () => {
    const asked = vi.spyOn(queue, 'enqueue');
    await upload('c.txt', 'Nobody looks.');
    const before = asked.mock.calls.filter(
      ([, job]) => (job as { botId?: string }).botId === botId && !('fileId' in (job as object)),
    );
    vi.stubEnv(VARIABLES.totalsCheckedOneIn, '1');
    await upload('d.txt', 'Everybody looks.');
    vi.unstubAllEnvs();

    expect(before).toEqual([]);
    expect(asked.mock.calls.map(([, job]) => job)).toContainEqual({ botId });
  });

  it('ignores a deleted bot', async () => {
    expect(await checkTotals({ botId: '00000000-0000-4000-8000-000000000000' })).toBe('ended');
  });
});
