import { describe, expect, it } from 'vitest';
import { mapConcurrently } from '#shared/core/concurrency.ts';
import { newBot, useSharedPlatform } from '#test/support/platform.ts';

useSharedPlatform();

describe('GET /tables', () => {
  it('lists all tables of the bot by name, and none of another bot', async () => {
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

  it('returns 413 for definitions beyond 2.5 MB in total, even if created concurrently', async () => {
    const bot = await newBot();
    const column = { type: 'string', description: 'd'.repeat(1_000), 'x-zui': { typings: '"'.repeat(500) } };
    const schema = Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`c${i}`, column]));
    const create = (name: string) => bot.callTables('POST', '', { body: { name, schema } });

    const names = Array.from({ length: 34 }, (_, i) => `t${i}Table`);

    const answers = await mapConcurrently(names, 6, create);
    const { status, body } = await bot.callTables('GET', '');
    const created = answers.filter(answer => answer.status === 201);
    const refused = answers.find(answer => answer.status === 413)!;
    const more = Object.fromEntries(Array.from({ length: 4 }, (_, i) => [`more${i}`, column]));
    const grown = await mapConcurrently(created, 6, ({ body }) =>
      bot.callTables('PUT', `/${body.table.id}`, { body: { schema: more } }),
    );
    await bot.callTables('DELETE', `/${created[1]!.body.table.id}`);
    const again = await create('againTable');

    expect(new Set(answers.map(answer => answer.status))).toEqual(new Set([201, 413]));
    expect(refused.body).toMatchObject({ type: 'LimitExceeded', metadata: { limitBytes: 2_500_000 } });
    expect({ status, tables: body.tables.length }).toEqual({ status: 200, tables: created.length });
    expect(new Set(grown.map(answer => answer.status))).toContain(413);
    expect(again.status).toBe(201);
  });
});
