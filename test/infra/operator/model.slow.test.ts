/** Tests `npm run model` with a local server instead of Hugging Face. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listen } from '#infra/local/services/listenOnPort.ts';
import { tinyModel } from '#test/shared/ai/embedders/tinyModel.ts';
import { environmentOf, operate } from '#test/support/commands.ts';

let folder: string;
let server: Awaited<ReturnType<typeof listen>>;
const requested: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-model-'));
  server = await listen(
    createServer((request, response) => {
      requested.push(`${request.headers.authorization} ${request.url}`);
      const [, owner, model, , , ...path] = request.url!.split('/');
      const content = owner === 'tiny' && model === 'words' ? tinyModel.get(path.join('/')) : undefined;
      response.writeHead(content === undefined ? 404 : 200).end(content);
    }),
    0,
  );
});
afterAll(async () => {
  await server.stop();
  await rm(folder, { recursive: true });
});

const download = (...args: string[]) =>
  operate('model', args, { ...environmentOf(folder), HF_ENDPOINT: server.endpoint, HF_TOKEN: 'secret' });

describe('npm run model', () => {
  it('downloads the files of a model, and prints how to use it', async () => {
    const { code, output } = await download('tiny/words');

    expect(code, output).toBe(0);
    expect(output).toContain('EMBEDDINGS=transformers:tiny/words npm start');
    for (const [file, content] of tinyModel)
      expect(await readFile(join(folder, 'models/tiny/words', file))).toEqual(Buffer.from(content));
    expect(requested[0]).toBe('Bearer secret /tiny/words/resolve/main/config.json');
  });

  it('leaves no usable model if files are missing', async () => {
    const { code, output } = await download('tiny/none');

    expect({ code, output }).toMatchObject({ code: 1, output: expect.stringContaining('has no config.json') });
    expect(await readdir(join(folder, 'models'), { recursive: true })).not.toContain('tiny/none');
  });

  it.each([[], ['no-owner'], ['a/b', 'c/d'], ['../../etc'], ['../..'], ['./.']])('rejects %j', async (...args) => {
    expect(await download(...(args as string[]))).toMatchObject({
      code: 1,
      output: expect.stringContaining('npm run model'),
    });
  });
});
