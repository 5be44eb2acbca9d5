/** Tests that search indexes are rebuilt in runs without time left, one step per run. */
import { afterEach, expect, it, vi } from 'vitest';
import { runTransfer } from '#functions/events/runTransfer.ts';
import { lambdaContext } from '#infra/local/runtime/lambdaContext.ts';
import { hashing } from '#shared/ai/embedders/local/hashing.ts';
import { enqueueTransfer } from '#shared/storage/queues/transferJobs.ts';
import { vectorsOf } from '#test/support/fileInternals.ts';
import { SHORT_PASSAGES, upload } from '#test/support/files.ts';
import { handlerOf } from '#test/support/inRoles.ts';
import { eventually, newBot, usePlatform } from '#test/support/platform.ts';
import { useVectorBuckets } from '#test/support/vectorBuckets.ts';

usePlatform();
const replaceBuckets = useVectorBuckets();
afterEach(() => vi.restoreAllMocks());

const run = handlerOf(runTransfer);

it('resumes after each file and within a file, and embeds every passage once', async () => {
  const bot = await newBot();
  const paragraphs = Array.from({ length: 120 }, (_, i) => `Paragraph ${i} ${'is about okapis '.repeat(7)}.`);
  const long = await upload(bot.client, {
    key: 'b.txt',
    content: paragraphs.join('\n\n'),
    index: true,
    ...SHORT_PASSAGES,
  });
  const short = [];
  for (const key of ['a.txt', 'c.txt'])
    short.push(await upload(bot.client, { key, content: `The okapi of ${key} is shy.`, index: true }));
  await replaceBuckets();
  const held: string[] = [];
  vi.spyOn(runTransfer, 'handle').mockImplementation(async ({ Records }) => {
    held.push(...Records.map(({ body }) => body));
  });
  const { embed } = hashing;
  const texts: string[] = [];
  vi.spyOn(hashing, 'embed').mockImplementation((some, kind, tenant) => {
    if (kind === 'passage') texts.push(...some);
    return embed(some, kind, tenant);
  });

  await enqueueTransfer({ task: 'rebuildFiles', workspaceId: bot.workspace.id, botId: bot.id });
  let runs = 0;
  const runNext = async () => {
    const body = await eventually(async () => {
      expect(held).not.toEqual([]);
      return held.shift()!;
    });
    runs++;
    await run({ Records: [{ body }] } as never, lambdaContext('runTransfer', 0));
  };
  const files = [long, ...short];
  while ((await Promise.all(files.map(({ id }) => vectorsOf(bot.id, id)))).some(keys => keys.length === 0)) {
    await runNext();
  }
  while (texts.length < 122) await runNext();

  expect(runs).toBeGreaterThan(3);
  expect(texts.toSorted()).toEqual(
    [...paragraphs, 'The okapi of a.txt is shy.', 'The okapi of c.txt is shy.'].toSorted(),
  );
});
