import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lambdaBuildOptions } from '#infra/bundle/bundle.ts';
import { ROOT } from '#infra/bundle/entries.ts';
import { writeTransformersLayer } from '#infra/bundle/transformersLayer.ts';
import { synthesised } from '#test/infra/stack/template.ts';
import { DIMENSIONS, writeTinyModel } from '#test/shared/ai/embedders/tinyModel.ts';

const PACKAGES = join(ROOT, 'node_modules');
/** Operators install this package, which is ten times as large as all other dependencies. */
const isInstalled = existsSync(join(PACKAGES, '@huggingface/transformers'));

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

  it('is rejected without the runtime, with an error that names the installation command', async () => {
    const packages = join(folder, 'empty');
    await mkdir(packages);

    expect(() => writeTransformersLayer(join(folder, 'layer'), model, { packages })).toThrow(
      'The package @huggingface/transformers is not installed. Run npm install --no-save @huggingface/transformers.',
    );
  });

  it.skipIf(!isInstalled)('contains binaries for one Linux architecture', async () => {
    const layer = join(folder, 'arm64');

    const { dimensions, folder: mounted } = writeTransformersLayer(layer, model);

    const binaries = 'nodejs/node_modules/onnxruntime-node/bin/napi-v6';
    expect({ dimensions, mounted }).toEqual({ dimensions: DIMENSIONS, mounted: '/opt/models/tiny/words' });
    expect(await readdir(join(layer, binaries))).toEqual(['linux']);
    expect(await readdir(join(layer, binaries, 'linux'))).toEqual(['arm64']);
  });

  it.skipIf(!isInstalled)('belongs only to the functions that embed', () => {
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

  it.skipIf(!isInstalled)("contains everything that a function's code requires", async () => {
    const layer = join(folder, process.arch);
    writeTransformersLayer(layer, model, { architecture: process.arch });
    const outfile = join(folder, 'function/index.js');
    const contents = `
      import { chooseEmbedder } from '#shared/ai/embedders/chooseEmbedder.ts';
      chooseEmbedder()
        .then(embedder => embedder.embed(['car', 'automobile', 'cheese'], 'passage'))
        .then(vectors => console.log(JSON.stringify(vectors.map(vector => [...vector]))));`;
    await build({ ...lambdaBuildOptions, stdin: { contents, resolveDir: ROOT }, outfile });

    const { stdout } = await promisify(execFile)(process.execPath, [outfile], {
      cwd: join(folder, 'function'),
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
