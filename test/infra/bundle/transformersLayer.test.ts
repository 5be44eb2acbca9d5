import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lambdaBuildOptions } from '#infra/bundle/bundle.ts';
import { ROOT } from '#infra/bundle/entries.ts';
import { CHILD_PROGRAMS } from '#infra/bundle/lazyModules.ts';
import { writeTransformersLayer } from '#infra/bundle/transformersLayer.ts';
import { synthesised } from '#test/infra/stack/template.ts';
import { DIMENSIONS, writeTinyModel } from '#test/shared/ai/embedders/tinyModel.ts';

let folder: string;
let model: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-layer-'));
  model = join(folder, 'models/tiny/words');
  await writeTinyModel(model);
});
afterAll(() => rm(folder, { recursive: true }));

describe('the layer with a model of Hugging Face', () => {
  it('is rejected without a model, with an error that names the download command', () => {
    expect(() => writeTransformersLayer(join(folder, 'layer'), join(folder, 'models/tiny/none'))).toThrow(
      /tiny\/none contains no model\. Download one with npm run model/,
    );
  });

  it('contains the model, and only the files of the runtime that run it', async () => {
    const layer = join(folder, 'layer');

    const { dimensions, folder: mounted } = writeTransformersLayer(layer, model);

    const runtime = join(layer, 'nodejs/node_modules/onnxruntime-web');
    expect({ dimensions, mounted }).toEqual({ dimensions: DIMENSIONS, mounted: '/opt/models/tiny/words' });
    expect((await readdir(join(runtime, 'dist'))).sort()).toEqual([
      'ort-wasm-simd-threaded.mjs',
      'ort-wasm-simd-threaded.wasm',
      'ort.wasm.min.js',
    ]);
  });

  it('belongs only to the functions that embed', () => {
    const { functions } = synthesised({ search: 'transformers', embeddings: model });

    const layered = functions.filter(({ properties }) => properties.Layers);
    const embedding = functions.filter(({ properties }) => properties.Environment?.Variables.EMBEDDINGS);
    expect(layered.map(({ description }) => description)).toContain('files-searchFiles');
    expect(layered.every(({ properties }) => properties.MemorySize >= 1_769)).toBe(true);
    // One more function deletes vectors, for which the name of their model suffices.
    expect(embedding.length).toBe(layered.length + 1);
    for (const { properties } of embedding) {
      expect(properties.Environment.Variables).toMatchObject({
        EMBEDDINGS: 'transformers:/opt/models/tiny/words',
        EMBEDDINGS_DIMENSIONS: String(DIMENSIONS),
      });
    }
  });

  it("contains everything that a function's code requires", async () => {
    const layer = join(folder, 'whole');
    writeTransformersLayer(layer, model);
    const outdir = join(folder, 'function');
    const contents = `
      import { chooseEmbedder } from '#shared/ai/embedders/chooseEmbedder.ts';
      chooseEmbedder()
        .then(embedder => embedder.embed(['car', 'automobile', 'cheese'], 'passage', 'bot'))
        .then(vectors => console.log(JSON.stringify(vectors.map(vector => [...vector]))));`;
    await build({ ...lambdaBuildOptions, stdin: { contents, resolveDir: ROOT }, outfile: join(outdir, 'index.js') });
    const thread = CHILD_PROGRAMS.find(({ file }) => file === 'modelThread.js')!;
    await build({
      ...lambdaBuildOptions,
      entryPoints: [join(ROOT, thread.source)],
      outfile: join(outdir, thread.file),
    });

    const { stdout } = await promisify(execFile)(process.execPath, [join(outdir, 'index.js')], {
      cwd: outdir,
      env: {
        NODE_PATH: join(layer, 'nodejs/node_modules'),
        EMBEDDINGS: `transformers:${join(layer, 'models/tiny/words')}`,
        EMBEDDINGS_DIMENSIONS: String(DIMENSIONS),
      },
    });

    const [car, automobile, cheese] = JSON.parse(stdout);
    const likeness = (a: number[], b: number[]) => a.reduce((sum, value, i) => sum + value * b[i]!, 0);
    expect(likeness(car, automobile)).toBeGreaterThan(0.9);
    expect(likeness(car, cheese)).toBeCloseTo(0, 5);
  });
});
