import { describe, expect, it } from 'vitest';
import { newBot, usePlatform } from '#test/support/platform.ts';

usePlatform();

describe('GET /tables', () => {
  it('lists all tables of the bot by name, and none of another', async () => {
    const [bot, other] = await Promise.all([newBot(), newBot()]);
    expect((await bot.client.listTables({})).tables).toEqual([]);
    for (const name of ['bTable', 'aTable']) await bot.client.createTable({ name, schema: {} });
    await other.client.createTable({ name: 'cTable', schema: {} });

    const { tables } = await bot.client.listTables({});

    expect(tables.map(({ name }) => name)).toEqual(['aTable', 'bTable']);
  });

  it('lists the tables that have all of the given tags', async () => {
    const bot = await newBot();
    await bot.client.createTable({ name: 'aTable', schema: {}, tags: { team: 'x', kind: '1' } });
    await bot.client.createTable({ name: 'bTable', schema: {}, tags: { team: 'x' } });
    await bot.client.createTable({ name: 'cTable', schema: {}, tags: { team: 'y' } });
    const names = async (tags: Record<string, string>) =>
      (await bot.client.listTables({ tags })).tables.map(({ name }) => name);

    expect(await names({ team: 'x' })).toEqual(['aTable', 'bTable']);
    expect(await names({ team: 'x', kind: '1' })).toEqual(['aTable']);
    expect(await names({ kind: '2' })).toEqual([]);
  });
});
