/** Tests indexing end to end: search results, failures and replaced content. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import writeXlsxFile from 'write-excel-file/node';
import { hashing } from '#shared/ai/embedders/local/hashing.ts';
import { UNREAD_PHRASES, type UnreadKind } from '#shared/ai/extraction/formats/unread.ts';
import { write } from '#shared/storage/dynamodb/engine/transaction.ts';
import { setQuota } from '#shared/storage/dynamodb/workspace/usage.ts';
import { docx, officeParts, relations, zip } from '#test/shared/ai/extraction/files.ts';
import { UNREAD_SAMPLES } from '#test/shared/ai/extraction/unreadSamples.ts';
import {
  arriveUpload,
  findFileTimer,
  holdIndexing,
  itemsWith,
  NO_USAGE,
  recordOf,
  remainsOf,
  runIndexing,
  vectorsOf,
} from '#test/support/fileInternals.ts';
import { fileOf, put, untilStatus, upload } from '#test/support/files.ts';
import { contentsOf, failIndexing, found, type UploadOptions, usage } from '#test/support/indexing.ts';
import { pdf, SCAN } from '#test/support/pdf.ts';
import { eventually, newBot, usePlatform } from '#test/support/platform.ts';
import { sampled } from '#test/support/tier.ts';

usePlatform();

afterEach(() => vi.restoreAllMocks());

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
  'a.docx': () => docx('<w:p><w:r><w:t>The okapi is shy.</w:t></w:r></w:p>'),
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
  it.each(sampled(Object.entries(FORMATS), 2))('is found by a word of its content: %s', async (key, make) => {
    const bot = await newBot();

    const file = await upload(bot.client, { key, content: Buffer.from(await make()), index: true });

    const { passages } = await bot.client.searchFiles({ query: 'okapi' });
    expect(passages).toHaveLength(1);
    expect(passages[0]).toMatchObject({ content: expect.stringMatching(/okapi.*shy/s), file: { id: file.id, key } });
    expect(await contentsOf(bot, file.id)).toHaveLength(1);
    expect(await vectorsOf(bot.id, file.id)).toHaveLength(1);
    expect(await findFileTimer(bot.id, file.id, 'indexing')).toBeUndefined();
  });

  it('is indexed with a warning about the pages that could not be read', async () => {
    const bot = await newBot();
    const content = Buffer.from(pdf([[{ text: 'The okapi is shy.' }], SCAN, SCAN]));

    const file = await upload(bot.client, { key: 'a.pdf', content, index: true });

    const warnings = [
      '2 pages (2, 3) contain only images. Run text recognition (OCR) on the file and upload it again.',
    ];
    expect(file).toMatchObject({ status: 'indexing_completed', indexingWarnings: warnings });
    expect(await found(bot, 'okapi')).toEqual(['The okapi is shy.']);
    const { files } = await bot.client.listFiles({});
    expect(files).toMatchObject([{ indexingWarnings: warnings }]);

    const after = await upload(bot.client, {
      key: 'a.pdf',
      content: Buffer.from(pdf([[{ text: 'Okapi' }]])),
      index: true,
    });

    expect(after).not.toHaveProperty('indexingWarnings');
  });

  it.each(Object.entries(UNREAD_PHRASES) as [UnreadKind, readonly string[]][])(
    'is indexed with a warning about each kind of part that is not read: %s',
    async (kind, [phrase]) => {
      const bot = await newBot();
      const { key, content } = UNREAD_SAMPLES[kind];

      const file = await upload(bot.client, { key, content: Buffer.from(content(1)), index: true });

      expect(file).toHaveProperty('indexingWarnings', [`Not read: ${phrase}.`]);
    },
  );

  it('is found by the visible text of its HTML, not by its scripts', async () => {
    const bot = await newBot();
    const content =
      '<title>Okapis</title><script>const secretive = 1;</script><p onclick="secretive()">The okapi is shy.</p><style>.secretive{}</style>';

    const file = await upload(bot.client, { key: 'a.html', content, index: true });

    expect((await found(bot, 'okapi')).join()).toContain('The okapi is shy.');
    expect((await contentsOf(bot, file.id)).join()).not.toMatch(/secretive/);
    expect(await itemsWith(bot.id, '#term#secretive')).toEqual([]);
  });

  it.each([
    ['an image', 'a.png', Buffer.from('\x89PNG\r\n'), /image\/png cannot be indexed/],
    ['a file without text', 'a.txt', Buffer.from(' \n '), /no text/],
    [
      'a PDF with a password',
      'a.pdf',
      Buffer.from(`%PDF-1.4
1 0 obj <</Type/Catalog/Pages 2 0 R>> endobj
2 0 obj <</Type/Pages/Kids[]/Count 0>> endobj
3 0 obj <</Filter/Standard/V 2/R 3/Length 128/P -44/O <${'ab'.repeat(32)}>/U <${'ab'.repeat(32)}>>> endobj
trailer <</Root 1 0 R/Encrypt 3 0 R/ID[<01><01>]/Size 4>>`),
      /password-protected/,
    ],
    ['a scanned PDF', 'a.pdf', Buffer.from(pdf([SCAN])), /No text could be read\. Page 1 contains only images\. .*OCR/],
    ['a damaged PDF', 'a.pdf', Buffer.from('%PDF-1.7\nnothing else'), /damaged/],
    ['invalid JSON', 'a.json', Buffer.from('{"a":'), /not valid JSON/],
    [
      'a Word document that is a ZIP bomb',
      'a.docx',
      docx('', { 'word/document.xml': new Uint8Array(300 * 1024 * 1024) }),
      /exceeds 200 MB when unpacked/,
    ],
  ])('is not indexed, with a reason: %s', async (_, key, content, reason) => {
    const bot = await newBot();

    const file = await failIndexing(bot, { key, content });

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

  it('is not indexed over 95 MB, and its previous content is removed from the index', async () => {
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

  it('keeps waiting for the new upload if content over 95 MB is linked during a replacement', async () => {
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

    const file = await failIndexing(bot, { key: 'a.txt', content: 'The okapi is shy.' });

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

  it('is absent from the index if it cannot be indexed', async () => {
    const bot = await newBot();
    const before = await upload(bot.client, { key: 'a.json', content: '{"a":"okapi"}', index: true });
    const { indexed } = await recordOf(bot.id, before.id);

    await failIndexing(bot, { key: 'a.json', content: '{"a":' });

    expect(await found(bot, 'okapi')).toEqual([]);
    await eventually(async () => {
      expect(await itemsWith(bot.id, indexed!.id)).toEqual([]);
      expect(await vectorsOf(bot.id, before.id)).toEqual([]);
    });
    await eventually(async () => expect(await usage(bot)).toEqual({ ...NO_USAGE, bytes: 5 }));
  });

  it('replaces the content that is being indexed, in any order', async () => {
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

describe('the configuration', () => {
  const { embed } = hashing;
  const embedded = () => {
    const texts: string[] = [];
    vi.spyOn(hashing, 'embed').mockImplementation((some, kind, tenant) => {
      texts.push(...some);
      return embed(some, kind, tenant);
    });
    return texts;
  };
  const configured = async (content: string, configuration: object) => {
    const bot = await newBot();
    const options = { key: 'a.md', content, index: true, indexing: { configuration } } as UploadOptions & {
      content: string;
    };
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

  it('determines whether titles and neighbouring passages are embedded', async () => {
    const content = `# Animals\n\n${sentence.repeat(17)}\n\nThe zebra is striped. ${sentence.repeat(17)}`;
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
