import { execFile } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { openLocal } from '#shared/ai/embedders/local/localEmbedder.ts';
import { dotProduct } from '#shared/ai/vectors.ts';
import { corpus, questions } from '#test/bench/corpus.ts';

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

const shared = openLocal();

describe('the local embedder', () => {
  it('keeps its vectors stable, because indexes store them under its id', async () => {
    const embedder = openLocal();

    const [vector] = await embedder.embed(['The quick brown fox'], 'passage', 'bot');

    const sum = vector!.reduce((total, value, i) => total + value * (i + 1), 0);
    expect(embedder).toMatchObject({ id: 'local2-768', dimensions: 768, likeness: 'both' });
    expect(sum).toBeCloseTo(-168.1, 0);
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

  it.each([
    ['Chinese', '退款将在十四天内完成。'],
    ['Japanese', '返金は14日以内に行われます。'],
    ['Korean', '환불은 14일 이내에 이루어집니다.'],
    ['Arabic', 'تتم عمليات استرداد الأموال في غضون أربعة عشر يومًا.'],
    ['Hindi', 'रिफंड चौदह दिनों के भीतर जारी किए जाते हैं।'],
    ['Greek', 'Οι επιστροφές χρημάτων γίνονται εντός δεκατεσσάρων ημερών.'],
    ['Russian', 'Возврат средств осуществляется в течение четырнадцати дней.'],
    ['Vietnamese', 'Tiền hoàn lại được thực hiện trong vòng mười bốn ngày.'],
    ['German', 'Rückerstattungen werden innerhalb von 14 Tagen nach Eingang der Ware ausgezahlt.'],
    ['a German question', 'Wie bekomme ich mein Geld zurück?'],
    ['French', 'Les remboursements sont effectués dans un délai de quatorze jours.'],
    ['Spanish', 'Los reembolsos se realizan en un plazo de catorce días.'],
    ['Italian', 'I rimborsi vengono effettuati entro quattordici giorni dal ricevimento.'],
    ['Dutch', 'Terugbetalingen worden binnen veertien dagen gedaan.'],
    ['Polish', 'Zwroty są realizowane w ciągu czternastu dni od otrzymania towaru.'],
    ['Turkish', 'İadeler on dört gün içinde yapılır.'],
    ['a coined word', 'Xylophrentic'],
    ['nothing', ' \n'],
  ])('returns no vector for %s', async (_, text) => {
    expect(await shared.embed([text], 'passage', 'bot')).toEqual([undefined]);
  });

  it('represents the passages of the bench corpus, and its questions in common words', async () => {
    const passages = [...corpus({ minimumParagraphLength: 500, maximumChunkLength: 1_000 }).values()].flat();
    const asked = questions.filter(({ kind }) => kind !== 'rare').map(({ question }) => question);
    const texts = [...passages.filter((_, i) => i % 4 === 0), ...asked];

    const vectors = await shared.embed(texts, 'passage', 'bot');

    expect(texts.filter((_, i) => !vectors[i])).toEqual([]);
  });

  it.each([
    'Great service, thanks 😀',
    'The order of 你好 Trading Limited was shipped',
    'Error E1234 on startup of the XR-500 router',
    'SKU 4432-AB, 12 pcs; SKU 4433-AC, 6 pcs',
    'const x = await fetch(url); return x.json();',
  ])('represents English, numbers and code: %s', async text => {
    const [vector] = await shared.embed([text], 'passage', 'bot');

    expect(dotProduct(vector!, vector!)).toBeCloseTo(1, 5);
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
    expect(again).toBe(768);
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
      const failed = results.filter(({ reason }) => reason?.message.includes('all-minilm-l6-v2')).length;
      console.log(JSON.stringify({ failed, vectors: vectors.length }));
    `,
      folder,
    );

    expect({ failed, vectors }).toEqual({ failed: 2, vectors: 2 });
    await rm(folder, { recursive: true });
  });
});
