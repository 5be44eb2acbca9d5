/**
 * `npm run model -- <id>`: downloads a sentence model from Hugging Face for the local platform, once, so that nothing
 * is downloaded at run time. `HF_ENDPOINT` names a mirror, `HF_TOKEN` a token for models that require one.
 */
import { createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { runCommand, UsageError } from '#infra/operator/target/target.ts';
import { parseCommand } from '#infra/settings/commandLine.ts';
import { modelsDirectory, stateDirectory } from '#infra/settings/stateDirectory.ts';
import { POOLING_FILE, PROMPTS_FILE } from '#shared/ai/embedders/transformersFolder.ts';

const USAGE = 'npm run model -- <owner>/<model>, such as Xenova/multilingual-e5-small';
const MODEL_ID = /^\w[\w.-]*\/\w[\w.-]*$/;
/** Quantized to 8 bits: a quarter of the size. */
const REQUIRED = ['config.json', 'tokenizer.json', 'tokenizer_config.json', 'onnx/model_quantized.onnx'];
const OPTIONAL = [POOLING_FILE, PROMPTS_FILE];

const { HF_ENDPOINT = 'https://huggingface.co', HF_TOKEN } = process.env;

/** Returns false if the model does not have the file. */
async function download(id: string, file: string, folder: string): Promise<boolean> {
  const url = `${HF_ENDPOINT.replace(/\/$/, '')}/${id}/resolve/main/${file}`;
  const response = await fetch(url, HF_TOKEN ? { headers: { authorization: `Bearer ${HF_TOKEN}` } } : {});
  if (response.status === 404) return false;
  if (!response.ok || !response.body) throw new UsageError(`${url} returned ${response.status}.`);
  const path = join(folder, file);
  await mkdir(dirname(path), { recursive: true });
  await pipeline(Readable.fromWeb(response.body), createWriteStream(path));
  process.stdout.write(`${file}  ${((await stat(path)).size / 1e6).toFixed(1)} MB\n`);
  return true;
}

await runCommand(async () => {
  const options = { local: { type: 'boolean', default: false } } as const;
  const { positionals } = parseCommand(USAGE, { options, allowPositionals: true }, 'local');
  const [id, ...others] = positionals;
  if (!id || others.length > 0 || !MODEL_ID.test(id)) throw new UsageError(USAGE);
  const folder = join(modelsDirectory, id);
  const partial = `${folder}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(stateDirectory, { recursive: true, mode: 0o700 });
  for (const file of REQUIRED) {
    if (!(await download(id, file, partial)))
      throw new UsageError(`The model ${id} has no ${file}. Choose a model for transformers.js.`);
  }
  for (const file of OPTIONAL) await download(id, file, partial);
  await rm(folder, { recursive: true, force: true });
  await rename(partial, folder);
  process.stdout.write(
    `Stop the platform, then run:\n  EMBEDDINGS=transformers:${id} npm start\nand, to index existing content:\n  npm run reindex -- --local\n`,
  );
});
