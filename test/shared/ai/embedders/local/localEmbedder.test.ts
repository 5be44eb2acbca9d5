import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { openLocal } from '#shared/ai/embedders/local/localEmbedder.ts';
import { dotProduct } from '#shared/ai/vectors.ts';

const ROOT = join(import.meta.dirname, '../../../../..');

/**
 * Runs a program with an `embedder` in a process.
 * @returns the JSON that it prints
 */
async function run(program: string, cwd = ROOT): Promise<Record<string, number>> {
  const start = `
    import { setTimeout } from 'node:timers/promises';
    import { openLocal } from '${join(cwd, 'shared/ai/embedders/local/localEmbedder.ts')}';
    const embedder = openLocal({ idleMs: 100 });
    const residentMb = () => process.memoryUsage.rss() / 2 ** 20;
  `;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', start + program], {
    cwd,
  });
  return JSON.parse(stdout);
}

describe('the local embedder', () => {
  it('keeps its vectors stable, because indexes store them under its id', async () => {
    const embedder = openLocal();

    const [vector] = await embedder.embed(['The quick brown fox'], 'passage', 'bot');

    const sum = vector!.reduce((total, value, i) => total + value * (i + 1), 0);
    expect(embedder).toMatchObject({ id: 'local1-896', dimensions: 896, likeness: 'both' });
    expect(sum).toBeCloseTo(-391.3946, 3);
  });

  it('returns vectors of length 1 in the order of the texts, and none for unsupported texts', async () => {
    const embedder = openLocal();
    const texts = ['a refund', 'a cheese', '退款', 'a refund'];

    const vectors = await embedder.embed(texts, 'passage', 'bot');

    expect(await embedder.embed([], 'query', 'bot')).toEqual([]);
    expect(vectors[2]).toBeUndefined();
    expect(vectors[3]).toEqual(vectors[0]);
    expect(vectors[1]).not.toEqual(vectors[0]);
    for (const vector of [vectors[0]!, vectors[1]!]) expect(dotProduct(vector, vector)).toBeCloseTo(1, 5);
  });

  it('embeds a query before pending passages', async () => {
    const embedder = openLocal();
    const order: string[] = [];
    const done = (name: string) => () => void order.push(name);

    await Promise.all([
      embedder.embed(['a', 'b', 'c'], 'passage', 'bot').then(done('passages')),
      embedder.embed(['d'], 'query', 'bot').then(done('query')),
    ]);

    expect(order).toEqual(['query', 'passages']);
  });

  it('embeds passages round-robin by tenant', async () => {
    const embedder = openLocal();
    const order: string[] = [];
    const embed = (text: string, tenant: string) =>
      embedder.embed([text], 'passage', tenant).then(() => void order.push(text));

    await Promise.all([...['a', 'b', 'c', 'd'].map(text => embed(text, 'busy')), embed('e', 'quiet')]);

    expect(order).toEqual(['a', 'b', 'e', 'c', 'd']);
  });

  it('frees the memory of the model when it is idle, and reloads it on demand', async () => {
    const { loaded, idle, again } = await run(`
      await embedder.embed(['a refund'], 'query', 'bot');
      const loaded = residentMb();
      let idle = loaded;
      for (let i = 0; i < 300 && idle > loaded - 20; i++) {
        await setTimeout(100);
        idle = residentMb();
      }
      const [vector] = await embedder.embed(['a refund'], 'query', 'bot');
      console.log(JSON.stringify({ loaded, idle, again: vector.length }));
    `);

    expect(idle).toBeLessThan(loaded! - 20);
    expect(again).toBe(896);
  });

  it('does not block the event loop while it embeds', async () => {
    const { ticks } = await run(`
      let ticks = 0;
      const timer = setInterval(() => ticks++, 1);
      await embedder.embed(Array(20).fill('Refunds are issued within 14 days. '.repeat(50)), 'passage', 'bot');
      clearInterval(timer);
      console.log(JSON.stringify({ ticks }));
    `);

    expect(ticks).toBeGreaterThan(20);
  });

  it('does not keep the process alive', async () => {
    expect(await run(`await embedder.embed(['a'], 'query', 'bot'); console.log('{"ok":1}');`)).toEqual({ ok: 1 });
  });

  it('rejects all texts while the model is missing, and loads it once available', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'parley-embedder-'));
    for (const layer of ['shared/ai', 'shared/core'])
      await cp(join(ROOT, layer), join(folder, layer), { recursive: true });
    await writeFile(join(folder, 'package.json'), '{"type":"module","imports":{"#shared/*":"./shared/*"}}');

    const { failed, vectors } = await run(
      `
      import { symlink } from 'node:fs/promises';
      const results = await Promise.allSettled([embedder.embed(['a', 'b'], 'passage', 'bot'), embedder.embed(['c'], 'query', 'bot')]);
      await symlink('${ROOT}/node_modules', 'node_modules');
      const vectors = await embedder.embed(['the car', 'the dog'], 'passage', 'bot');
      const failed = results.filter(({ reason }) => reason?.message.includes('model-embeddings-en')).length;
      console.log(JSON.stringify({ failed, vectors: vectors.length }));
    `,
      folder,
    );

    expect({ failed, vectors }).toEqual({ failed: 2, vectors: 2 });
    await rm(folder, { recursive: true });
  });
});
