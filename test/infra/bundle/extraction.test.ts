/** Tests that the bundled reader of documents finds the files that deployments copy beside it. */
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { lambdaBuildOptions } from '#infra/bundle/bundle.ts';
import { ROOT } from '#infra/bundle/entries.ts';
import { CHILD_PROGRAMS, LAZY_MODULES } from '#infra/bundle/lazyModules.ts';

const WORKER = 'shared/ai/extraction/extractionWorker.ts';
const PARENT = 'shared/ai/extraction/readPassages.ts';
const FILES = join(ROOT, 'test/shared/ai/extraction/files');

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-extraction-'));
  const options = { ...lambdaBuildOptions, outdir: folder, entryNames: '[name]' };
  await build({ ...options, entryPoints: [WORKER, PARENT].map(source => join(ROOT, source)) });
  for (const path of CHILD_PROGRAMS.find(({ source }) => source === WORKER)!.data!) {
    const lazy = LAZY_MODULES[basename(path, '.js') as keyof typeof LAZY_MODULES];
    if (lazy) await build({ ...options, entryPoints: lazy.map(source => join(ROOT, source)) });
    else await cp(join(ROOT, path), join(folder, basename(path)));
  }
});

afterAll(() => rm(folder, { recursive: true }));

it.each([
  ['the character maps of fonts', 'cjk-ja.pdf', '返品は十四日以内に受け付けます。倉庫で検品後に返金します。'],
  ['the statistics of encodings', 'sjis.csv', '品名: ランプ, 説明: 保証期間は三十か月です'],
])('reads %s', async (_, key, content) => {
  const { readPassages } = createRequire(import.meta.url)(join(folder, 'readPassages.js'));

  const { passages } = await readPassages(
    await readFile(join(FILES, key)),
    { contentType: '', key, settings: { minimumParagraphLength: 50, maximumChunkLength: 1_000 } },
    { timeoutMs: 60_000, memoryMb: 512 },
  );

  expect(passages).toMatchObject([{ content }]);
});
