/** Tests searches by meaning, and of files that the embedder represents in part or not at all. */
import { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { EMBEDDING_VARIABLES } from '#shared/ai/embedders/embeddingChoice.ts';
import { startStub } from '#test/shared/ai/stubServer.ts';
import { recordOf, vectorsOf } from '#test/support/fileInternals.ts';
import { SHORT_PASSAGES, upload } from '#test/support/files.ts';
import { found } from '#test/support/indexing.ts';
import { newBot, type TestBot, usePlatform } from '#test/support/platform.ts';

usePlatform();

let bot: TestBot;
beforeEach(async () => {
  // Selects the default.
  vi.stubEnv(EMBEDDING_VARIABLES.embeddings, undefined);
  bot = await newBot();
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

const ENGLISH = [
  'Refunds are issued within 14 days of the purchase, to the card that was charged when the order was placed with the shop.',
  'The office is open from nine to five on every day of the week except Sunday, and on the first Saturday of each month.',
];
const GERMAN =
  'Rückerstattungen werden innerhalb von vierzehn Tagen nach Eingang der Ware auf die ursprüngliche Karte ausgezahlt.';
const CHINESE = '退款将在收到货物后的十四天内退回到原付款的银行卡上。'.repeat(5);

const index = (...passages: string[]) =>
  upload(bot.client, { key: 'a.txt', content: passages.join('\n\n'), index: true, ...SHORT_PASSAGES });

describe('files with the default embedder', () => {
  it('is found by a question in other words, without network access', async () => {
    const connect = vi.spyOn(Socket.prototype, 'connect');
    await upload(bot.client, { key: 'office.txt', content: 'The office opens at nine on Mondays', index: true });
    await upload(bot.client, { key: 'refunds.txt', content: 'Refunds are issued within 14 days', index: true });
    await upload(bot.client, { key: 'shipping.txt', content: 'Parcels arrive within three days', index: true });

    expect((await found(bot, 'How do I get my money back?'))[0]).toBe('Refunds are issued within 14 days');
    const hosts = connect.mock.calls.flat(2).flatMap(each => (each as { host?: string } | undefined)?.host ?? []);
    expect(hosts.filter(host => !['127.0.0.1', 'localhost'].includes(host))).toEqual([]);
  });

  it('is found by meaning', async () => {
    await index(...ENGLISH);

    expect((await found(bot, 'How do I get my money back?'))[0]).toBe(ENGLISH[0]);
  });

  it('is found by keywords if the model does not support the language', async () => {
    const file = await index(...ENGLISH, GERMAN, CHINESE);

    expect((await found(bot, 'Wann werden Rückerstattungen ausgezahlt?'))[0]).toBe(GERMAN);
    expect((await found(bot, '退款'))[0]).toBe(CHINESE);
    expect(await vectorsOf(bot.id, file.id)).toHaveLength(ENGLISH.length);
    expect((await recordOf(bot.id, file.id)).indexed).toMatchObject({ passages: 4, vectorBytes: 2 * 768 * 4 });
  });

  it('is indexed without a vector when the model represents no passage', async () => {
    const file = await index(CHINESE);

    expect(await found(bot, '银行卡')).toEqual([CHINESE]);
    expect(await found(bot, 'How do I get my money back?')).toEqual([]);
    expect(await vectorsOf(bot.id, file.id)).toEqual([]);
  });
});

describe('files of another embedder', () => {
  /** Starts a service with the same vector for every text, so that any comparison would match perfectly. */
  async function useModel(model: string) {
    const stub = await startStub(({ body }) => ({
      status: 200,
      body: { data: body.input.map((_: string, index: number) => ({ index, embedding: [1, 0, 0, 0] })) },
    }));
    onTestFinished(() => stub.stop());
    vi.stubEnv(EMBEDDING_VARIABLES.embeddings, `openai:${model}`);
    vi.stubEnv(EMBEDDING_VARIABLES.url, stub.endpoint);
  }

  it('is compared only by keywords, even if the vectors have the same size', async () => {
    await useModel('a');
    const file = await index(...ENGLISH);
    expect(await found(bot, 'okapi')).toHaveLength(2);

    await useModel('b');

    expect(await found(bot, 'okapi')).toEqual([]);
    expect(await found(bot, 'refunds')).toEqual([ENGLISH[0]]);
    expect(await vectorsOf(bot.id, file.id)).toEqual([]);
    vi.stubEnv(EMBEDDING_VARIABLES.embeddings, undefined);
    expect(await found(bot, 'How do I get my money back?')).toEqual([]);
    expect(await found(bot, 'refunds')).toEqual([ENGLISH[0]]);
  });

  it('is ranked by keywords among files of the current embedder', async () => {
    vi.stubEnv(EMBEDDING_VARIABLES.embeddings, 'hashing');
    await upload(bot.client, { key: 'old.txt', content: 'The warranty of the toaster ends in May', index: true });
    vi.stubEnv(EMBEDDING_VARIABLES.embeddings, undefined);

    await upload(bot.client, { key: 'new.txt', content: 'Refunds are issued within 14 days', index: true });

    expect((await found(bot, 'How do I get my money back?'))[0]).toBe('Refunds are issued within 14 days');
    expect((await found(bot, 'Until when is the warranty of the toaster?'))[0]).toBe(
      'The warranty of the toaster ends in May',
    );
  });
});
