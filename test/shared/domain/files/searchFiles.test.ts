/** Files whose texts the embedder represents in part or not at all. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EMBEDDING_VARIABLES } from '#shared/ai/embeddingChoice.ts';
import { recordOf, vectorsOf } from '#test/support/fileInternals.ts';
import { upload } from '#test/support/files.ts';
import { found } from '#test/support/indexing.ts';
import { newBot, type TestBot, usePlatform } from '#test/support/platform.ts';

usePlatform();

let bot: TestBot;
beforeEach(async () => {
  vi.stubEnv(EMBEDDING_VARIABLES.embeddings, 'local');
  bot = await newBot();
});
afterEach(() => vi.unstubAllEnvs());

const ENGLISH = [
  'Refunds are issued within 14 days of the purchase, to the card that was charged when the order was placed with the shop.',
  'The office is open from nine to five on every day of the week except Sunday, and on the first Saturday of each month.',
];
const GERMAN =
  'Rückerstattungen werden innerhalb von vierzehn Tagen nach Eingang der Ware auf die ursprüngliche Karte ausgezahlt.';
const CHINESE = '退款将在收到货物后的十四天内退回到原付款的银行卡上。'.repeat(5);

const index = (...passages: string[]) =>
  upload(bot.client, { key: 'a.txt', content: passages.join('\n\n'), index: true });

describe('files with the local embedder', () => {
  it('are found by meaning', async () => {
    await index(...ENGLISH);

    expect((await found(bot, 'How do I get my money back?'))[0]).toBe(ENGLISH[0]);
  });

  it('are found by words where the model does not represent the language', async () => {
    const file = await index(...ENGLISH, GERMAN, CHINESE);

    expect((await found(bot, 'Wann werden Rückerstattungen ausgezahlt?'))[0]).toBe(GERMAN);
    expect((await found(bot, '退款'))[0]).toBe(CHINESE);
    expect(await vectorsOf(bot.id, file.id)).toHaveLength(ENGLISH.length);
    expect((await recordOf(bot.id, file.id)).indexed).toMatchObject({ passages: 4, vectorBytes: 2 * 512 * 4 });
  });

  it('are indexed without a vector when the model represents no passage', async () => {
    const file = await index(CHINESE);

    expect(await found(bot, '银行卡')).toEqual([CHINESE]);
    expect(await found(bot, 'How do I get my money back?')).toEqual([]);
    expect(await vectorsOf(bot.id, file.id)).toEqual([]);
  });
});
