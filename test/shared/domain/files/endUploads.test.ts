/** Tests that many expired uploads end by one timer. */
import { expect, it } from 'vitest';
import { endUploads } from '#shared/domain/files/endUploads.ts';
import { fireUploadsTimer, itemsWith, recordOf } from '#test/support/fileInternals.ts';
import { crowds, newBot, type TestBot, usePlatform } from '#test/support/platform.ts';

usePlatform();

const announced = (bot: TestBot, count: number) =>
  crowds(count, async i => (await bot.client.upsertFile({ key: `${i}.txt`, size: 5 })).file);

const failed = async (bot: TestBot) => {
  const { files } = await bot.client.listFiles({ sortField: 'status', sortDirection: 'asc', pageSize: 100 });
  return files.filter(({ status }) => status === 'upload_failed').length;
};

it('sets one timer for all uploads within ten minutes', async () => {
  const bot = await newBot();

  const files = await announced(bot, 12);

  // They may belong to two timers.
  expect((await itemsWith(bot.id, 'due#')).length).toBeLessThanOrEqual(2);
  await fireUploadsTimer(bot.id, files.at(-1)!.id);
  expect(await failed(bot)).toBe(12);
});

it('expires uploads of integrations', async () => {
  const bot = await newBot();
  const { file } = await bot.integration.upsertFile({ key: 'its.txt', size: 5, accessPolicies: ['integrations'] });

  await fireUploadsTimer(bot.id, file.id);

  expect((await recordOf(bot.id, file.id)).status).toBe('upload_failed');
});

it('expires as many uploads as fit in one invocation, and reports the rest', {
  timeout: 120_000,
}, async () => {
  const bot = await newBot();
  const files = await announced(bot, 203);
  const last = (await recordOf(bot.id, files.at(-1)!.id)).pending!.untilMs + 1;

  const isDone = [await endUploads(bot.id, last), await endUploads(bot.id, last)];

  expect(isDone).toEqual([false, true]);
  expect((await recordOf(bot.id, files[0]!.id)).status).toBe('upload_failed');
  expect((await recordOf(bot.id, files.at(-1)!.id)).status).toBe('upload_failed');
});
