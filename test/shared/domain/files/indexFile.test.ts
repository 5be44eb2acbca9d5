/** Tests failed, repeated and interrupted indexing: each passage is stored once, and failures leave no data. */
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { EMBEDDING_VARIABLES } from '#shared/ai/embedders/embeddingChoice.ts';
import { hashing } from '#shared/ai/embedders/local/hashing.ts';
import { putTerms } from '#shared/ai/search/keywordIndex.ts';
import { putPassages } from '#shared/storage/dynamodb/files/passages.ts';
import { QUEUES } from '#shared/storage/queues/queueSettings.ts';
import { type Stub, type StubAnswer, startStub } from '#test/shared/ai/stubServer.ts';
import {
  fireFileTimer,
  holdIndexing,
  itemsWith,
  NO_USAGE,
  NOTHING,
  recordOf,
  remainsOf,
  runIndexing,
  vectorsOf,
} from '#test/support/fileInternals.ts';
import { fetchContent, fileOf, upload } from '#test/support/files.ts';
import { contentsOf, failIndexing, found, usage } from '#test/support/indexing.ts';
import { pdf, SCAN } from '#test/support/pdf.ts';
import { eventually, newBot, type TestBot, usePlatform } from '#test/support/platform.ts';
import { inFastTime } from '#test/support/time.ts';

usePlatform();

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** More passages than an embedder's batch. */
const MANY = 150;
const manyParagraphs = Array.from(
  { length: MANY },
  (_, i) => `Paragraph ${i} ${'is about okapis and zebras '.repeat(19)}.`,
);

/** Embeds through a service that fails some calls. */
async function useService(otherwise: (call: number) => StubAnswer | undefined): Promise<Stub> {
  let calls = 0;
  const stub = await startStub(({ body }) => {
    const answer = otherwise(++calls);
    if (answer) return answer;
    const data = body.input.map((_: string, index: number) => ({ index, embedding: [1, index + 1, 0, 0, 0, 0, 0, 0] }));
    return { status: 200, body: { data } };
  });
  onTestFinished(() => stub.stop());
  vi.stubEnv(EMBEDDING_VARIABLES.embeddings, 'openai:test');
  vi.stubEnv(EMBEDDING_VARIABLES.url, stub.endpoint);
  vi.stubEnv(EMBEDDING_VARIABLES.dimensions, '8');
  return stub;
}
const refusal = { status: 400, body: 'no' };

describe('an attempt that fails halfway', () => {
  it.each([
    ['rejects the second half', (call: number) => (call === 3 ? refusal : undefined)],
    ['rejects three times', (call: number) => (call < QUEUES.indexing.maxReceives ? refusal : undefined)],
    [
      'throttles a request',
      (call: number) => (call === 2 ? { status: 429, headers: { 'retry-after': '0' }, body: '' } : undefined),
    ],
  ])('is retried and stores each passage once when the service %s', async (_, otherwise) => {
    const bot = await newBot();
    await useService(otherwise);

    const content = manyParagraphs.join('\n\n');
    const file = await inFastTime(() => upload(bot.client, { key: 'a.txt', content, index: true }));

    expect(await contentsOf(bot, file.id)).toEqual(manyParagraphs);
    const { indexed } = await recordOf(bot.id, file.id);
    expect(indexed).toMatchObject({ passages: MANY, vectorBytes: MANY * 8 * 4 });
    expect(await itemsWith(bot.id, 'passage#')).toHaveLength(MANY);
    expect((await itemsWith(bot.id, 'passage#')).every(item => item.includes(indexed!.id))).toBe(true);
    const { passages } = await bot.client.searchFiles({ query: 'Paragraph 149', limit: 1, contextDepth: 0 });
    expect(passages[0]?.content).toBe(manyParagraphs[149]);
  });

  it('fails with a reason after the last retry, and leaves no data', async () => {
    const bot = await newBot();
    const service = await useService(call => (call === 1 ? undefined : refusal));

    const content = manyParagraphs.join('\n\n');
    const file = await inFastTime(() => failIndexing(bot, { key: 'a.txt', content }));

    expect(file.failedStatusReason).toMatch(/temporarily unavailable\. Upload the file again\./);
    await eventually(async () => {
      expect((await itemsWith(bot.id, file.id)).filter(item => /passage|term|due/.test(item))).toEqual([]);
      await eventually(async () => expect(await usage(bot)).toMatchObject({ passages: 0, indexedFiles: 0 }));
    });
    expect(service.requests.length).toBeGreaterThanOrEqual(QUEUES.indexing.maxReceives);
  });

  it('leaves no passage of an outdated configuration', async () => {
    const bot = await newBot();
    const jobs = holdIndexing();
    const content = manyParagraphs.slice(0, 3).join('\n\n');
    const { file } = await bot.client.uploadFile({ key: 'a.txt', content, index: true });
    await eventually(async () => expect(jobs).toHaveLength(1));
    vi.spyOn(hashing, 'embed').mockRejectedValueOnce(new Error('killed'));
    await expect(runIndexing(jobs[0]!, 1)).rejects.toThrow('killed');
    const configuration = { parsing: { minimumParagraphLength: 2_000 }, chunking: { maximumChunkLength: 5_000 } };
    await bot.client.upsertFile({ key: 'a.txt', size: 1, indexing: { configuration } });

    await runIndexing(jobs[0]!, 2);

    expect(await contentsOf(bot, file.id)).toEqual([content]);
    expect((await recordOf(bot.id, file.id)).indexed!.passages).toBe(1);
    await eventually(async () => expect(await usage(bot)).toMatchObject({ passages: 1, indexedFiles: 1 }));
  });
});

/** Creates a file that waits for indexing, and its job. */
async function waiting(bot: TestBot, content = 'The okapi is shy.') {
  const jobs = holdIndexing();
  const { file } = await bot.client.uploadFile({ key: 'a.txt', content, index: true });
  await eventually(async () => expect(jobs).toHaveLength(1));
  return { file, job: jobs[0]! };
}

/** Pauses the next call of the embedder before it succeeds or fails. */
function stopEmbedding(then: (texts: readonly string[]) => ReturnType<typeof embed>) {
  const reached = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  vi.spyOn(hashing, 'embed').mockImplementationOnce(async texts => {
    reached.resolve();
    await gate.promise;
    return then(texts);
  });
  return { reached: reached.promise, release: gate.resolve };
}
const { embed } = hashing;
const asEver = (texts: readonly string[]) => embed(texts, 'passage', 'bot');

describe('indexing', () => {
  it('has the same result when two jobs run concurrently', async () => {
    const bot = await newBot();
    const { file, job } = await waiting(bot, manyParagraphs.slice(0, 20).join('\n\n'));

    await Promise.all([runIndexing(job), runIndexing(job), runIndexing(job)]);
    await runIndexing(job);

    expect((await fileOf(bot.client, file.id)).status).toBe('indexing_completed');
    expect(await contentsOf(bot, file.id)).toEqual(manyParagraphs.slice(0, 20));
    expect(await vectorsOf(bot.id, file.id)).toHaveLength(20);
    expect(await found(bot, 'okapis')).toHaveLength(20);
    await eventually(async () => expect(await usage(bot)).toMatchObject({ passages: 20, indexedFiles: 1 }));
  });

  it.each([
    ['ends', asEver],
    ['fails for the last time', () => Promise.reject(new Error('away'))],
  ])('removes nothing if it %s after another one completed', async (_, then) => {
    const bot = await newBot();
    const { file, job } = await waiting(bot);
    const { reached, release } = stopEmbedding(then);

    const late = runIndexing(job, QUEUES.indexing.maxReceives);
    await reached;
    await runIndexing(job);
    release();
    await late;

    expect((await fileOf(bot.client, file.id)).status).toBe('indexing_completed');
    expect(await contentsOf(bot, file.id)).toEqual(['The okapi is shy.']);
    expect(await vectorsOf(bot.id, file.id)).toHaveLength(1);
    expect(await found(bot, 'okapi')).toEqual(['The okapi is shy.']);
  });

  it('fails at its deadline with a reason, and leaves no data if it finishes too late', async () => {
    const bot = await newBot();
    const { file, job } = await waiting(bot);
    const { reached, release } = stopEmbedding(asEver);
    const late = runIndexing(job);
    await reached;

    const outcome = await fireFileTimer(bot.id, file.id, 'indexing');
    const after = await fileOf(bot.client, file.id);
    release();
    await late;

    expect(outcome).toBe('done');
    expect(after).toMatchObject({
      status: 'indexing_failed',
      failedStatusReason: expect.stringMatching(/took too long/),
    });
    expect((await fileOf(bot.client, file.id)).status).toBe('indexing_failed');
    await eventually(async () => {
      const { items, vectors } = await remainsOf(bot.id, file.id);
      expect(items.filter(item => /passage|term|due/.test(item))).toEqual([]);
      expect(vectors).toEqual([]);
    });
    await eventually(async () => expect(await usage(bot)).toEqual({ ...NO_USAGE, bytes: 17 }));
    expect((await fetchContent(after.url)).text).toBe('The okapi is shy.');
  });

  it('leaves no data of a concurrently deleted file', async () => {
    const bot = await newBot();
    const { file, job } = await waiting(bot);
    const { reached, release } = stopEmbedding(asEver);
    const late = runIndexing(job);
    await reached;

    await bot.client.deleteFile({ id: file.id });
    await eventually(async () => expect(await remainsOf(bot.id, file.id)).toEqual(NOTHING));
    release();
    await late;

    expect(await remainsOf(bot.id, file.id)).toEqual(NOTHING);
    await eventually(async () => expect(await usage(bot)).toEqual(NO_USAGE));
  });

  it.each([
    ['deleted', (bot: TestBot, id: string) => bot.client.deleteFile({ id })],
    ['replaced', (bot: TestBot) => bot.client.uploadFile({ key: 'a.txt', content: 'The zebra.', index: true })],
  ])('stops after a batch of passages if the file was %s', async (_, change) => {
    const bot = await newBot();
    const { file, job } = await waiting(bot, manyParagraphs.join('\n\n'));
    const { reached, release } = stopEmbedding(asEver);
    const late = runIndexing(job);
    await reached;

    await change(bot, file.id);
    const { indexingId } = JSON.parse(job.body);
    await eventually(async () => expect((await recordOf(bot.id, file.id))?.indexing?.id).not.toBe(indexingId));
    release();
    await late;

    expect(vi.mocked(hashing.embed)).toHaveBeenCalledTimes(1);
    expect(await itemsWith(bot.id, 'passage#')).toEqual([]);
    await eventually(async () => expect(await vectorsOf(bot.id, file.id)).toEqual([]));
  });

  it('leaves no data of a deleted file', async () => {
    const bot = await newBot();
    const { file, job } = await waiting(bot);
    await bot.client.deleteFile({ id: file.id });

    await runIndexing(job);

    await eventually(async () => expect(await remainsOf(bot.id, file.id)).toEqual(NOTHING));
  });

  it('leaves no data of a concurrently deleted bot', async () => {
    const bot = await newBot();
    const { file, job } = await waiting(bot);
    const { reached, release } = stopEmbedding(asEver);
    const late = runIndexing(job);
    await reached;

    await bot.workspace.owner.client.deleteBot({ id: bot.id });
    release();
    await late;

    await eventually(async () => expect(await remainsOf(bot.id, file.id)).toEqual(NOTHING));
    await eventually(async () => expect(await usage(bot)).toEqual(NO_USAGE));
  });

  it('removes its passages when it is disabled', async () => {
    const bot = await newBot();
    const { file, job } = await waiting(bot);
    await bot.client.upsertFile({ key: 'a.txt', size: 1, index: false });

    await runIndexing(job);

    expect(await recordOf(bot.id, file.id)).toMatchObject({ index: false, status: 'upload_pending' });
    expect(await itemsWith(bot.id, 'passage#')).toEqual([]);
    expect(await vectorsOf(bot.id, file.id)).toEqual([]);
  });
});

describe('indexing whose time is up', () => {
  const content = manyParagraphs.join('\n\n');
  /** Suffices to read the file and embed one batch. */
  const SHORT_MS = 100_000;

  /** Uploads a file and runs its first job, which enqueues the second. */
  async function begin() {
    const bot = await newBot();
    const jobs = holdIndexing();
    const { file } = await bot.client.uploadFile({ key: 'a.txt', content, index: true });
    await eventually(async () => expect(jobs).toHaveLength(1));
    await runIndexing(jobs[0]!, 1, SHORT_MS);
    await eventually(async () => expect(jobs).toHaveLength(2));
    return { bot, jobs, file };
  }

  it('resumes after the last batch in the next invocation, and is found once complete', async () => {
    const bot = await newBot();
    const jobs = holdIndexing();
    const { file } = await bot.client.uploadFile({ key: 'a.txt', content, index: true });
    const texts: string[] = [];
    vi.spyOn(hashing, 'embed').mockImplementation((some, kind, tenant) => {
      if (kind === 'passage') texts.push(...some);
      return embed(some, kind, tenant);
    });

    for (let i = 0; i < 3; i++) {
      await eventually(async () => expect(jobs).toHaveLength(i + 1));
      expect((await fileOf(bot.client, file.id)).status).toBe('indexing_pending');
      await runIndexing(jobs[i]!, 1, SHORT_MS);
    }

    expect(jobs.map(({ body }) => JSON.parse(body).progress?.passages)).toEqual([undefined, 96, MANY]);
    expect((await fileOf(bot.client, file.id)).status).toBe('indexing_completed');
    expect(texts).toEqual(manyParagraphs);
    expect(await contentsOf(bot, file.id)).toEqual(manyParagraphs);
    expect((await recordOf(bot.id, file.id)).indexed).toMatchObject({ passages: MANY, vectorBytes: MANY * 384 * 4 });
    expect((await found(bot, 'Paragraph 149'))[0]).toBe(manyParagraphs[149]);
  });

  it('keeps the warnings of the extraction', async () => {
    const bot = await newBot();
    const jobs = holdIndexing();
    const lines = Array.from({ length: 100 }, (_, i) => [
      { text: `Okapi ${i} ${'is a shy animal of the forest '.repeat(4)}.` },
    ]);
    const { file } = await bot.client.uploadFile({
      key: 'a.pdf',
      content: Buffer.from(pdf([...lines, SCAN])),
      index: true,
    });
    await eventually(async () => expect(jobs).toHaveLength(1));

    await runIndexing(jobs[0]!, 1, SHORT_MS);
    await eventually(async () => expect(jobs).toHaveLength(2));
    await runIndexing(jobs[1]!);

    expect((await recordOf(bot.id, file.id)).indexed!.unread).toEqual([
      expect.stringMatching(/^Page 101 contains only/),
    ]);
  });

  it('restarts with another embedder', async () => {
    const { bot, jobs, file } = await begin();

    await useService(() => undefined);
    await runIndexing(jobs[1]!);

    expect((await recordOf(bot.id, file.id)).indexed).toMatchObject({ passages: MANY, vectorBytes: MANY * 8 * 4 });
  });

  it('leaves no data of a file that was deleted between two invocations', async () => {
    const { bot, jobs, file } = await begin();

    await bot.client.deleteFile({ id: file.id });
    await runIndexing(jobs[1]!);

    await eventually(async () => expect(await remainsOf(bot.id, file.id)).toEqual(NOTHING));
  });
});

describe('passages of an abandoned indexing', () => {
  it('is deleted with the file', async () => {
    const bot = await newBot();
    const file = await upload(bot.client, { key: 'a.txt', content: 'The okapi is shy.', index: true });
    // Simulates a function that was killed before it updated the record.
    await putPassages(bot.id, file.id, 'orphaned', [{ content: 'giraffe', type: 'paragraph', breadcrumb: [] }]);
    await putTerms(bot.id, file.id, 'orphaned', ['giraffe']);

    await bot.client.deleteFile({ id: file.id });

    await eventually(async () => expect(await remainsOf(bot.id, file.id)).toEqual(NOTHING));
  });
});
