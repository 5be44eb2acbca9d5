/** Tests the spend of embeddings of files and rows. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EMBEDDING_VARIABLES } from '#shared/ai/embedders/embeddingChoice.ts';
import { upload } from '#test/support/files.ts';
import { failIndexing } from '#test/support/indexing.ts';
import { eventually, newBot, settled, type TestBot, usePlatform } from '#test/support/platform.ts';
import { newTable, searchable } from '#test/support/rowInternals.ts';

usePlatform();

let bot: TestBot;
beforeEach(async () => {
  vi.stubEnv(EMBEDDING_VARIABLES.price, '1000');
  bot = await newBot();
});
afterEach(() => vi.unstubAllEnvs());

const spent = async () => (await bot.workspace.owner.client.getUsage({ id: bot.id, type: 'ai_spend' })).usage.value;
const limit = (spendingLimit: number) =>
  bot.workspace.owner.client.updateWorkspace({ id: bot.workspace.id, spendingLimit });
const TEXT = 'The okapi is shy. '.repeat(20);

describe('a file', () => {
  it('counts its passages as ai_spend', async () => {
    await upload(bot.client, { key: 'a.txt', content: TEXT, index: true });

    // Four characters cost a tenth of a cent.
    expect(await spent()).toBeGreaterThan((TEXT.length / 4 - 5) * 1_000_000);
    expect(await spent()).toBeLessThan(TEXT.length * 1_000_000);
  });

  it('fails with a reason when the workspace exceeds its limit', async () => {
    await limit(0.001);

    const { failedStatusReason } = await failIndexing(bot, { key: 'a.txt', content: TEXT });

    expect(failedStatusReason).toContain('spendingLimit');
    expect(await spent()).toBe(0);
  });
});

describe('a row', () => {
  it('counts its searchable text, and is not indexed when the workspace exceeds its limit', async () => {
    const { id: table } = await newTable(bot.client, { text: searchable });
    await bot.client.createTableRows({ table, rows: [{ text: TEXT }] });
    await eventually(async () => expect(await spent()).toBeGreaterThan(0));
    await limit(0.001);
    const before = await spent();

    await bot.client.createTableRows({ table, rows: [{ text: TEXT }] });
    await settled();

    expect(await spent()).toBe(before);
    expect((await bot.client.findTableRows({ table })).rows).toHaveLength(2);
  });
});
