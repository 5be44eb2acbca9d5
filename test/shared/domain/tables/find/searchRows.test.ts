/** Tests that searches find rows by meaning shortly after they change. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EMBEDDING_VARIABLES } from '#shared/ai/embedders/embeddingChoice.ts';
import { hashing } from '#shared/ai/embedders/local/hashing.ts';
import { ThrottledError } from '#shared/ai/throttledError.ts';
import { eventually, newBot, settled, type TestBot, useSharedPlatform } from '#test/support/platform.ts';
import {
  computed,
  expectCounts,
  holdRowJobs,
  newTable,
  redeliverChanges,
  runRowJob,
  searchable,
  vectorsOf,
} from '#test/support/rowInternals.ts';

useSharedPlatform();
afterEach(() => vi.restoreAllMocks());

let bot: TestBot;
beforeEach(async () => {
  bot = await newBot();
});

const ANIMALS = ['the shy okapi of the forest', 'a quick brown fox', 'an okapi', 'stock markets fell'];

async function animals() {
  const { id: table } = await newTable(bot.client, { text: searchable, n: 0 });
  await bot.client.createTableRows({ table, rows: ANIMALS.map((text, n) => ({ text, n })) });
  await expectCounts(bot.client, table, { rows: ANIMALS.length });
  return table;
}
const search = async (table: string, text: string, more: object = {}) =>
  (await bot.client.findTableRows({ table, search: text, ...more })).rows;

describe('searched rows', () => {
  it('sorts rows by similarity, followed by all others', async () => {
    const table = await animals();

    const rows = await search(table, 'okapi');

    expect(rows).toHaveLength(4);
    expect(rows[0]!.text).toBe('an okapi');
    const similarities = rows.map(({ similarity }) => similarity!);
    expect(similarities).toEqual(similarities.toSorted((a, b) => b - a));
    expect(similarities.every(each => each >= 0 && each <= 1)).toBe(true);
    expect(await search(table, 'okapi', { limit: 1 })).toHaveLength(1);
    expect((await search(table, 'okapi', { filter: { n: { $lt: 2 } } })).map(({ n }) => n)).toEqual([0, 1]);
  });

  it('is stale until it is indexed', async () => {
    const { id: table } = await newTable(bot.client, { text: searchable });
    const held = holdRowJobs();

    await bot.client.createTableRows({ table, rows: [{ text: 'an okapi' }, { text: null }] });

    await eventually(async () => expect(await bot.client.getTable({ table })).toMatchObject({ rows: 2, indexing: 1 }));
    expect((await bot.client.getTableRow({ table, id: 1 })).row.stale).toEqual(['text']);
    expect((await search(table, 'okapi'))[0]!.similarity).toBeUndefined();
    await eventually(async () => expect(held).not.toEqual([]));
    await runRowJob({ botId: bot.id, tableId: table, ids: [1, 2] });
    await expectCounts(bot.client, table, { rows: 2 });
    expect((await bot.client.getTableRow({ table, id: 1 })).row.stale).toEqual([]);
  });

  it('is found by its current text, but not when the text is empty or the row is deleted', async () => {
    redeliverChanges();
    const table = await animals();

    await bot.client.updateTableRows({
      table,
      rows: [
        { id: 3, text: 'a zebra' },
        { id: 1, text: null },
      ],
    });
    await bot.client.deleteTableRows({ table, ids: [2] });

    await expectCounts(bot.client, table, { rows: 3 });
    await eventually(async () => expect(await vectorsOf(bot.id, table)).toEqual(['3', '4']));
    expect((await search(table, 'zebra'))[0]!.id).toBe(3);
    expect((await search(table, 'okapi')).find(({ id }) => id === 1)!.similarity).toBeUndefined();
  });

  it('is found by computed values', async () => {
    const shout = computed('string', { action: 'code', code: 'row.a.toUpperCase()' });
    const { id: table } = await newTable(bot.client, {
      a: '',
      text: { ...shout, 'x-zui': { ...shout['x-zui'], searchable: true } },
    });

    await bot.client.createTableRows({ table, rows: [{ a: 'zebra' }, { a: 'okapi' }] });

    await expectCounts(bot.client, table, { rows: 2 });
    expect((await search(table, 'okapi'))[0]!).toMatchObject({ id: 2, text: 'OKAPI' });
  });

  it('has the vector of its latest state after concurrent indexing', async () => {
    const { id: table } = await newTable(bot.client, { text: searchable });
    const held = holdRowJobs();
    await bot.client.createTableRows({ table, rows: [{ text: 'an okapi' }] });
    await eventually(async () => expect(held).not.toEqual([]));
    const job = { botId: bot.id, tableId: table, ids: [1] };
    const { embed } = hashing;
    let isFirst = true;
    vi.spyOn(hashing, 'embed').mockImplementation(async (texts, kind, tenant) => {
      if (isFirst && kind === 'passage') {
        isFirst = false;
        await bot.client.updateTableRows({ table, rows: [{ id: 1, text: 'a zebra' }] });
        // Another run indexes the change before this one continues.
        await runRowJob(job);
      }
      return embed(texts, kind, tenant);
    });

    await runRowJob(job);

    expect((await search(table, 'a zebra'))[0]!.similarity).toBeGreaterThan(0.99);
    await expectCounts(bot.client, table, { rows: 1 });
  });

  it('leaves no vector when the row or its table is deleted during indexing', async () => {
    const held = holdRowJobs();
    const { id: table } = await newTable(bot.client, { text: searchable });
    const { id: other } = await newTable(bot.client, { text: searchable });
    for (const each of [table, other]) await bot.client.createTableRows({ table: each, rows: [{ text: 'an okapi' }] });
    await eventually(async () => expect(held).toHaveLength(2));
    const { embed } = hashing;
    const during = (act: () => Promise<unknown>) =>
      vi.spyOn(hashing, 'embed').mockImplementationOnce(async (texts, kind, tenant) => {
        await act();
        return embed(texts, kind, tenant);
      });

    during(() => bot.client.deleteTableRows({ table, ids: [1] }));
    await runRowJob({ botId: bot.id, tableId: table, ids: [1] });
    during(() => bot.client.deleteTable({ table: other }));
    await runRowJob({ botId: bot.id, tableId: other, ids: [1] });

    expect(await vectorsOf(bot.id, table)).toEqual([]);
    await eventually(async () => expect(await vectorsOf(bot.id, other)).toEqual([]));
  });

  it('is indexed again after the embedder was overloaded', async () => {
    process.env.DELIVERY_FIRST_PAUSE_MS = '1';
    const { embed } = hashing;
    vi.spyOn(hashing, 'embed')
      .mockImplementation(embed)
      .mockRejectedValueOnce(new ThrottledError('The service', 'busy'))
      .mockRejectedValueOnce(new ThrottledError('The service', 'busy'));
    const { id: table } = await newTable(bot.client, { text: searchable });

    await bot.client.createTableRows({ table, rows: [{ text: 'an okapi' }] });

    await expectCounts(bot.client, table, { rows: 1 });
    await settled();
    expect(await vectorsOf(bot.id, table)).toEqual(['1']);
    delete process.env.DELIVERY_FIRST_PAUSE_MS;
  });
});

describe('rows with the default embedder', () => {
  beforeEach(() => void vi.stubEnv(EMBEDDING_VARIABLES.embeddings, undefined));
  afterEach(() => vi.unstubAllEnvs());

  async function tableOf(...texts: string[]): Promise<string> {
    const { id: table } = await newTable(bot.client, { text: searchable });
    await bot.client.createTableRows({ table, rows: texts.map(text => ({ text })) });
    await expectCounts(bot.client, table, { rows: texts.length });
    return table;
  }

  it('is found by meaning', async () => {
    const table = await tableOf('a quick brown fox', 'stock markets fell', 'the shy okapi of the forest');

    expect((await search(table, 'share prices dropped'))[0]).toMatchObject({ text: 'stock markets fell' });
  });

  it.each([
    ['names', 'Müller', ['Anna Schmidt', 'Jürgen Müller', 'Zoë Groß'], 'Jürgen Müller'],
    ['part numbers', '4433-AC', ['SKU 4432-AB', 'SKU 4433-AC', 'SKU 9001-ZX'], 'SKU 4433-AC'],
    [
      'another language',
      'Wann kommt das Geld zurück?',
      ['Lieferung in drei Tagen', 'Geld kommt in 14 Tagen zurück'],
      'Geld kommt in 14 Tagen zurück',
    ],
    ['another script', '退款', ['股市下跌', '退款将在十四天内完成'], '退款将在十四天内完成'],
  ])('is found by spelling: %s', async (_, text, rows, expected) => {
    const table = await tableOf(...rows);

    const found = await search(table, text);

    expect(found[0]).toMatchObject({ text: expected });
    expect(found.every(({ similarity }) => similarity! >= 0 && similarity! <= 1)).toBe(true);
  });

  it('is found by its new text, in another language', async () => {
    const table = await tableOf('stock markets fell', 'a quick brown fox');

    await bot.client.updateTableRows({ table, rows: [{ id: 1, text: '股市下跌' }] });
    await expectCounts(bot.client, table, { rows: 2 });

    expect((await search(table, '股市'))[0]).toMatchObject({ id: 1 });
    expect((await search(table, 'a fox'))[0]).toMatchObject({ id: 2 });
  });
});
