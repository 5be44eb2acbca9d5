/**
 * Tests that searches list rows without vectors: after their vector buckets were replaced, and beyond the limit of
 * indexes.
 */
import { afterEach, expect, it, vi } from 'vitest';
import { hashing } from '#shared/ai/embedders/local/hashing.ts';
import { rowIndexOf } from '#shared/domain/tables/search/rowIndex.ts';
import { rebuild } from '#shared/domain/transfer/rebuild.ts';
import { newBot, type TestBot, usePlatform } from '#test/support/platform.ts';
import { recordLog } from '#test/support/recordLog.ts';
import { expectCounts, newTable, searchable } from '#test/support/rowInternals.ts';
import { useVectorBuckets } from '#test/support/vectorBuckets.ts';

usePlatform();
const replaceBuckets = useVectorBuckets();
afterEach(() => vi.restoreAllMocks());

async function animals({ client }: TestBot) {
  const { id: table } = await newTable(client, { text: searchable });
  await client.createTableRows({ table, rows: [{ text: 'a quick brown fox' }, { text: 'an okapi' }] });
  await expectCounts(client, table, { rows: 2 });
  return table;
}
const search = async ({ client }: TestBot, table: string) =>
  (await client.findTableRows({ table, search: 'okapi' })).rows.map(({ id, similarity }) => ({ id, similarity }));

const unsorted = [
  { id: 1, similarity: undefined },
  { id: 2, similarity: undefined },
];

it('lists rows without similarity after the buckets are replaced, until the table is rebuilt', async () => {
  const bot = await newBot();
  const table = await animals(bot);
  const { keysOf } = await replaceBuckets();

  expect(await search(bot, table)).toEqual(unsorted);
  await rebuild({ task: 'rebuildRows', workspaceId: bot.workspace.id, botId: bot.id, tableId: table }, () => true);

  expect((await search(bot, table))[0]).toEqual({ id: 2, similarity: expect.any(Number) });
  expect(keysOf(rowIndexOf(bot.id, table, hashing))?.sort()).toEqual(['1', '2']);
});

it('lists rows without similarity when the index has no space, and logs the failure', async () => {
  const logged = recordLog();
  const bot = await newBot();
  const { keysOf } = await replaceBuckets({ indexesPerBucket: 0 });

  const table = await animals(bot);

  expect(await search(bot, table)).toEqual(unsorted);
  expect(keysOf(rowIndexOf(bot.id, table, hashing))).toBeUndefined();
  expect(logged.errors).toContainEqual(
    expect.objectContaining({
      message: expect.stringMatching(/^The vector bucket is full/),
      indexName: rowIndexOf(bot.id, table, hashing),
    }),
  );
});
