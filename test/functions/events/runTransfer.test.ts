/**
 * Tests the rebuild of an imported workspace. `test/functions/admin/workspaces/exportWorkspace.test.ts` covers exports.
 */
import { beforeAll, expect, it } from 'vitest';
import { removeAll } from '#shared/storage/dynamodb/engine/partitionCleanup.ts';
import type { Item } from '#shared/storage/dynamodb/engine/query.ts';
import { enqueueTransfer } from '#shared/storage/queues/transferJobs.ts';
import { deadLettersOf } from '#test/support/deadLetters.ts';
import { type FullWorkspace, fullWorkspace } from '#test/support/fullWorkspace.ts';
import { settled, usePlatform } from '#test/support/platform.ts';
import { scanItems } from '#test/support/tableItems.ts';

usePlatform();

let full: FullWorkspace;
beforeAll(async () => {
  full = await fullWorkspace();
  await settled();
});

const postings = async () =>
  ((await scanItems(`${full.bot.id}#term#`)) as Item[]).sort((a, b) => (a.pk < b.pk ? -1 : 1));

it('rebuilds the postings of files and the index of rows', async () => {
  const before = await postings();
  await removeAll(before.map(({ pk, sk }) => ({ pk, sk })));

  await enqueueTransfer({ task: 'rebuild', workspaceId: full.workspace.id });
  await settled();

  expect(before.length).toBeGreaterThan(0);
  expect(await postings()).toEqual(before);
  const { rows } = await full.bot.client.findTableRows({ table: `${full.word.slice(0, 20)}Table`, search: 'Eve' });
  expect(rows[0]).toMatchObject({ name: `Eve ${full.word}` });
  expect(await deadLettersOf(full.workspace.id)).toEqual([]);
});
