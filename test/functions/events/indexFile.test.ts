/** Indexing end to end: what search finds, how it fails, and what an interruption leaves behind. */
import { Document, Packer, Paragraph } from 'docx';
import { afterEach, describe, expect, it, vi } from 'vitest';
import writeXlsxFile from 'write-excel-file/node';
import { EMBEDDING_VARIABLES } from '#shared/ai/chooseEmbedder.ts';
import { hashing } from '#shared/ai/embedders/hashing.ts';
import { putPassages } from '#shared/dynamodb/files/passages.ts';
import { write } from '#shared/dynamodb/transaction.ts';
import { setQuota } from '#shared/dynamodb/workspace/usage.ts';
import { QUEUES } from '#shared/queues/settings.ts';
import { putTerms } from '#shared/search/keywordIndex.ts';
import { type Stub, type StubAnswer, startStub } from '#test/shared/ai/stubServer.ts';
import { docx, officeParts, pdf, relations, zip } from '#test/shared/extraction/files.ts';
import {
  arriveUpload,
  findFileTimer,
  fireFileTimer,
  holdIndexing,
  itemsWith,
  NO_USAGE,
  NOTHING,
  recordOf,
  remainsOf,
  runIndexing,
  usageOf,
  vectorsOf,
} from '#test/support/fileInternals.ts';
import { fetchContent, fileOf, put, untilStatus, upload } from '#test/support/files.ts';
import { eventually, newBot, type TestBot, usePlatform } from '#test/support/platform.ts';

usePlatform();

const stubs: Stub[] = [];
afterEach(async () => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  for (const stub of stubs.splice(0)) await stub.stop();
});

type Options = Parameters<TestBot['client']['uploadFile']>[0];

/** Uploads a file and waits for the end of its indexing. */
async function failed(bot: TestBot, options: Partial<Options> & { key: string; content: string | Uint8Array }) {
  const { file } = await bot.client.uploadFile({ index: true, ...options } as Options);
  return untilStatus(bot.client, file.id, 'indexing_failed', 25_000);
}

const contentsOf = async (bot: TestBot, id: string): Promise<string[]> =>
  (await bot.client.listFilePassages({ id, limit: 200 })).passages.map(({ content }) => content);
const found = async (bot: TestBot, query: string): Promise<string[]> =>
  (await bot.client.searchFiles({ query, contextDepth: 0 })).passages.map(({ content }) => content);
const usage = ({ workspace }: TestBot) => usageOf(workspace.owner.client, workspace.id);

const shape = (text: string, type: string) =>
  `<p:sp><p:nvPr><p:ph type="${type}"/></p:nvPr><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:sp>`;

const FORMATS: Record<string, () => Promise<string | Uint8Array> | string | Uint8Array> = {
  'a.md': () => '# Animals\n\nThe okapi is shy.',
  'a.txt': () => 'The okapi is shy.',
  'a.html': () => '<h1>Animals</h1><p>The okapi is shy.</p>',
  'a.csv': () => 'animal,manner\nokapi,shy\n',
  'a.json': () => '{"animal":"okapi","manner":"shy"}',
  'a.pdf': () =>
    pdf([
      [
        { text: 'Animals', size: 24 },
        { text: 'The okapi is shy.', gap: 2 },
      ],
    ]),
  'a.docx': () => Packer.toBuffer(new Document({ sections: [{ children: [new Paragraph('The okapi is shy.')] }] })),
  'a.xlsx': () =>
    writeXlsxFile([
      {
        sheet: 'Animals',
        data: [
          [{ value: 'animal' }, { value: 'manner' }],
          [{ value: 'okapi' }, { value: 'shy' }],
        ],
      },
    ]).toBuffer(),
  'a.pptx': () =>
    zip({
      ...officeParts('pptx'),
      'ppt/presentation.xml': '<p:presentation><p:sldIdLst><p:sldId id="256" r:id="r1"/></p:sldIdLst></p:presentation>',
      'ppt/_rels/presentation.xml.rels': relations(['r1', 'slide', 'slides/slide1.xml']),
      'ppt/slides/slide1.xml': `<p:sld>${shape('The okapi is shy.', 'body')}</p:sld>`,
    }),
};

describe('a file', () => {
  it.each(Object.entries(FORMATS))('is found by a word of its content: %s', async (key, make) => {
    const bot = await newBot();

    const file = await upload(bot.client, { key, content: Buffer.from(await make()), index: true });

    const { passages } = await bot.client.searchFiles({ query: 'okapi' });
    expect(passages).toHaveLength(1);
    expect(passages[0]).toMatchObject({ content: expect.stringMatching(/okapi.*shy/s), file: { id: file.id, key } });
    expect(await contentsOf(bot, file.id)).toHaveLength(1);
    expect(await vectorsOf(bot.id, file.id)).toHaveLength(1);
    expect(await findFileTimer(bot.id, file.id, 'indexing')).toBeUndefined();
  });

  it('with HTML is found by its visible text, not by its scripts', async () => {
    const bot = await newBot();
    const content =
      '<title>Okapis</title><script>const secretive = 1;</script><p onclick="secretive()">The okapi is shy.</p><style>.secretive{}</style>';

    const file = await upload(bot.client, { key: 'a.html', content, index: true });

    expect((await found(bot, 'okapi')).join()).toContain('The okapi is shy.');
    expect((await contentsOf(bot, file.id)).join()).not.toMatch(/secretive/);
    expect(await itemsWith(bot.id, '#term#secretive')).toEqual([]);
  });

  it.each([
    ['of a type that is not supported', 'a.png', Buffer.from('\x89PNG\r\n'), /image\/png cannot be indexed/],
    ['that is empty of text', 'a.txt', Buffer.from(' \n '), /no text/],
    [
      'of PDF under a password',
      'a.pdf',
      Buffer.from(`%PDF-1.4
1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
2 0 obj <</Type/Pages/Kids[]/Count 0>> endobj
3 0 obj <</Filter/Standard/V 2/R 3/Length 128/P -44/O <${'ab'.repeat(32)}>/U <${'ab'.repeat(32)}>>> endobj
trailer <</Root 1 0 R/Encrypt 3 0 R/ID[<01><01>]/Size 4>>`),
      /password-protected/,
    ],
    ['of PDF that is damaged', 'a.pdf', Buffer.from('%PDF-1.7\nnothing else'), /damaged/],
    ['of broken JSON', 'a.json', Buffer.from('{"a":'), /not valid JSON/],
    [
      'of Word that is a bomb',
      'a.docx',
      docx('', { 'word/document.xml': new Uint8Array(300 * 1024 * 1024) }),
      /exceeds 200 MB when unpacked/,
    ],
  ])('%s is not indexed, with a reason', async (_, key, content, reason) => {
    const bot = await newBot();

    const file = await failed(bot, { key, content });

    expect(file).toMatchObject({
      failedStatusReason: expect.stringMatching(reason),
      size: content.length,
      index: true,
    });
    const { items, vectors } = await remainsOf(bot.id, file.id);
    expect(items.filter(item => /passage|term|due/.test(item))).toEqual([]);
    expect(vectors).toEqual([]);
    await eventually(async () => expect(await usage(bot)).toEqual({ ...NO_USAGE, bytes: content.length }));
  });

  it('over 95 MB is not read, and is no longer found by its previous content', async () => {
    const bot = await newBot();
    await upload(bot.client, { key: 'a.txt', content: 'The okapi is shy.', index: true });
    const jobs = holdIndexing();
    const size = 95 * 1024 * 1024 + 1;
    const { file } = await bot.client.upsertFile({ key: 'a.txt', size });
    const { object } = (await recordOf(bot.id, file.id)).pending!;

    await arriveUpload(object, size);

    const after = await fileOf(bot.client, file.id);
    expect(after).toMatchObject({
      status: 'indexing_failed',
      failedStatusReason: expect.stringMatching(/95 MB/),
      size,
    });
    expect(await found(bot, 'okapi')).toEqual([]);
    await eventually(async () => expect(await vectorsOf(bot.id, file.id)).toEqual([]));
    await eventually(async () => expect(await usage(bot)).toEqual({ ...NO_USAGE, bytes: size }));
    expect(jobs).toEqual([]);
  });

  it('over 95 MB that is linked during a replacement keeps waiting for the new upload', async () => {
    const bot = await newBot();
    const size = 95 * 1024 * 1024 + 1;
    const { file } = await bot.client.upsertFile({ key: 'a.txt', size });
    await arriveUpload((await recordOf(bot.id, file.id)).pending!.object, size);
    const { file: next } = await bot.client.upsertFile({ key: 'a.txt', size: 17 });
    const { knowledgeBase } = await bot.client.createKnowledgeBase({ name: 'Animals' });

    const { file: linked } = await bot.client.updateFileMetadata({ id: file.id, tags: { kbId: knowledgeBase.id } });
    await put(next.uploadUrl, 'The okapi is shy.', { 'content-type': 'text/plain' });

    expect(linked.status).toBe('upload_pending');
    await untilStatus(bot.client, file.id, 'indexing_completed');
    expect(await found(bot, 'okapi')).toEqual(['The okapi is shy.']);
  });

  it('is not indexed beyond the workspace’s quota, with a reason', async () => {
    const bot = await newBot();
    await write([setQuota(bot.workspace.id, 'knowledgebase_vector_storage', 1_000)]);

    const file = await failed(bot, { key: 'a.txt', content: 'The okapi is shy.' });

    expect(file.failedStatusReason).toMatch(/quota/);
    await eventually(async () => expect(await usage(bot)).toEqual({ ...NO_USAGE, bytes: 17 }));
    await eventually(async () => expect(await vectorsOf(bot.id, file.id)).toEqual([]));
    expect((await itemsWith(bot.id, file.id)).filter(item => /passage|term/.test(item))).toEqual([]);
  });
});

describe('new content', () => {
  it('replaces the old content in the index without leftovers', async () => {
    const bot = await newBot();
    const before = await upload(bot.client, { key: 'a.txt', content: 'The okapi is shy.', index: true });
    const { indexed } = await recordOf(bot.id, before.id);

    const after = await upload(bot.client, { key: 'a.txt', content: 'The zebra is striped.', index: true });

    expect(after.id).toBe(before.id);
    expect(await found(bot, 'zebra')).toEqual(['The zebra is striped.']);
    expect(await found(bot, 'okapi')).not.toContain('The okapi is shy.');
    await eventually(async () => {
      expect(await itemsWith(bot.id, indexed!.id)).toEqual([]);
      expect(await itemsWith(bot.id, '#term#okapi')).toEqual([]);
      expect(await vectorsOf(bot.id, after.id)).toHaveLength(1);
    });
    expect(await contentsOf(bot, after.id)).toEqual(['The zebra is striped.']);
    await eventually(async () => expect(await usage(bot)).toEqual({ bytes: 21, passages: 1, indexedFiles: 1 }));
  });

  it('that cannot be indexed leaves nothing in the index', async () => {
    const bot = await newBot();
    const before = await upload(bot.client, { key: 'a.json', content: '{"a":"okapi"}', index: true });
    const { indexed } = await recordOf(bot.id, before.id);

    await failed(bot, { key: 'a.json', content: '{"a":' });

    expect(await found(bot, 'okapi')).toEqual([]);
    await eventually(async () => {
      expect(await itemsWith(bot.id, indexed!.id)).toEqual([]);
      expect(await vectorsOf(bot.id, before.id)).toEqual([]);
    });
    await eventually(async () => expect(await usage(bot)).toEqual({ ...NO_USAGE, bytes: 5 }));
  });

  it('uploaded during indexing wins, whichever indexing ends last', async () => {
    const bot = await newBot();
    const jobs = holdIndexing();
    const { file } = await bot.client.uploadFile({ key: 'a.txt', content: 'The okapi is shy.', index: true });
    await eventually(async () => expect(jobs).toHaveLength(1));
    await bot.client.uploadFile({ key: 'a.txt', content: 'The zebra is striped.', index: true });
    await eventually(async () => expect(jobs).toHaveLength(2));

    await runIndexing(jobs[1]!);
    await runIndexing(jobs[0]!);

    expect((await fileOf(bot.client, file.id)).status).toBe('indexing_completed');
    expect(await contentsOf(bot, file.id)).toEqual(['The zebra is striped.']);
    expect(await itemsWith(bot.id, JSON.parse(jobs[0]!.body).indexingId)).toEqual([]);
    expect(await vectorsOf(bot.id, file.id)).toHaveLength(1);
    await eventually(async () => expect(await usage(bot)).toEqual({ bytes: 21, passages: 1, indexedFiles: 1 }));
  });
});

/** More passages than the embedder takes in one batch. */
const MANY = 150;
const manyParagraphs = Array.from(
  { length: MANY },
  (_, i) => `Paragraph ${i} ${'is about okapis and zebras '.repeat(4)}.`,
);

/** Embeds through a service that answers some calls differently. */
async function useService(otherwise: (call: number) => StubAnswer | undefined): Promise<Stub> {
  let calls = 0;
  const stub = await startStub(({ body }) => {
    const answer = otherwise(++calls);
    if (answer) return answer;
    const data = body.input.map((_: string, index: number) => ({ index, embedding: [1, index + 1, 0, 0, 0, 0, 0, 0] }));
    return { status: 200, body: { data } };
  });
  stubs.push(stub);
  vi.stubEnv(EMBEDDING_VARIABLES.embeddings, 'openai:test');
  vi.stubEnv(EMBEDDING_VARIABLES.url, stub.endpoint);
  vi.stubEnv(EMBEDDING_VARIABLES.dimensions, '8');
  return stub;
}
const refusal = { status: 400, body: 'no' };

describe('an attempt that fails halfway', () => {
  it.each([
    ['refuses the second half', (call: number) => (call === 3 ? refusal : undefined)],
    ['refuses three times', (call: number) => (call < QUEUES.indexing.maxReceives ? refusal : undefined)],
    [
      'asks to come back later',
      (call: number) => (call === 2 ? { status: 429, headers: { 'retry-after': '0' }, body: '' } : undefined),
    ],
  ])('is retried and stores each passage once when the service %s', async (_, otherwise) => {
    const bot = await newBot();
    await useService(otherwise);

    const file = await upload(bot.client, { key: 'a.txt', content: manyParagraphs.join('\n\n'), index: true });

    expect(await contentsOf(bot, file.id)).toEqual(manyParagraphs);
    const { indexed } = await recordOf(bot.id, file.id);
    expect(indexed).toMatchObject({ passages: MANY, vectorBytes: MANY * 8 * 4 });
    expect(await itemsWith(bot.id, 'passage#')).toHaveLength(MANY);
    expect((await itemsWith(bot.id, 'passage#')).every(item => item.includes(indexed!.id))).toBe(true);
    const { passages } = await bot.client.searchFiles({ query: 'Paragraph 149', limit: 1, contextDepth: 0 });
    expect(passages[0]?.content).toBe(manyParagraphs[149]);
  });

  it('ends as failed with a reason after the last retry, and leaves nothing behind', async () => {
    const bot = await newBot();
    const service = await useService(call => (call === 1 ? undefined : refusal));

    const file = await failed(bot, { key: 'a.txt', content: manyParagraphs.join('\n\n') });

    expect(file.failedStatusReason).toMatch(/unavailable for a while\. Upload the file again\./);
    await eventually(async () => {
      expect((await itemsWith(bot.id, file.id)).filter(item => /passage|term|due/.test(item))).toEqual([]);
      await eventually(async () => expect(await usage(bot)).toMatchObject({ passages: 0, indexedFiles: 0 }));
    });
    expect(service.requests.length).toBeGreaterThanOrEqual(QUEUES.indexing.maxReceives);
  });

  it('leaves no passage of an outdated configuration behind', async () => {
    const bot = await newBot();
    const jobs = holdIndexing();
    const content = manyParagraphs.slice(0, 6).join('\n\n');
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

/** A file waiting for indexing, and its job. */
async function waiting(bot: TestBot, content = 'The okapi is shy.') {
  const jobs = holdIndexing();
  const { file } = await bot.client.uploadFile({ key: 'a.txt', content, index: true });
  await eventually(async () => expect(jobs).toHaveLength(1));
  return { file, job: jobs[0]! };
}

/** Holds the next call of the embedder before it succeeds or fails. */
function stopEmbedding(then: (texts: readonly string[]) => Promise<Float32Array[]>) {
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
const asEver = (texts: readonly string[]) => embed(texts, 'passage');

describe('indexing', () => {
  it('ends the same when two jobs run at once', async () => {
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
  ])('that %s after another one completed removes nothing', async (_, then) => {
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

  it('fails at its deadline with a reason, and leaves nothing when it ends too late', async () => {
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

  it('of a file deleted meanwhile leaves nothing behind', async () => {
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

  it('of a file deleted before leaves nothing behind', async () => {
    const bot = await newBot();
    const { file, job } = await waiting(bot);
    await bot.client.deleteFile({ id: file.id });

    await runIndexing(job);

    await eventually(async () => expect(await remainsOf(bot.id, file.id)).toEqual(NOTHING));
  });

  it('of a bot deleted meanwhile leaves nothing behind', async () => {
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

describe('passages of an abandoned indexing', () => {
  it('are deleted with the file', async () => {
    const bot = await newBot();
    const file = await upload(bot.client, { key: 'a.txt', content: 'The okapi is shy.', index: true });
    // As left by a function that was killed before it updated the record.
    await putPassages(bot.id, file.id, 'orphaned', [{ content: 'giraffe', type: 'paragraph', breadcrumb: [] }]);
    await putTerms(bot.id, file.id, 'orphaned', ['giraffe']);

    await bot.client.deleteFile({ id: file.id });

    await eventually(async () => expect(await remainsOf(bot.id, file.id)).toEqual(NOTHING));
  });
});

describe('the configuration', () => {
  const embedded = () => {
    const texts: string[] = [];
    vi.spyOn(hashing, 'embed').mockImplementation((some, kind) => {
      texts.push(...some);
      return embed(some, kind);
    });
    return texts;
  };
  const configured = async (content: string, configuration: object) => {
    const bot = await newBot();
    const options = { key: 'a.md', content, index: true, indexing: { configuration } } as Options & { content: string };
    return contentsOf(bot, (await upload(bot.client, options)).id);
  };
  const sentence = 'The okapi of the forest is shy. ';

  it('limits the length of a passage', async () => {
    const usual = await configured(sentence.repeat(30), {});
    const short = await configured(sentence.repeat(30), { chunking: { maximumChunkLength: 100 } });

    expect(usual).toHaveLength(1);
    expect(short.length).toBeGreaterThanOrEqual(10);
    expect(Math.max(...short.map(({ length }) => length))).toBeLessThanOrEqual(100);
  });

  it('sets the length below which paragraphs are joined', async () => {
    const content = Array.from({ length: 4 }, () => sentence.repeat(2).trim()).join('\n\n');

    const apart = await configured(content, { parsing: { minimumParagraphLength: 50 } });
    const joined = await configured(content, { parsing: { minimumParagraphLength: 2_000 } });

    expect([apart.length, joined.length]).toEqual([4, 1]);
  });

  it('sets if titles and neighbouring passages count for the meaning of a passage', async () => {
    const content = `# Animals\n\n${sentence.repeat(4)}\n\nThe zebra is striped. ${sentence.repeat(4)}`;
    const texts = embedded();

    await configured(content, {});
    const usual = texts.splice(0);
    await configured(content, { chunking: { embedBreadcrumb: false } });
    const bare = texts.splice(0);
    await configured(content, { chunking: { embeddedContextLevels: 1, embedBreadcrumb: false } });
    const wide = texts.splice(0);

    expect([usual.length, bare.length, wide.length]).toEqual([2, 2, 2]);
    expect(usual[1]).toBe(`Animals\n${bare[1]}`);
    expect(bare[1]).toMatch(/^The zebra/);
    expect(wide[0]).toContain('The zebra');
    expect(wide[1]).toContain('Animals');
  });
});
