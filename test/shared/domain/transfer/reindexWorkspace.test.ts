/** Tests reindexing content of another embedder: everything stays searchable throughout and moves to the new space. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { runTransfer } from '#functions/events/runTransfer.ts';
import { lambdaContext } from '#infra/local/runtime/lambdaContext.ts';
import { EMBEDDING_VARIABLES } from '#shared/ai/embedders/embeddingChoice.ts';
import { LOCAL_EMBEDDING_MODEL } from '#shared/ai/embedders/local/embeddingModel.ts';
import { hashing } from '#shared/ai/embedders/local/hashing.ts';
import { chooseVectorStore } from '#shared/ai/vectorStores/chooseVectorStore.ts';
import { searchIndexOf } from '#shared/domain/files/searchIndex.ts';
import { rowIndexOf } from '#shared/domain/tables/search/rowIndex.ts';
import { requestReindexing } from '#shared/domain/transfer/requestReindexing.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { findReindexing } from '#shared/storage/dynamodb/tenants/reindexings.ts';
import { setQuota } from '#shared/storage/dynamodb/workspace/usage.ts';
import { recordOf, vectorsOf } from '#test/support/fileInternals.ts';
import { SHORT_PASSAGES, upload } from '#test/support/files.ts';
import { found } from '#test/support/indexing.ts';
import { handlerOf } from '#test/support/inRoles.ts';
import { eventually, newBot, settled, type TestBot, usePlatform } from '#test/support/platform.ts';
import { recordLog } from '#test/support/recordLog.ts';
import { expectCounts, newTable, vectorsOf as rowVectorsOf, searchable } from '#test/support/rowInternals.ts';

usePlatform();

const REFUNDS = 'Refunds are issued within 14 days';
const paragraphs = Array.from(
  { length: 120 },
  (_, i) => `Paragraph ${i} ${'is about the okapis of the forest '.repeat(4)}.`,
);

let bot: TestBot;
let files: { id: string }[];
let table: string;

/** Creates a bot with files and a table with the hashing embedder, and activates the local embedder. */
beforeEach(async () => {
  vi.stubEnv(EMBEDDING_VARIABLES.embeddings, 'hashing');
  bot = await newBot();
  files = [
    await upload(bot.client, { key: 'refunds.txt', content: REFUNDS, index: true }),
    await upload(bot.client, { key: 'okapis.txt', content: paragraphs.join('\n\n'), index: true, ...SHORT_PASSAGES }),
    await upload(bot.client, { key: 'plain.txt', content: 'not indexed', index: false }),
  ];
  table = (await newTable(bot.client, { text: searchable })).id;
  await bot.client.createTableRows({ table, rows: [{ text: 'stock markets fell' }, { text: 'a quick brown fox' }] });
  await expectCounts(bot.client, table, { rows: 2 });
  vi.stubEnv(EMBEDDING_VARIABLES.embeddings, undefined);
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const expectFound = async () => {
  expect((await found(bot, 'refunds'))[0]).toBe(REFUNDS);
  expect((await found(bot, 'Paragraph 119'))[0]).toBe(paragraphs[119]);
};

async function formerVectors(): Promise<number> {
  const store = await chooseVectorStore();
  const [vector] = await hashing.embed(['anything'], 'query', 'bot');
  const indexes = [searchIndexOf(bot.id, hashing), rowIndexOf(bot.id, table, hashing)];
  const matches = await Promise.all(indexes.map(index => store.query(index, vector!, { limit: 100 })));
  return matches.flat().length;
}

async function expectReindexed(): Promise<void> {
  const [refunds, okapis] = await Promise.all(files.slice(0, 2).map(({ id }) => recordOf(bot.id, id)));
  const bytes = LOCAL_EMBEDDING_MODEL.dimensions * 4;
  expect(refunds!.indexed).toMatchObject({ space: LOCAL_EMBEDDING_MODEL.id, vectorBytes: bytes });
  expect(okapis!.indexed).toMatchObject({ space: LOCAL_EMBEDDING_MODEL.id, vectorBytes: 120 * bytes });
  expect((await found(bot, 'How do I get my money back?'))[0]).toBe(REFUNDS);
  expect(await rowVectorsOf(bot.id, table)).toEqual(['1', '2']);
  const { rows } = await bot.client.findTableRows({ table, search: 'share prices dropped' });
  expect(rows[0]).toMatchObject({ text: 'stock markets fell' });
  expect(await formerVectors()).toBe(0);
}

const handle = handlerOf(runTransfer);

/**
 * Holds jobs back.
 * @returns a function that runs one step of the next job
 */
function holdRuns() {
  const held: string[] = [];
  vi.spyOn(runTransfer, 'handle').mockImplementation(async ({ Records }) => {
    held.push(...Records.map(({ body }) => body));
  });
  return async () => {
    const body = await eventually(async () => {
      expect(held).not.toEqual([]);
      return held.shift()!;
    });
    await handle({ Records: [{ body }] } as never, lambdaContext('runTransfer', 0));
    return body;
  };
}

it('finds content by keyword before a reindexing, and by meaning after it', async () => {
  await expectFound();
  expect(await found(bot, 'How do I get my money back?')).not.toContain(REFUNDS);
  expect(await formerVectors()).toBeGreaterThan(100);

  await requestReindexing(bot.workspace.id, false);
  await settled();

  await expectReindexed();
  await expectFound();
  expect(await findReindexing(bot.workspace.id)).toMatchObject({ files: 2, rows: 2, space: LOCAL_EMBEDDING_MODEL.id });
});

it('finds content throughout a reindexing of many runs, some of which are repeated', async () => {
  const runNext = holdRuns();
  await requestReindexing(bot.workspace.id, false);
  let runs = 0;
  while ((await findReindexing(bot.workspace.id))!.doneAtMs === undefined) {
    const body = await runNext();
    runs++;
    await expectFound();
    // Queues may deliver twice. The record shows that another run has continued.
    if (runs === 2) await handle({ Records: [{ body }] } as never, lambdaContext('runTransfer', 0));
  }

  expect(runs).toBeGreaterThan(3);
  await expectReindexed();
});

it('resumes where it was interrupted, and skips files of the current embedder', async () => {
  const runNext = holdRuns();
  await requestReindexing(bot.workspace.id, false);
  await runNext();
  await runNext();
  const before = (await findReindexing(bot.workspace.id))!;
  vi.restoreAllMocks();

  await requestReindexing(bot.workspace.id, false);
  await settled();

  expect(before.place).toMatchObject({ botId: bot.id });
  await expectReindexed();
  await requestReindexing(bot.workspace.id, false);
  await settled();
  expect(await findReindexing(bot.workspace.id)).toMatchObject({ files: 0, rows: 2 });
  await requestReindexing(bot.workspace.id, true);
  await settled();
  expect(await findReindexing(bot.workspace.id)).toMatchObject({ files: 2, rows: 2 });
});

it('indexes a file only by keyword if its vectors exceed the quota', async () => {
  const logged = recordLog();
  await settled();
  const { usage: used } = await bot.workspace.owner.client.getUsage({
    id: bot.workspace.id,
    type: 'knowledgebase_vector_storage',
  });
  await write([setQuota(bot.workspace.id, 'knowledgebase_vector_storage', used.value + 100_000)]);

  await requestReindexing(bot.workspace.id, false);
  await settled();

  expect((await recordOf(bot.id, files[0]!.id)).indexed).toMatchObject({
    vectorBytes: LOCAL_EMBEDDING_MODEL.dimensions * 4,
  });
  expect((await recordOf(bot.id, files[1]!.id)).indexed).toMatchObject({
    vectorBytes: 0,
    space: LOCAL_EMBEDDING_MODEL.id,
  });
  expect(await vectorsOf(bot.id, files[1]!.id)).toEqual([]);
  await expectFound();
  expect(logged.errors).toMatchObject([{ message: expect.stringMatching(/exceed the workspace's quota/) }]);
});

it('leaves no old vector of a file that is deleted before the reindexing', async () => {
  await bot.client.deleteFile({ id: files[1]!.id });
  await settled();
  vi.stubEnv(EMBEDDING_VARIABLES.embeddings, 'hashing');

  expect(await vectorsOf(bot.id, files[1]!.id)).toEqual([]);
  expect(await vectorsOf(bot.id, files[0]!.id)).toHaveLength(1);
});

it('deletes the vectors of both embedders with the bot', async () => {
  await bot.workspace.owner.client.deleteBot({ id: bot.id });
  await settled();

  await eventually(async () => expect(await formerVectors()).toBe(0));
});
